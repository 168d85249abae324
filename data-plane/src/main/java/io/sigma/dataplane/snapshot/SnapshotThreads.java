package io.sigma.dataplane.snapshot;

import io.sigma.dataplane.loop.Scheduling;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads that take snapshots: one for all of them, and one beside it for what takes long. Thread-safe. */
final class SnapshotThreads implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SnapshotThreads.class);

    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(Scheduling.backgroundThreads("sigma-snapshot"));

    /** For what takes long by itself; {@link #thread} waits for it, or is not asked yet. */
    private final ExecutorService large =
            Executors.newSingleThreadExecutor(Scheduling.backgroundThreads("sigma-snapshot-large"));

    /** Returns the one for what takes long. */
    ExecutorService large() {
        return large;
    }

    /**
     * Runs {@code task}, after those before it.
     *
     * @return whether it will run; false when the gateway is closing
     */
    boolean run(Runnable task) {
        return run(thread, task);
    }

    /** As {@link #run}, beside what the other thread does. */
    boolean runLarge(Runnable task) {
        return run(large, task);
    }

    private static boolean run(ExecutorService executor, Runnable task) {
        try {
            executor.execute(task);
            return true;
        } catch (RejectedExecutionException e) {
            LOG.debug("The gateway is closing");
            return false;
        }
    }

    /** To be called when the first snapshots are served: from now on little things give way at once. */
    void settle() {
        // Started now if it was not: a thread inherits the weight of the one that starts it, and cannot gain any.
        large.execute(() -> LOG.debug("Small changes run with lower priority from now on"));
        thread.execute(Scheduling::forLittle);
    }

    @Override
    public void close() {
        // After all that was asked for.
        run(large::shutdown);
        thread.shutdown();
    }
}
