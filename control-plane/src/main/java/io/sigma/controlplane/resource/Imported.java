package io.sigma.controlplane.resource;

import io.sigma.controlplane.store.Committed;
import io.sigma.controlplane.store.EntityEdit;
import io.sigma.model.FieldError;
import java.util.List;

/**
 * What an import did.
 *
 * @param unchanged resources of the file that were so already
 * @param warnings keys that were kept without a meaning, with their pointers into the file
 */
public record Imported(
        Committed committed, int created, int updated, int deleted, int unchanged, List<FieldError> warnings) {

    /** Counts what became of {@code wanted} changes. */
    static Imported of(Committed committed, int wanted, List<FieldError> warnings) {
        int created = 0;
        int deleted = 0;
        for (EntityEdit edit : committed.edits()) {
            created += edit.before() == null ? 1 : 0;
            deleted += edit.after() == null ? 1 : 0;
        }
        int changed = committed.edits().size();
        return new Imported(committed, created, changed - created - deleted, deleted, wanted - changed, warnings);
    }

    public Imported {
        warnings = List.copyOf(warnings);
    }
}
