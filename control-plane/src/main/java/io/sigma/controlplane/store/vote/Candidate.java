package io.sigma.controlplane.store.vote;

import io.sigma.controlplane.store.history.EntityEdit;
import io.sigma.json.JsonPointer;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.ResourceType;
import io.sigma.snapshot.StateHash;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The revision that a write is about to commit: the number {@code revision} of the state {@code hash}, a delta from
 * {@code baseRevision} of the state {@code baseHash}.
 */
public record Candidate(long baseRevision, StateHash baseHash, long revision, StateHash hash, List<EntityEdit> edits) {

    public Candidate {
        edits = List.copyOf(edits);
    }

    /** Returns whether it changes the resource that {@code pointer}, into the whole state, leads into. */
    public boolean touches(@Nullable String pointer) {
        if (pointer == null) {
            return false;
        }
        for (EntityEdit edit : edits) {
            String changed = JsonPointer.of(ResourceType.of(edit.kind()).field(), edit.id());
            if (pointer.equals(changed) || pointer.startsWith(changed + "/")) {
                return true;
            }
        }
        return false;
    }

    /** Returns the delta. */
    public List<EntityChange> changes() {
        return edits.stream()
                .map(edit -> new EntityChange(edit.kind(), edit.id(), edit.after()))
                .toList();
    }
}
