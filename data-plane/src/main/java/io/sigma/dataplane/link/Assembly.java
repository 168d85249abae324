package io.sigma.dataplane.link;

import io.sigma.dataplane.snapshot.SnapshotRefused;
import io.sigma.dataplane.snapshot.SnapshotTarget;
import io.sigma.snapshot.Snapshot;
import io.sigma.snapshot.SnapshotBody;
import io.vertx.core.Future;

/** Makes snapshots of what control planes send. */
final class Assembly {

    /** A snapshot with fewer compressed bytes is read within a few milliseconds. */
    private static final int LITTLE_BYTES_MAX = 64 * 1024;

    private Assembly() {}

    /**
     * Returns the snapshot to which {@code compressed} leads, made where {@code target} assembles.
     *
     * @param from where the changes begin; {@link Snapshot#NONE} when they are everything
     * @param stateHash that it has to have; else the future fails with {@link HashMismatch}
     * @return fails with {@link SnapshotRefused} when {@code compressed} cannot be read, as when it has what this
     *     version does not know: nothing is gained by asking for it again
     */
    static Future<Snapshot> of(
            SnapshotTarget target, Snapshot from, byte[] compressed, long revision, String stateHash) {
        return target.assemble(compressed.length > LITTLE_BYTES_MAX, () -> {
            Snapshot snapshot;
            try {
                SnapshotBody body = SnapshotBody.decompress(compressed);
                snapshot = from.advance(body.revision(), body.changes());
            } catch (RuntimeException | StackOverflowError e) {
                throw new SnapshotRefused("", "revision " + revision + " cannot be read: " + e);
            }
            if (!snapshot.hash().hex().equals(stateHash)) {
                throw new HashMismatch(revision, snapshot.hash().hex(), stateHash);
            }
            return snapshot;
        });
    }
}
