package io.sigma.dataplane.snapshot;

import io.vertx.core.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A step that must succeed before a snapshot is served. */
@FunctionalInterface
public interface Preparation {

    /** Longest wait for what is prepared, in seconds. */
    long SECONDS_MAX = 30;

    /** The prepared step. Exactly one method is called, once. */
    @FunctionalInterface
    interface Prepared {

        /** The snapshot is served. */
        void keep();

        /** The snapshot will not be served; from any thread. */
        default void undo() {
            // Whoever opened nothing has nothing to close.
        }
    }

    /**
     * Prepares for {@code next}.
     *
     * @return what was done, to be kept or undone; fails with {@link SnapshotRefused} when it cannot be served, and
     *     has left nothing behind then
     */
    Future<Prepared> prepare(RuntimeSnapshot next);

    /**
     * As {@link #prepare}, without what cannot be opened.
     *
     * @return fails only when nothing of {@code next} can be served
     */
    default Future<Prepared> prepareInPart(RuntimeSnapshot next) {
        return prepare(next);
    }

    /**
     * Looks in a vote, and only there, at what would be served and would not work: what has come to be served in
     * spite of it keeps nothing else from being served.
     *
     * @throws SnapshotRefused when something would not work
     */
    default void judge(RuntimeSnapshot next) {
        // Whatever can be served works.
    }

    /**
     * Looks whether {@link #prepare} could succeed, and changes nothing. It is called before each {@link #prepare}
     * too, so that a vote and an application refuse the same in the same words. Blocks.
     *
     * @param unnamed whether to look as well at what nothing names
     * @throws SnapshotRefused when it could not
     */
    default void check(RuntimeSnapshot next, boolean unnamed) {
        // Whoever has nothing to open has nothing to look at.
    }

    /**
     * Waits until all is prepared. Blocks for 30 s at most.
     *
     * @throws SnapshotRefused when it fails or takes longer; what is opened later is undone
     */
    static Prepared await(Future<Prepared> prepared) {
        try {
            return prepared.await(SECONDS_MAX, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            // It goes on, and nobody else would close what it opens.
            prepared.onSuccess(Prepared::undo);
            throw new SnapshotRefused("/proxyServers", "listeners did not open within " + SECONDS_MAX + " s");
        }
    }
}
