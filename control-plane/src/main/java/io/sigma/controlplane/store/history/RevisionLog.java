package io.sigma.controlplane.store.history;

import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.Snapshot;
import io.sigma.snapshot.StateHash;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The newest revision that this process knows, in memory, and the way there from recent ones. Thread-safe. */
public interface RevisionLog {

    /**
     * Returns the newest snapshot known in this process: one volatile read. It is at least as new as every write that
     * this process has answered; a write of another control plane shows up with its notification, or with the next
     * poll.
     */
    Snapshot current();

    /**
     * Calls {@code listener} after each advance of {@link #current()}, with the snapshot advanced to; several revisions
     * may be one advance. Calls are in order and never overlap; they are made on the log's own virtual thread, so a
     * listener may block, but while it does the next advance waits: hand slow work over.
     */
    void onAdvance(Consumer<Snapshot> listener);

    /**
     * Returns what leads from {@code revision}, whose state had {@code hash}, to {@code toRevision}, in order, an
     * entity changed twice possibly twice; an empty list when the two are the same. Returns null when one of them is
     * not among the recent revisions that are kept, or the hash was another one: then only the full state helps.
     *
     * @param toRevision the revision of a snapshot that {@link #current()} has returned; it is a parameter because the
     *     log may have moved on since
     */
    @Nullable
    List<EntityChange> changesSince(long revision, StateHash hash, long toRevision);

    /**
     * Returns the hash of the state after {@code revision}; null when it is not among the recent revisions that are
     * kept, or newer than {@link #current()}.
     */
    default @Nullable StateHash hashOf(long revision) {
        Snapshot newest = current();
        return newest.revision() == revision ? newest.hash() : null;
    }

    /** Returns {@link #current()} after the database was asked, later than this call, whether there is another one. */
    default Future<Snapshot> confirmed() {
        return Future.succeededFuture(current());
    }
}
