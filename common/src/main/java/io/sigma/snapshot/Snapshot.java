package io.sigma.snapshot;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A revision as a gateway receives it. Immutable. */
public record Snapshot(long revision, StateHash hash, ConfigState state) {

    /** The snapshot of a gateway that has received none. */
    public static final Snapshot NONE = new Snapshot(0, StateHash.EMPTY, ConfigState.empty());

    /** Returns a snapshot whose hash is computed from its state. */
    public static Snapshot of(long revision, ConfigState state) {
        return new Snapshot(revision, StateHash.of(state), state);
    }

    /**
     * Returns this snapshot moved forward by {@code changes}, the hash updated in O(changed).
     *
     * @throws IllegalArgumentException when {@code toRevision} is not after this one
     */
    public Snapshot advance(long toRevision, List<EntityChange> changes) {
        if (toRevision <= revision) {
            throw new IllegalArgumentException("revision: " + toRevision + " (expected: more than " + revision + ")");
        }
        ConfigState current = state;
        if (current.size() == 0) {
            // A full state: there is nothing to take away.
            return of(toRevision, current.with(changes));
        }
        StateHash moved = hash;
        Map<String, Object> seen = new HashMap<>();
        for (EntityChange change : changes) {
            String key = change.kind() + "/" + change.id();
            Object before = seen.containsKey(key)
                    ? seen.get(key)
                    : current.of(ResourceType.of(change.kind())).get(change.id());
            if (before != null) {
                moved = moved.minus(change.kind(), change.id(), before);
            }
            if (change.resource() != null) {
                moved = moved.plus(change.kind(), change.id(), change.resource());
            }
            seen.put(key, change.resource());
        }
        return new Snapshot(toRevision, moved, current.with(changes));
    }
}
