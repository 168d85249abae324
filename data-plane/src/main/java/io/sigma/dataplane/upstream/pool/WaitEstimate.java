package io.sigma.dataplane.upstream.pool;

/**
 * Estimates the wait of a request in a queue: by Little's law, the number of requests before it times the recent time
 * of one. There is no estimate until some waiting requests were served. Confined to the event loop of the pool.
 */
public final class WaitEstimate {

    /** Figures of at least this time, and of so many requests, count. */
    private static final long WINDOW_NANOS = 250_000_000L;

    private static final int SERVED_MIN = 8;
    /** Figures are dropped when nothing waited for this time. */
    private static final long FORGET_NANOS = 1_000_000_000L;

    /**
     * When the first of {@link #served} was served: a node that begins to answer is not judged by its silence before.
     */
    private long firstNanos;

    private int served;
    private long lastNanos;
    /** For each request; 0 while nothing is known. */
    private double eachNanos;

    /** The first request begins to wait. */
    public void begin(long now) {
        if (now - lastNanos > FORGET_NANOS) {
            eachNanos = 0;
        }
        lastNanos = now;
        served = 0;
    }

    /** Notes that a waiting request got a connection. */
    public void served(long now) {
        if (served++ == 0) {
            firstNanos = now;
        }
        lastNanos = now;
    }

    /**
     * Returns how long one with {@code ahead} others before it would wait, in nanoseconds; 0 while nothing is known,
     * and {@link Long#MAX_VALUE} when nobody was served for {@code stallNanos}. Others must be waiting.
     */
    public long nanos(int ahead, long now, long stallNanos) {
        if (now - lastNanos >= stallNanos) {
            return Long.MAX_VALUE;
        }
        long elapsed = now - firstNanos;
        if (served >= SERVED_MIN && elapsed >= WINDOW_NANOS) {
            double seen = (double) elapsed / served;
            eachNanos = eachNanos == 0 ? seen : (eachNanos + seen) / 2;
            served = 0;
        }
        return (long) (eachNanos * ahead);
    }
}
