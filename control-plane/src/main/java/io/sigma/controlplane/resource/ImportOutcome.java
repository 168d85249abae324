package io.sigma.controlplane.resource;

import io.sigma.controlplane.store.CommitResult;
import io.sigma.controlplane.store.history.EntityEdit;
import io.sigma.model.FieldError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of an import.
 *
 * @param unchanged resources of the file that were so already
 * @param warnings keys that were kept without a meaning, with their pointers into the file
 * @param losses what operations lose that was attached to their routes, which needs force
 * @param tag of the whole state now; of a dry run that of what it was tried upon; null when it is not known
 */
public record ImportOutcome(
        CommitResult committed,
        int created,
        int updated,
        int deleted,
        int unchanged,
        List<FieldError> warnings,
        List<FieldError> losses,
        @Nullable String tag) {

    /**
     * Counts what became of {@code wanted} changes.
     *
     * @param tag of the whole state
     */
    static ImportOutcome of(CommitResult committed, int wanted, List<FieldError> warnings, @Nullable String tag) {
        int created = 0;
        int deleted = 0;
        for (EntityEdit edit : committed.edits()) {
            created += edit.before() == null ? 1 : 0;
            deleted += edit.after() == null ? 1 : 0;
        }
        int changed = committed.edits().size();
        return new ImportOutcome(
                committed, created, changed - created - deleted, deleted, wanted - changed, warnings, List.of(), tag);
    }

    /** Returns the same, with what was lost by it. */
    ImportOutcome losing(List<FieldError> more) {
        return new ImportOutcome(committed, created, updated, deleted, unchanged, warnings, more, tag);
    }

    public ImportOutcome {
        warnings = List.copyOf(warnings);
        losses = List.copyOf(losses);
    }
}
