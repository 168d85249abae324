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

    /** Returns the snapshot that is served, {@link Snapshot#NONE} before the first. */
    Snapshot current();
}
