package io.sigma.dataplane.filter;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A token bucket for each key, kept as one number: when the bucket will be full again (the generic cell rate algorithm, ITU-T
 * I.371). Buckets live in two generations of bounded size. When the younger is full the older, in which nothing was looked for
 * since, is dropped: a request never waits for a clean-up. Thread-safe, without locks.
 */
final class TokenBuckets {

    /**
     * What became of a request.
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

    private record Generations(
            ConcurrentHashMap<Object, AtomicLong> young, ConcurrentHashMap<Object, AtomicLong> old) {}

    private final LongSupplier nanoTime;
    private final long startNanos;
    private final long tokenNanos;
    private final long bucketNanos;
    private final int generationMax;
    private final AtomicReference<Generations> generations;

    /**
     * @param tokenNanos until there is one token more
     * @param tokensMax what a bucket holds
     * @param keysMax buckets that are kept
     */
    TokenBuckets(LongSupplier nanoTime, long tokenNanos, long tokensMax, int keysMax) {
        this.nanoTime = nanoTime;
        this.startNanos = nanoTime.getAsLong();
        this.tokenNanos = tokenNanos;
        this.bucketNanos = tokenNanos * tokensMax;
        this.generationMax = Math.max(1, keysMax / 2);
        this.generations = new AtomicReference<>(new Generations(new ConcurrentHashMap<>(), new ConcurrentHashMap<>()));
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
        Generations both = generations.get();
        AtomicLong known = both.young().get(key);
        if (known != null) {
            return known;
        }
        if (both.young().mappingCount() >= generationMax) {
            Generations next = new Generations(new ConcurrentHashMap<>(), both.young());
            both = generations.compareAndSet(both, next) ? next : generations.get();
        }
        @Nullable AtomicLong older = both.old().get(key);
        AtomicLong mine = older != null ? older : new AtomicLong();
        AtomicLong other = both.young().putIfAbsent(key, mine);
        return other != null ? other : mine;
    }

    /** Returns the number of buckets that are kept. */
    long size() {
        Generations both = generations.get();
        return both.young().mappingCount() + both.old().mappingCount();
    }
}
