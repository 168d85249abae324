package io.sigma.dataplane.filter.limit;

import io.sigma.dataplane.filter.RecentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.ObjLongConsumer;

/**
 * A token bucket for each key, kept as one number: when the bucket will be full again (the generic cell rate algorithm,
 * ITU-T I.371). Thread-safe, without locks.
 */
final class TokenBuckets {

    /**
     * The decision about a request.
     *
     * @param remaining tokens that are left
     * @param fullNanos until the bucket is full
     * @param waitNanos until there is a token, 0 when there was one
     */
    record Decision(long remaining, long fullNanos, long waitNanos) {

        boolean granted() {
            return waitNanos == 0;
        }
    }

    private final LongSupplier nanoTime;
    private final long startNanos;
    private final long tokenNanos;
    private final long bucketNanos;
    private final RecentMap<AtomicLong> buckets;

    /**
     * @param tokenNanos until there is one token more
     * @param tokensMax the capacity of a bucket
     * @param keysMax buckets that are kept
     */
    TokenBuckets(LongSupplier nanoTime, long tokenNanos, long tokensMax, int keysMax) {
        this.nanoTime = nanoTime;
        this.startNanos = nanoTime.getAsLong();
        this.tokenNanos = tokenNanos;
        this.bucketNanos = tokenNanos * tokensMax;
        this.buckets = new RecentMap<>(keysMax);
    }

    /** Takes a token from the bucket of {@code key}, if it has one. */
    Decision take(Object key) {
        AtomicLong bucket = bucket(key);
        while (true) {
            long now = nanoTime.getAsLong() - startNanos;
            long fullAt = bucket.get();
            long next = Math.max(fullAt, now) + tokenNanos;
            long over = next - now - bucketNanos;
            if (over > 0) {
                return new Decision(0, fullAt - now, over);
            }
            if (bucket.compareAndSet(fullAt, next)) {
                return new Decision(-over / tokenNanos, next - now, 0);
            }
        }
    }

    private AtomicLong bucket(Object key) {
        AtomicLong known = buckets.get(key);
        return known != null ? known : buckets.putIfAbsent(key, new AtomicLong());
    }

    /** Calls {@code action} with each key and how long it takes until its bucket is full, in nanoseconds. */
    void forEach(ObjLongConsumer<Object> action) {
        long now = nanoTime.getAsLong() - startNanos;
        buckets.forEach((key, bucket) -> action.accept(key, bucket.get() - now));
    }

    /** Takes so many tokens from a bucket that it takes {@code fullNanos} until it is full; never gives any back. */
    void empty(Object key, long fullNanos) {
        long fullAt = nanoTime.getAsLong() - startNanos + Math.clamp(fullNanos, 0, bucketNanos);
        bucket(key).accumulateAndGet(fullAt, Math::max);
    }

    /** Returns the number of buckets that are kept. */
    long size() {
        return buckets.size();
    }
}
