package io.sigma.dataplane.engine.relay;

import io.sigma.dataplane.loop.Deadlines;
import io.sigma.model.ServerLimits;

/**
 * Watches that a client reads a response at its least rate while it is the client that is waited for. Confined to the
 * event loop of the client's connection.
 */
final class ReadRate extends Deadlines.Entry {

    private final ClientStream client;
    private final long periodMillis;
    private final long bytesMin;
    private long takenBefore;
    private boolean running;

    ReadRate(ClientStream client, ServerLimits limits) {
        this.client = client;
        this.periodMillis = limits.idleTimeoutMillis();
        this.bytesMin = Math.max(1, (long) limits.responseBytesPerSecondMin() * periodMillis / 1000);
    }

    /** Begins a period, unless one has begun. */
    void start() {
        if (!running) {
            running = true;
            takenBefore = client.taken();
            client.loop().connectionDeadlines().set(this, periodMillis);
        }
    }

    void stop() {
        running = false;
        client.loop().connectionDeadlines().remove(this);
    }

    @Override
    protected void onDeadline() {
        long taken = client.taken();
        if (!running || !client.isWaitedFor()) {
            // It begins again when there is something to wait for.
            stop();
        } else if (taken - takenBefore < bytesMin) {
            stop();
            client.readsTooSlowly();
        } else {
            takenBefore = taken;
            client.loop().connectionDeadlines().set(this, periodMillis);
        }
    }

    @Override
    protected void onDeadlineFailed() {
        client.readsTooSlowly();
    }
}
