package io.sigma.standalone.fleet;

import io.sigma.dataplane.snapshot.SnapshotRefused;
import io.sigma.dataplane.snapshot.SnapshotTarget;
import io.sigma.snapshot.Snapshot;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A gateway that serves nothing: refuses states with an upstream called bad, and can be held. Thread-safe. */
final class MemoryTarget implements SnapshotTarget {

    private volatile Snapshot current = Snapshot.NONE;
    private volatile @Nullable Promise<Void> held;
    private volatile @Nullable Promise<Void> heldVotes;
    private volatile @Nullable Snapshot candidate;
    private final AtomicInteger reused = new AtomicInteger();

    @Override
    @SuppressWarnings("ReferenceEquality") // The same object comes back after the vote.
    public Future<Void> apply(Snapshot snapshot) {
        if (isBad(snapshot)) {
            return Future.failedFuture(refusal());
        }
        if (snapshot == candidate) {
            reused.incrementAndGet();
        }
        candidate = null;
        Promise<Void> until = held;
        Future<Void> when = until == null ? Future.succeededFuture() : until.future();
        return when.onSuccess(now -> current = snapshot);
    }

    @Override
    public Future<Void> prepare(Snapshot snapshot) {
        if (isBad(snapshot)) {
            return Future.failedFuture(refusal());
        }
        candidate = snapshot;
        Promise<Void> until = heldVotes;
        return until == null ? Future.succeededFuture() : until.future();
    }

    @Override
    public void discard() {
        candidate = null;
    }

    private static boolean isBad(Snapshot snapshot) {
        return snapshot.state().upstreams().containsKey("bad");
    }

    private static SnapshotRefused refusal() {
        return new SnapshotRefused("/upstreams/bad", "bad (expected: good)");
    }

    /** From now on snapshots take effect only once {@code until} completes. */
    void hold(@Nullable Promise<Void> until) {
        held = until;
    }

    /** From now on candidates are compiled only once {@code until} completes. */
    void holdVotes(@Nullable Promise<Void> until) {
        heldVotes = until;
    }

    /** Returns what is kept for a commit. */
    @Nullable
    Snapshot candidate() {
        return candidate;
    }

    /** Returns how often what was compiled for a vote was served. */
    int reused() {
        return reused.get();
    }

    @Override
    public Snapshot current() {
        return current;
    }
}
