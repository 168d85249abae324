package io.sigma.standalone.fleet;

import io.sigma.dataplane.snapshot.SnapshotRefused;
import io.sigma.dataplane.snapshot.SnapshotTarget;
import io.sigma.snapshot.Snapshot;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import org.jspecify.annotations.Nullable;

/** A gateway that serves nothing: refuses states with an upstream called bad, and can be held. Thread-safe. */
final class MemoryTarget implements SnapshotTarget {

    private volatile Snapshot current = Snapshot.NONE;
    private volatile @Nullable Promise<Void> held;

    @Override
    public Future<Void> apply(Snapshot snapshot) {
        if (snapshot.state().upstreams().containsKey("bad")) {
            return Future.failedFuture(new SnapshotRefused("/upstreams/bad", "bad (expected: good)"));
        }
        Promise<Void> until = held;
        Future<Void> when = until == null ? Future.succeededFuture() : until.future();
        return when.onSuccess(now -> current = snapshot);
    }

    /** From now on snapshots take effect only once {@code until} completes. */
    void hold(@Nullable Promise<Void> until) {
        held = until;
    }

    @Override
    public Snapshot current() {
        return current;
    }
}
