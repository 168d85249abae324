package io.sigma.dataplane.snapshot;

import io.sigma.snapshot.Snapshot;
import io.vertx.core.Future;

/** Where a source of snapshots (control link, file) delivers them. Thread-safe. */
public interface SnapshotTarget {

    /**
     * Compiles {@code snapshot} off the event loops, opens and closes what changed and swaps. Calls are served one after
     * the other, in order.
     *
     * @return completes when requests are served by {@code snapshot}; fails with {@link SnapshotRefused} when it cannot
     *     be, and then what was served before still is
     */
    Future<Void> apply(Snapshot snapshot);

    /**
     * Compiles {@code candidate} off the event loops, as {@link #apply} would, and serves nothing of it. It is kept, instead
     * of the candidate before, until {@link #discard()} or {@link #apply}; applying the same snapshot object then uses what
     * was compiled.
     *
     * @return completes when it could be served, as far as that can be found out before; fails with {@link
     *     SnapshotRefused} when it could not
     */
    default Future<Void> prepare(Snapshot candidate) {
        return Future.succeededFuture();
    }

    /** Lets go of the candidate, if there is one. */
    default void discard() {
        // Nothing is kept where nothing is compiled beforehand.
    }

    /** Returns the snapshot that is served, {@link Snapshot#NONE} before the first. */
    Snapshot current();
}
