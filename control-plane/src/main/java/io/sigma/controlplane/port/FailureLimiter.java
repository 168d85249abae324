package io.sigma.controlplane.port;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Counts failed tries by key, such as an address, in token buckets. The table is bounded. When it is full a new key
 * takes the place of the one that failed least among some that are drawn by lot: so whoever comes with many keys makes
 * its own be forgotten, not those that have failed often, and blocks none. Confined to one thread at a time.
 */
public final class FailureLimiter {

    static final int KEYS_MAX = 10_000;
    private static final int DRAWN = 16;
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static final class Bucket {

        private final String key;
        private double tokens;
        private long nanos;

        Bucket(String key, double tokens, long nanos) {
            this.key = key;
            this.tokens = tokens;
            this.nanos = nanos;
        }
    }

    private final int tries;
    private final Duration period;
    private final LongSupplier nanoTime;
    private final RandomGenerator random = RandomGenerator.getDefault();
    private final Map<String, Integer> places = new HashMap<>();
    private final List<Bucket> buckets = new ArrayList<>();

    /** @param nanoTime a monotonic clock in nanoseconds */
    public FailureLimiter(int triesPerMinute, LongSupplier nanoTime) {
        this(triesPerMinute, MINUTE, nanoTime);
    }

    /**
     * @param tries in a {@code period}
     * @param nanoTime a monotonic clock in nanoseconds
     */
    public FailureLimiter(int tries, Duration period, LongSupplier nanoTime) {
        this.tries = tries;
        this.period = period;
        this.nanoTime = nanoTime;
    }

    /** Returns after how many seconds {@code key} may try again; 0 for at once. */
    public long waitSeconds(String key) {
        double tokens = tokens(key);
        return tokens >= 1 ? 0 : (long) Math.ceil((1 - tokens) * period.toSeconds() / tries);
    }

    /** Returns how many failures of {@code key} count now. */
    public int failures(String key) {
        return (int) Math.ceil(tries - tokens(key));
    }

    /** Notes a failed try. */
    public void failed(String key) {
        set(key, Math.max(0, tokens(key) - 1));
    }

    /** Takes back that a try failed: it was counted before it was made, and did not. */
    public void forgiven(String key) {
        set(key, Math.min(tries, tokens(key) + 1));
    }

    private double tokens(String key) {
        Integer place = places.get(key);
        return place == null ? tries : tokens(buckets.get(place));
    }

    private double tokens(Bucket bucket) {
        double refilled = (double) (nanoTime.getAsLong() - bucket.nanos) * tries / period.toNanos();
        return Math.min(tries, bucket.tokens + refilled);
    }

    private void set(String key, double tokens) {
        Integer place = places.get(key);
        if (place != null) {
            Bucket bucket = buckets.get(place);
            bucket.tokens = tokens;
            bucket.nanos = nanoTime.getAsLong();
        } else if (tokens < tries) {
            add(new Bucket(key, tokens, nanoTime.getAsLong()));
        }
    }

    private void add(Bucket bucket) {
        if (buckets.size() < KEYS_MAX) {
            places.put(bucket.key, buckets.size());
            buckets.add(bucket);
            return;
        }
        int least = random.nextInt(KEYS_MAX);
        for (int i = 1; i < DRAWN; i++) {
            int drawn = random.nextInt(KEYS_MAX);
            if (tokens(buckets.get(drawn)) > tokens(buckets.get(least))) {
                least = drawn;
            }
        }
        places.remove(buckets.get(least).key);
        places.put(bucket.key, least);
        buckets.set(least, bucket);
    }
}
