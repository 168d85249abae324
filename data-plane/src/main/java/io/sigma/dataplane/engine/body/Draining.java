package io.sigma.dataplane.engine.body;

/**
 * Judges at the end of an idle time whether a peer was idle, or has received some of what waits for it: then it has the
 * same time once more. What waits has to become less each time. Confined to the event loop.
 */
public final class Draining {

    /** The number of times that a peer gets one more idle time for what was written before. */
    private static final int TIMES_MAX = 20;

    private long left = Long.MAX_VALUE;
    private int times;

    /**
     * Begins: something was written.
     *
     * @param waits what waits for the peer now, in bytes; {@link Long#MAX_VALUE} if nobody has looked
     */
    public void begin(long waits) {
        left = waits;
        times = 0;
    }

    /**
     * Returns whether the peer was not idle, which it can be for {@value #TIMES_MAX} times. It was idle if nothing has
     * waited for it.
     *
     * @param waits what waits for it now, in bytes
     */
    public boolean goesOn(long waits) {
        return goesOn(waits, 1) && times++ < TIMES_MAX;
    }

    /**
     * As {@link #goesOn(long)}, with a least rate in the place of the bound.
     *
     * @param least what the peer has to have received meanwhile, in bytes
     */
    public boolean goesOn(long waits, long least) {
        boolean less = left == Long.MAX_VALUE ? waits > 0 : left - waits >= least;
        left = waits;
        return less;
    }

    /** Returns whether something may wait for the peer. */
    public boolean isUnderWay() {
        return left > 0;
    }
}
