package io.sigma.dataplane;

import io.sigma.dataplane.snapshot.SnapshotApplier;
import io.sigma.dataplane.snapshot.SnapshotTarget;
import io.sigma.dataplane.snapshot.store.SnapshotSaver;
import io.sigma.snapshot.Snapshot;
import io.vertx.core.Future;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Where snapshots are delivered, from a control plane or a file. Thread-safe.
 *
 * @param saver keeps what is served on disk; null when snapshots come from a file, which is there already
 * @param refused counts snapshots that were not applied
 */
record GatewayTarget(SnapshotApplier applier, @Nullable SnapshotSaver saver, LongAdder refused)
        implements SnapshotTarget {

    @Override
    public Future<Void> apply(Snapshot snapshot) {
        // A file whose listeners cannot all be opened is refused: whoever starts the gateway with it reads the
        // error.
        Future<Void> applied = saver == null ? applier.apply(snapshot) : applier.applyAtLeastInPart(snapshot);
        return applied.onFailure(ignored -> refused.increment()).onComplete(ignored -> {
            if (saver != null && applier.serves(snapshot)) {
                saver.save(snapshot);
            }
        });
    }

    @Override
    public Future<Snapshot> assemble(boolean large, Callable<Snapshot> work) {
        return applier.assemble(large, work);
    }

    @Override
    public Future<Void> prepare(Snapshot candidate) {
        return applier.prepare(candidate);
    }

    @Override
    public void discard() {
        applier.discard();
    }

    @Override
    public Snapshot current() {
        return applier.current();
    }
}
