package io.sigma.dataplane.engine.http2;

import java.util.function.LongSupplier;

/**
 * Limits the frames of a peer that carry no data: a token bucket, filled by time and by the frames sent to the peer.
 * The readers of frames of clients and of nodes take from it. Confined to the event loop.
 */
public final class FrameCredit {

    /** Of a frame that makes the gateway answer or give up something. */
    public static final int COSTLY = 10;
    /** Of a frame that is looked at and changes nothing that was asked for. */
    public static final int IDLE = 1;

    /** The largest credit, which may be spent at once. */
    private static final int CREDIT_MAX = 4_000;

    private static final int CREDIT_PER_SECOND = 400;

    private final LongSupplier sent;
    private long credit = CREDIT_MAX;
    private long creditNanos = System.nanoTime();
    private long earned;

    /**
     * @param sent returns how many frames that carry nothing the peer may send for all that was ever sent to it
     */
    public FrameCredit(LongSupplier sent) {
        this.sent = sent;
    }

    /** Spends {@code cost}; returns whether there was as much. */
    public boolean spend(int cost) {
        credit -= cost;
        if (credit < 0) {
            fill();
        }
        return credit >= 0;
    }

    /** Adds what time and what was sent to the peer have earned, when it is needed. */
    private void fill() {
        long now = System.nanoTime();
        long millis = (now - creditNanos) / 1_000_000;
        creditNanos += millis * 1_000_000;
        long all = sent.getAsLong();
        credit = Math.min(CREDIT_MAX, credit + millis * CREDIT_PER_SECOND / 1_000 + all - earned);
        earned = all;
    }
}
