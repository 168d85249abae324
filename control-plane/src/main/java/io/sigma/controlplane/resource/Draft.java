package io.sigma.controlplane.resource;

import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.Snapshot;
import java.util.List;

/**
 * The state that operations would lead to.
 *
 * @param base the state, which is the newest one
 * @param changes from {@code base} to the draft
 */
public record Draft(Snapshot base, List<EntityChange> changes) {

    public Draft {
        changes = List.copyOf(changes);
    }
}
