package io.sigma.dataplane.engine.relay;

import io.sigma.dataplane.engine.body.Draining;
import io.sigma.dataplane.loop.Deadlines;
import io.sigma.model.ServerLimits;

/**
 * Watches that a client reads a response at its least rate while it is the client that is waited for. Confined to the
 * event loop of the client's connection.
 */
final class ReadRate extends Deadlines.Entry {

    private final SlowReader reader;
    private final Deadlines deadlines;
    private final long periodMillis;
    private final long bytesMin;
    private long takenBefore;
    /** What the kernel held for the client, which has received it since. */
    private final Draining draining = new Draining();

    private boolean running;

    ReadRate(SlowReader reader, Deadlines deadlines, ServerLimits limits) {
        this.reader = reader;
        this.deadlines = deadlines;
        this.periodMillis = limits.idleTimeoutMillis();
        this.bytesMin = Math.max(1, (long) limits.responseBytesPerSecondMin() * periodMillis / 1000);
    }

    /** Begins a period, unless one has begun. */
    void start() {
        if (!running) {
            running = true;
            takenBefore = reader.taken();
            draining.begin(reader.undelivered());
            deadlines.set(this, periodMillis);
        }
    }

    void stop() {
        running = false;
        deadlines.remove(this);
    }

    @Override
    protected void onDeadline() {
        long taken = reader.taken();
        if (!running || !reader.isWaitedFor()) {
            // It begins again when there is something to wait for.
            stop();
        } else if (taken - takenBefore < bytesMin && !draining.goesOn(reader.undelivered(), bytesMin)) {
            stop();
            reader.tooSlow();
        } else {
            takenBefore = taken;
            draining.begin(reader.undelivered());
            deadlines.set(this, periodMillis);
        }
    }

    @Override
    protected void onDeadlineFailed() {
        reader.tooSlow();
    }
}
