package io.sigma.dataplane.upstream.pool;

import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts clients that are reset because the process has no descriptor for their connection. Thread-safe. */
public final class RefusedWithoutDescriptor {

    private static final Logger LOG = LoggerFactory.getLogger(RefusedWithoutDescriptor.class);
    private static final long SAY_NANOS = 60_000_000_000L;

    private final AtomicLong saidNanos = new AtomicLong(System.nanoTime() - SAY_NANOS);
    private final AtomicLong total = new AtomicLong();

    /** Notes that a client was reset. */
    public void add() {
        total.incrementAndGet();
        long now = System.nanoTime();
        long last = saidNanos.get();
        if (now - last >= SAY_NANOS && saidNanos.compareAndSet(last, now)) {
            LOG.warn(
                    "Connections of clients are reset: the process has no file descriptor left. Raise its limit of open files.");
        }
    }

    /** Returns how many clients were reset. */
    public long total() {
        return total.get();
    }
}
