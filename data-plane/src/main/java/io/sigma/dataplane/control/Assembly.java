package io.sigma.dataplane.control;

import io.sigma.dataplane.loop.Scheduling;
import io.sigma.snapshot.Snapshot;
import io.sigma.snapshot.SnapshotBody;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/** Makes snapshots of what control planes send. */
final class Assembly {

    private Assembly() {}

    /**
     * Returns the snapshot to which {@code compressed} leads, made beside the traffic.
     *
     * @param from where the changes begin; {@link Snapshot#NONE} when they are everything
     * @param stateHash that it has to have; else the future fails with {@link HashMismatch}
     */
    static Future<Snapshot> of(Vertx vertx, Snapshot from, byte[] compressed, long revision, String stateHash) {
        return vertx.executeBlocking(
                Scheduling.background(() -> {
                    SnapshotBody body = SnapshotBody.decompress(compressed);
                    Snapshot snapshot = from.advance(body.revision(), body.changes());
                    if (!snapshot.hash().hex().equals(stateHash)) {
                        throw new HashMismatch(revision, snapshot.hash().hex(), stateHash);
                    }
                    return snapshot;
                }),
                false);
    }
}
