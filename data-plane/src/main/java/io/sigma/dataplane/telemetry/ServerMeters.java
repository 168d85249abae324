package io.sigma.dataplane.telemetry;

import java.util.concurrent.atomic.LongAdder;

/** Connections and durations of one proxy server. */
public final class ServerMeters {

    private final LongAdder connections;
    private final LoopCounter active;
    private final LoopDurations[] durations;

    ServerMeters(LongAdder connections, LoopCounter active, LoopDurations[] durations) {
        this.connections = connections;
        this.active = active;
        this.durations = durations;
    }

    /** From any thread. */
    public void connected() {
        connections.increment();
    }

    /** From any thread. */
    public void disconnected() {
        connections.decrement();
    }

    /** Notes that an exchange began on the event loop {@code loop}; to be called on that. */
    public void begun(int loop) {
        active.add(loop, 1);
    }

    /**
     * Notes that an exchange of the event loop {@code loop} is over; to be called on that.
     *
     * @param nanos the duration of the exchange
     * @param now by {@link System#nanoTime()}
     */
    public void ended(int loop, long nanos, long now) {
        active.add(loop, -1);
        durations[loop].add(Math.max(0, nanos), now);
    }
}
