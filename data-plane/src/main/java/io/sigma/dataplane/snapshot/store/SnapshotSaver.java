package io.sigma.dataplane.snapshot.store;

import io.sigma.dataplane.loop.Scheduling;
import io.sigma.snapshot.Snapshot;
import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Saves snapshots on a thread of its own. The first after a pause is saved at once; those that come faster wait for
 * {@link #PAUSE_NANOS} together, and only the newest of them is saved.
 */
public final class SnapshotSaver implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SnapshotSaver.class);
    private static final long CLOSE_SECONDS = 10;

    /**
     * From one that was saved to the next, at least. A gateway that is killed meanwhile starts with one that is as much
     * older.
     */
    static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** From a failed try to the next one, of the same revision or a newer one. */
    static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final SnapshotStore store;
    private final AtomicReference<@Nullable Snapshot> pending = new AtomicReference<>();
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(Scheduling.littleThreads("sigma-snapshot-store"));

    /** Written on the thread. */
    private volatile boolean failing;

    private volatile long savedNanos = System.nanoTime() - PAUSE_NANOS;

    public SnapshotSaver(SnapshotStore store) {
        this.store = store;
    }

    /** Returns 1 while a restart would serve an older revision, because the last try failed; else 0. Thread-safe. */
    public int unsaved() {
        return failing ? 1 : 0;
    }

    /** Saves {@code snapshot} soon. Thread-safe. */
    public void save(Snapshot snapshot) {
        if (pending.getAndSet(snapshot) == null) {
            long due = savedNanos + PAUSE_NANOS - System.nanoTime();
            thread.schedule(this::run, Math.max(0, due), TimeUnit.NANOSECONDS);
        }
    }

    /** Tries it again in a while, unless a newer one is to be saved anyway. */
    private void again(Snapshot snapshot) {
        if (pending.compareAndSet(null, snapshot)) {
            try {
                thread.schedule(this::run, RETRY_NANOS, TimeUnit.NANOSECONDS);
            } catch (RejectedExecutionException e) {
                LOG.debug("Closed meanwhile");
            }
        }
    }

    private void run() {
        Snapshot newest = pending.getAndSet(null);
        if (newest == null) {
            return;
        }
        // Snapshots that arrive meanwhile wait too.
        savedNanos = System.nanoTime();
        try {
            store.save(newest);
            LOG.info("Revision {} is served, and on disk", newest.revision());
            failing = false;
        } catch (IOException | RuntimeException | Error e) {
            LOG.atLevel(failing ? Level.DEBUG : Level.ERROR)
                    .log(
                            "Revision {} could not be written to disk and is tried again; after a restart the gateway would"
                                    + " serve an older revision: {}",
                            newest.revision(),
                            e.getMessage());
            failing = true;
            again(newest);
        }
        savedNanos = System.nanoTime();
    }

    /** Waits, for a bounded time, until what was handed in is saved. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("The last snapshot is not on disk yet");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
