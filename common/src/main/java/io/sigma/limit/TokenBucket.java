package io.sigma.limit;

/**
 * A token bucket: it begins full, and refills evenly. Its clock may have any unit and any zero; a clock that goes back
 * refills nothing. Confined to one thread at a time.
 */
public final class TokenBucket {

    private final double tokensMax;
    private final double refillTicks;

    private double tokens;
    private long at;

    /**
     * @param tokensMax how many tokens fit
     * @param refillTicks how long an empty bucket takes to be full, in the unit of the clock
     * @param now by the clock
     */
    public TokenBucket(double tokensMax, double refillTicks, long now) {
        this.tokensMax = tokensMax;
        this.refillTicks = refillTicks;
        this.tokens = tokensMax;
        this.at = now;
    }

    /** Returns how many tokens there are. */
    public double tokens(long now) {
        return Math.min(tokensMax, tokens + Math.max(0, now - at) * tokensMax / refillTicks);
    }

    public boolean isFull(long now) {
        return tokens(now) >= tokensMax;
    }

    /** Takes {@code count} tokens, at most as many as {@link #tokens} returns. */
    public void take(double count, long now) {
        tokens = tokens(now) - count;
        at = now;
    }
}
