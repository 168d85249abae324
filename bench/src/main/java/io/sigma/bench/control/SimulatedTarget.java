package io.sigma.bench.control;

import io.sigma.dataplane.snapshot.SnapshotTarget;
import io.sigma.snapshot.Snapshot;
import io.vertx.core.Future;

/** Where the snapshots of a gateway end that carries no traffic: it serves whatever it is told at once. Thread-safe. */
final class SimulatedTarget implements SnapshotTarget {

    private volatile Snapshot current;

    /** @param first what it has already, so that many of them in one process share it */
    SimulatedTarget(Snapshot first) {
        current = first;
    }

    @Override
    public Future<Void> apply(Snapshot snapshot) {
        current = snapshot;
        return Future.succeededFuture();
    }

    @Override
    public Snapshot current() {
        return current;
    }
}
