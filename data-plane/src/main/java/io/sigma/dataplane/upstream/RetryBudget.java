package io.sigma.dataplane.upstream;

/**
 * Keeps retries from multiplying the load of an upstream that fails: a token bucket as in Finagle. Each request pays in
 * a share of a retry, time pays in a few a second so that seldom used upstreams retry too, and a retry takes one out.
 * Every event loop has a bucket of its own and an equal part of the bounds, so nothing is contended.
 */
public final class RetryBudget {

    /** A burst is what so many seconds pay in. */
    private static final int BURST_SECONDS = 10;

    private static final double NANOS = 1e9;

    private final double perRequest;
    private final double perNano;
    private final double tokensMax;
    private final int inFlightMax;
    private final Bucket[] buckets;

    /** Confined to its event loop, but for {@code inFlight}, which the metrics read. */
    private static final class Bucket {
        private double tokens;
        private long paidAt;
        private int inFlight;
    }

    /**
     * @param percent of the requests that may be retries, at most
     * @param perSecondMin retries a second that are allowed however few requests there are, over all loops
     * @param inFlightMax retries in progress, over all loops; each loop has at least one
     */
    public RetryBudget(int percent, int perSecondMin, int inFlightMax, int loops) {
        this(percent, perSecondMin, inFlightMax, loops, System.nanoTime());
    }

    RetryBudget(int percent, int perSecondMin, int inFlightMax, int loops, long now) {
        this.perRequest = percent / 100.0;
        this.perNano = perSecondMin / NANOS / loops;
        // Not less than one retry, or a loop could never afford any.
        double burst = perNano * NANOS * BURST_SECONDS;
        this.tokensMax = Math.max(1, burst + (percent == 0 ? 0 : BURST_SECONDS));
        this.inFlightMax = Math.max(1, inFlightMax / loops);
        this.buckets = new Bucket[loops];
        for (int i = 0; i < loops; i++) {
            buckets[i] = new Bucket();
            buckets[i].paidAt = now;
            buckets[i].tokens = perSecondMin == 0 ? 0 : Math.max(1, perNano * NANOS);
        }
    }

    /** Pays in for a request that is not a retry; on its loop. */
    void requested(int loop) {
        Bucket bucket = buckets[loop];
        bucket.tokens = Math.min(tokensMax, bucket.tokens + perRequest);
    }

    /**
     * Takes a retry out of the budget, on {@code loop}; {@link #retryEnded} follows exactly once when this returned
     * true.
     *
     * @return false when there is none left, and the failure is to be the answer
     */
    public boolean tryRetry(int loop) {
        return tryRetry(loop, System.nanoTime());
    }

    boolean tryRetry(int loop, long now) {
        Bucket bucket = buckets[loop];
        bucket.tokens = Math.min(tokensMax, bucket.tokens + (now - bucket.paidAt) * perNano);
        bucket.paidAt = now;
        if (bucket.tokens < 1 || bucket.inFlight >= inFlightMax) {
            return false;
        }
        bucket.tokens--;
        bucket.inFlight++;
        return true;
    }

    /** Notes, on {@code loop}, that a retry is over, whatever came of it. */
    public void retryEnded(int loop) {
        buckets[loop].inFlight--;
    }
}
