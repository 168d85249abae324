package io.sigma.controlplane.api.operation;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.secret.Secrets;
import io.sigma.controlplane.store.CommitResult;
import io.sigma.controlplane.store.history.EntityEdit;
import io.sigma.json.Json;
import io.sigma.model.Change;
import io.sigma.model.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells what a write of many resources changes, without their secrets. Pure; takes a while for large states. */
final class Changes {

    private final Secrets secrets;

    Changes(Secrets secrets) {
        this.secrets = secrets;
    }

    /**
     * Returns at most {@code max} changes: of a dry run with the entities before and after, else by kind, id and
     * action.
     */
    List<Change> of(CommitResult committed, int max) {
        // Whoever tries wants to see what would change; whoever did it has the revision.
        boolean whole = !committed.durable();
        return committed.edits().stream()
                .limit(max)
                .map(edit -> change(edit, whole))
                .toList();
    }

    private Change change(EntityEdit edit, boolean whole) {
        return Change.builder()
                .kind(edit.kind())
                .id(edit.id())
                .action(edit.action())
                .before(whole ? redacted(edit.kind(), edit.before()) : null)
                .after(whole ? redacted(edit.kind(), edit.after()) : null)
                .build();
    }

    /** Returns an entity as it may be seen; null for null. */
    @Nullable
    JsonNode redacted(Kind kind, @Nullable Object value) {
        return value == null ? null : secrets.redacted(kind, Json.tree(value));
    }
}
