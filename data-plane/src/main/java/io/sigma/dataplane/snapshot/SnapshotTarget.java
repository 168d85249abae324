package io.sigma.dataplane.snapshot;

import io.sigma.snapshot.Snapshot;
import io.vertx.core.Future;
import java.util.concurrent.Callable;

/** Where a source of snapshots (control link, file) delivers them. Thread-safe. */
public interface SnapshotTarget {

    /**
     * Makes a snapshot for {@link #prepare} or {@link #apply}. Best where these do their work, so that little is woken
     * for a change; by default on the thread that calls, which is right where nothing else is done. The future may
     * complete on that thread.
     *
     * @param large whether that takes long, as for a full state
     * @return what {@code work} returned or threw
     */
    default Future<Snapshot> assemble(boolean large, Callable<Snapshot> work) {
        try {
            return Future.succeededFuture(work.call());
        } catch (Throwable e) {
            return Future.failedFuture(e);
        }
    }

    /**
     * Compiles {@code snapshot} off the event loops, opens and closes what changed and swaps. Calls are served one
     * after the other, in order.
     *
     * @return completes when requests are served by {@code snapshot}; fails with {@link SnapshotRefused} when it cannot
     *     be, and then what was served before still is
     */
    Future<Void> apply(Snapshot snapshot);

    /**
     * Compiles {@code candidate} off the event loops, as {@link #apply} would, and serves nothing of it. It is kept,
     * instead of the candidate before, until {@link #discard()} or {@link #apply}; applying the same snapshot object
     * then uses what was compiled.
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
