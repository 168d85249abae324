package io.sigma.dataplane.engine.relay;

import io.sigma.dataplane.loop.Deadlines;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Decides when a client is one that reads slowly: it has kept the node waiting for a while, and took little meanwhile.
 * Until then the rest of the response waits in the socket of the node, where it costs nothing. Confined to the event
 * loop of the client's connection.
 */
final class Patience extends Deadlines.Entry {

    /** The time for which a client may keep the node waiting, all waits of a response together. */
    private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    /** A client that takes so many bytes in that time gets it again. */
    private static final long BYTES_MIN = 1024 * 1024;

    /** The client that is waited for. */
    interface Reader {

        /** Returns how much of the response the client has taken, in bytes. */
        long taken();

        /** The client reads slowly: it is not waited for any more. */
        void onSlow();
    }

    private final Reader reader;
    private final Deadlines deadlines;
    private final LongSupplier clock;
    private long waitedNanos;
    private long sinceNanos;
    private long takenBefore;
    private boolean waiting;
    private boolean over;

    /**
     * @param clock in nanoseconds, as {@link System#nanoTime()}
     */
    Patience(Reader reader, Deadlines deadlines, LongSupplier clock) {
        this.reader = reader;
        this.deadlines = deadlines;
        this.clock = clock;
    }

    /** Returns whether the node may be kept waiting, which begins now; {@link Reader#onSlow} may follow. */
    boolean grants() {
        if (!over && !waiting) {
            begin();
        }
        return !over;
    }

    private void begin() {
        waiting = true;
        sinceNanos = clock.getAsLong();
        if (waitedNanos == 0) {
            takenBefore = reader.taken();
        }
        long leftMillis = TimeUnit.NANOSECONDS.toMillis(WAIT_NANOS - waitedNanos);
        deadlines.set(this, Math.max(1, leftMillis));
    }

    /** The node need not wait any more. */
    void pause() {
        if (waiting) {
            waiting = false;
            waitedNanos += clock.getAsLong() - sinceNanos;
            deadlines.pause(this);
            judge();
        }
    }

    private void judge() {
        if (waitedNanos >= WAIT_NANOS) {
            over = reader.taken() - takenBefore < BYTES_MIN;
            waitedNanos = 0;
        }
    }

    @Override
    protected void onDeadline() {
        if (!waiting) {
            return;
        }
        pause();
        if (over) {
            reader.onSlow();
        } else {
            begin();
        }
    }

    /** The response has ended: nothing of it counts for the next one. */
    void stop() {
        deadlines.remove(this);
        waitedNanos = 0;
        waiting = false;
        over = false;
    }
}
