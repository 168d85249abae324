package io.sigma.controlplane.api;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Counts failed tries by address, or by user, in token buckets. The table is bounded: when it is full, what was seen longest
 * ago is forgotten. Confined to the server's verticle.
 */
final class FailureLimiter {

    private static final int ADDRESSES_MAX = 10_000;
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private record Bucket(double tokens, long nanos) {}

    private final int tries;
    private final Duration period;
    private final LongSupplier nanoTime;
    private final Map<String, Bucket> buckets = new LinkedHashMap<>(16, 0.75f, true);

    /** @param nanoTime a monotonic clock in nanoseconds */
    FailureLimiter(int triesPerMinute, LongSupplier nanoTime) {
        this(triesPerMinute, MINUTE, nanoTime);
    }

    /**
     * @param tries in a {@code period}
     * @param nanoTime a monotonic clock in nanoseconds
     */
    FailureLimiter(int tries, Duration period, LongSupplier nanoTime) {
        this.tries = tries;
        this.period = period;
        this.nanoTime = nanoTime;
    }

    /** Returns after how many seconds {@code address} may try again; 0 for at once. */
    long waitSeconds(String address) {
        double tokens = tokens(address);
        return tokens >= 1 ? 0 : (long) Math.ceil((1 - tokens) * period.toSeconds() / tries);
    }

    /** Notes a failed try. */
    void failed(String address) {
        buckets.put(address, new Bucket(Math.max(0, tokens(address) - 1), nanoTime.getAsLong()));
        if (buckets.size() > ADDRESSES_MAX) {
            buckets.remove(buckets.keySet().iterator().next());
        }
    }

    /** Takes back that a try failed: it was counted before it was made, and did not. */
    void forgiven(String address) {
        buckets.put(address, new Bucket(Math.min(tries, tokens(address) + 1), nanoTime.getAsLong()));
    }

    private double tokens(String address) {
        Bucket bucket = buckets.get(address);
        if (bucket == null) {
            return tries;
        }
        double refilled = (double) (nanoTime.getAsLong() - bucket.nanos()) * tries / period.toNanos();
        return Math.min(tries, bucket.tokens() + refilled);
    }
}
