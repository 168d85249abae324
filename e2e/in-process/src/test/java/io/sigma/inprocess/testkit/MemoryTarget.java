package io.sigma.inprocess.testkit;

import io.sigma.dataplane.snapshot.SnapshotRefused;
import io.sigma.dataplane.snapshot.SnapshotTarget;
import io.sigma.snapshot.Snapshot;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A gateway that serves nothing: refuses states with an upstream called bad, and can be held. Thread-safe. */
public final class MemoryTarget implements SnapshotTarget {

    private volatile Snapshot current = Snapshot.NONE;
    private volatile @Nullable Promise<Void> held;
    private volatile @Nullable Promise<Void> heldVotes;
    private volatile @Nullable Snapshot candidate;
    private final Set<String> bad = new CopyOnWriteArraySet<>(Set.of("bad"));
    private final Set<String> late = new CopyOnWriteArraySet<>();
    private final AtomicInteger reused = new AtomicInteger();

    @Override
    @SuppressWarnings("ReferenceEquality") // The same object comes back after the vote.
    public Future<Void> apply(Snapshot snapshot) {
        late.stream().filter(id -> snapshot.state().upstreams().containsKey(id)).forEach(bad::add);
        String wrong = wrong(snapshot);
        if (wrong != null) {
            return Future.failedFuture(refusal(wrong));
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
        String wrong = wrong(snapshot);
        if (wrong != null) {
            return Future.failedFuture(refusal(wrong));
        }
        candidate = snapshot;
        Promise<Void> until = heldVotes;
        return until == null ? Future.succeededFuture() : until.future();
    }

    @Override
    public void discard() {
        candidate = null;
    }

    private @Nullable String wrong(Snapshot snapshot) {
        return bad.stream()
                .filter(id -> snapshot.state().upstreams().containsKey(id))
                .findFirst()
                .orElse(null);
    }

    private static SnapshotRefused refusal(String id) {
        return new SnapshotRefused("/upstreams/" + id, id + " (expected: good)");
    }

    /**
     * From now on states with that upstream are accepted by votes and refused when they are to be served, then by votes
     * too.
     */
    public void refuseLate(String upstreamId) {
        late.add(upstreamId);
    }

    /** What was wrong with the upstream, such as with the disk of the gateway, is mended. */
    public void mend(String upstreamId) {
        late.remove(upstreamId);
        bad.remove(upstreamId);
    }

    /** From now on snapshots take effect only once {@code until} completes. */
    public void hold(@Nullable Promise<Void> until) {
        held = until;
    }

    /** From now on candidates are compiled only once {@code until} completes. */
    public void holdVotes(@Nullable Promise<Void> until) {
        heldVotes = until;
    }

    /** Returns what is kept for a commit. */
    @Nullable
    public Snapshot candidate() {
        return candidate;
    }

    /** Returns how often what was compiled for a vote was served. */
    public int reused() {
        return reused.get();
    }

    @Override
    public Snapshot current() {
        return current;
    }
}
