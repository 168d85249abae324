package io.sigma.dataplane.snapshot;

import io.sigma.dataplane.loop.Scheduling;
import io.sigma.snapshot.Snapshot;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Compiles snapshots that nothing shall be served by, one at a time, and lets go of them. What runs is not touched:
 * upstreams are compiled again, and their counts are thrown away. Thread-safe.
 */
public final class SnapshotTrials implements AutoCloseable {

    /** Trials that wait; a further one fails. */
    private static final int WAITING_MAX = 8;

    private static final int IDLE_SECONDS = 10;

    private final SnapshotCompiler compiler;
    private final ActiveSnapshot active;
    private final ThreadPoolExecutor thread = new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING_MAX),
            Scheduling.backgroundThreads("sigma-snapshot-trial"));

    /**
     * @param compiler whose metrics nobody reads
     */
    SnapshotTrials(SnapshotCompiler compiler, ActiveSnapshot active) {
        this.compiler = compiler;
        this.active = active;
        thread.allowCoreThreadTimeOut(true);
    }

    /**
     * Shows {@code snapshot}, compiled, to {@code look}, on a thread of its own.
     *
     * @return what that returns; fails with {@link SnapshotRefused} when it cannot be compiled, with what {@code look}
     *     throws, or with {@link RejectedExecutionException} when too many wait
     */
    public <T> Future<T> run(Snapshot snapshot, Function<RuntimeSnapshot, T> look) {
        Promise<T> promise = Promise.promise();
        try {
            thread.execute(() -> {
                try {
                    promise.complete(compiled(snapshot, look));
                } catch (Throwable e) {
                    // Not RuntimeException alone: somebody waits for it.
                    promise.fail(e);
                }
            });
        } catch (RejectedExecutionException e) {
            promise.fail(e);
        }
        return promise.future();
    }

    private <T> T compiled(Snapshot snapshot, Function<RuntimeSnapshot, T> look) {
        RuntimeSnapshot before = active.current().withoutUpstreams();
        compiler.checkPaths(snapshot, before);
        RuntimeSnapshot compiled = compiler.compile(snapshot, before, false);
        try {
            return look.apply(compiled);
        } finally {
            compiled.parts().filters().closeExcept(before.parts().filters());
        }
    }

    @Override
    public void close() {
        thread.shutdown();
    }
}
