package io.sigma.controlplane.store;

import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.Snapshot;
import io.sigma.snapshot.StateHash;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The newest revision that this process knows, in memory, and the way there from recent ones. Thread-safe. */
public interface RevisionLog {

    /**
     * Returns the newest snapshot known in this process: one volatile read. It is at least as new as every write that
     * this process has answered; a write of another control plane shows up with its notification, or with the next poll.
     */
    Snapshot current();

    /**
     * Calls {@code listener} after each advance of {@link #current()}, with the snapshot advanced to; several revisions
     * may be one advance. Calls are in order and never overlap; they are made on the log's own virtual thread, so a
     * listener may block, but while it does the next advance waits: hand slow work over.
     */
    void onAdvance(Consumer<Snapshot> listener);

    /**
     * Returns what leads from {@code revision}, whose state had {@code hash}, to {@link #current()}, in order, an entity
     * changed twice possibly twice. Returns an empty list when nothing is lacking, and null when the revision is not
     * among the recent ones that are kept, its hash was another one, or it is newer than {@link #current()}: then
     * only the full state helps.
     */
    @Nullable
    List<EntityChange> changesSince(long revision, StateHash hash);
}
