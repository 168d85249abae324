package io.sigma.controlplane.store.history;

import io.sigma.model.ChangeAction;
import io.sigma.model.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The change of one entity in a revision.
 *
 * @param before the model record before; null when it was created
 * @param after the model record after; null when it was deleted
 */
public record EntityEdit(
        Kind kind,
        String id,
        @Nullable Object before,
        @Nullable Object after) {

    /** Returns what became of the entity. */
    public ChangeAction action() {
        return before == null ? ChangeAction.CREATE : after == null ? ChangeAction.DELETE : ChangeAction.UPDATE;
    }

    /** Returns what undoes this. */
    public EntityEdit inverse() {
        return new EntityEdit(kind, id, after, before);
    }
}
