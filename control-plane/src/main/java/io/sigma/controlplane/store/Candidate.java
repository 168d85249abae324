package io.sigma.controlplane.store;

import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.StateHash;
import java.util.List;

/**
 * What a write is about to commit: the revision {@code revision} of the state {@code hash}, a delta from {@code
 * baseRevision} of the state {@code baseHash}.
 */
public record Candidate(long baseRevision, StateHash baseHash, long revision, StateHash hash, List<EntityEdit> edits) {

    public Candidate {
        edits = List.copyOf(edits);
    }

    /** Returns the delta. */
    public List<EntityChange> changes() {
        return edits.stream()
                .map(edit -> new EntityChange(edit.kind(), edit.id(), edit.after()))
                .toList();
    }
}
