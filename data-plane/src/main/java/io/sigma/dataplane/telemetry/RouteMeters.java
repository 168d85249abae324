package io.sigma.dataplane.telemetry;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;

/** Requests of one route, or of those of a proxy server that met none, by status class. Thread-safe. */
public final class RouteMeters {

    private static final int CLASSES = 6;

    private final IntFunction<LongAdder> register;
    private final AtomicReferenceArray<LongAdder> byClass = new AtomicReferenceArray<>(CLASSES);

    /**
     * @param register returns the counter of a status class (2 for 2xx); asked when the first request of it is counted
     */
    RouteMeters(IntFunction<LongAdder> register) {
        this.register = register;
    }

    /** Counts a request that ended with {@code status}. */
    public void count(int status) {
        int statusClass = Math.clamp(status / 100, 0, CLASSES - 1);
        LongAdder counter = byClass.get(statusClass);
        if (counter == null) {
            counter = register.apply(statusClass);
            byClass.set(statusClass, counter);
        }
        counter.increment();
    }
}
