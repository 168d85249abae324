package io.sigma.dataplane.engine.body;

import io.sigma.dataplane.loop.Deadlines;

/**
 * Watches that a body comes at its least rate, while the gateway waits for the client. Every body has it on average
 * over the period of the configuration. One that may not pause has it over each five seconds, too. {@code BodyFlow}
 * starts and stops it; {@code FrameRate} does so for a frame. Confined to the event loop of the client's connection.
 */
public final class BodyRate extends Deadlines.Entry {

    /** Over which a body has the rate that may not pause, in milliseconds. */
    private static final int STEP_MILLIS = 5_000;

    private static final int MILLIS_OF_SECOND = 1_000;

    /** Called when a body is too slow, or may pause. */
    public interface Watcher {

        /** Returns whether the client may send less than the rate for a while; asked again after each step. */
        boolean mayPause();

        /** The client sends at the rate again, or the body is watched no more. It may not have paused. */
        void onPauseEnd();

        /** The body is too slow; called once. */
        void onSlow();
    }

    private final Deadlines deadlines;
    private final int periodMillis;
    private final int bytesPerSecond;
    private final Watcher watcher;
    /** Of this period. */
    private long bytes;

    private int millis;
    /** Of this step. */
    private long bytesOfStep;

    private boolean running;

    /**
     * @param bytesPerSecond that come at least, more than 0
     */
    public BodyRate(Deadlines deadlines, int periodMillis, int bytesPerSecond, Watcher watcher) {
        this.deadlines = deadlines;
        this.periodMillis = periodMillis;
        this.bytesPerSecond = bytesPerSecond;
        this.watcher = watcher;
    }

    /** Begins a period, unless one has begun. */
    public void start() {
        if (!running) {
            running = true;
            begin();
        }
    }

    private void begin() {
        bytes = 0;
        millis = 0;
        step();
    }

    private void step() {
        bytesOfStep = 0;
        deadlines.set(this, stepMillis());
    }

    private int stepMillis() {
        return Math.min(STEP_MILLIS, periodMillis - millis);
    }

    /** Ends the period: the client cannot or need not send. */
    public void stop() {
        running = false;
        deadlines.remove(this);
        watcher.onPauseEnd();
    }

    /** Notes that so many bytes came, and begins a period, unless one has begun. */
    public void received(int length) {
        start();
        bytes += length;
        bytesOfStep += length;
    }

    @Override
    protected void onDeadline() {
        if (!running) {
            return;
        }
        int step = stepMillis();
        millis += step;
        boolean over = millis >= periodMillis;
        boolean atRate = isAtRate(bytesOfStep, step);
        if ((over && !isAtRate(bytes, periodMillis)) || (!atRate && !watcher.mayPause())) {
            stop();
            watcher.onSlow();
            return;
        }
        if (atRate) {
            watcher.onPauseEnd();
        }
        if (over) {
            begin();
        } else {
            step();
        }
    }

    private boolean isAtRate(long octets, int over) {
        return octets >= Math.max(1, (long) bytesPerSecond * over / MILLIS_OF_SECOND);
    }
}
