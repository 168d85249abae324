package io.sigma.dataplane.engine.body;

import io.sigma.dataplane.loop.Deadlines;

/**
 * Watches that a body comes at its least rate, while the gateway waits for the client. {@code BodyFlow} starts and
 * stops it. Confined to the event loop of the client's connection.
 */
public final class BodyRate extends Deadlines.Entry {

    private final Deadlines deadlines;
    private final long periodMillis;
    private final long bytesMin;
    private final Runnable onSlow;
    private long bytes;
    private boolean running;

    /**
     * @param bytesMin that each period brings at least
     * @param onSlow called once when one did not
     */
    public BodyRate(Deadlines deadlines, long periodMillis, long bytesMin, Runnable onSlow) {
        this.deadlines = deadlines;
        this.periodMillis = periodMillis;
        this.bytesMin = bytesMin;
        this.onSlow = onSlow;
    }

    /** Begins a period, unless one has begun. */
    void start() {
        if (!running) {
            running = true;
            bytes = 0;
            deadlines.set(this, periodMillis);
        }
    }

    /** Ends the period: the client cannot or need not send. */
    void stop() {
        running = false;
        deadlines.remove(this);
    }

    void received(int length) {
        start();
        bytes += length;
    }

    @Override
    protected void onDeadline() {
        if (!running) {
            return;
        }
        if (bytes < bytesMin) {
            stop();
            onSlow.run();
        } else {
            bytes = 0;
            deadlines.set(this, periodMillis);
        }
    }
}
