package io.sigma.dataplane.telemetry;

import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Connections and durations of one proxy server. Thread-safe. */
public final class ServerMeters {

    private final Timer durations;
    private final LongAdder connections;
    private final LongAdder active;

    ServerMeters(Timer durations, LongAdder connections, LongAdder active) {
        this.durations = durations;
        this.connections = connections;
        this.active = active;
    }

    public void connected() {
        connections.increment();
    }

    public void disconnected() {
        connections.decrement();
    }

    public void begun() {
        active.increment();
    }

    /** Notes the end of an exchange that took {@code nanos}. */
    public void ended(long nanos) {
        active.decrement();
        durations.record(nanos, TimeUnit.NANOSECONDS);
    }
}
