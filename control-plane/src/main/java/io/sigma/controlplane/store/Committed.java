package io.sigma.controlplane.store;

import io.sigma.snapshot.StateHash;
import java.util.List;

/**
 * A write that is in the database.
 *
 * @param revision the revision that holds it; the current one when nothing changed
 * @param edits what it changed; empty when nothing had to
 */
public record Committed(long revision, StateHash hash, List<EntityEdit> edits) {

    public Committed {
        edits = List.copyOf(edits);
    }

    /** Returns whether there is a new revision. */
    public boolean changed() {
        return !edits.isEmpty();
    }
}
