package io.sigma.dataplane.telemetry;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntFunction;

/** Requests of one route, or of those of a proxy server that met none, by status class. */
public final class RouteMeters {

    private static final int CLASSES = 6;

    private final IntFunction<LoopCounter> register;
    private final AtomicReferenceArray<LoopCounter> byClass = new AtomicReferenceArray<>(CLASSES);
    private final TrafficMeter traffic;

    /**
     * @param register returns the counter of a status class (2 for 2xx); asked when the first request of it is counted
     * @param loops how many event loops there are
     */
    RouteMeters(IntFunction<LoopCounter> register, int loops) {
        this.register = register;
        this.traffic = new TrafficMeter(loops);
    }

    /** Returns whether a request was counted. */
    boolean isUsed() {
        for (int i = 0; i < CLASSES; i++) {
            if (byClass.get(i) != null) {
                return true;
            }
        }
        return false;
    }

    /**
     * Counts a request that ended with {@code status} on the event loop {@code loop}; to be called on that.
     *
     * @param nanos the duration of the request
     * @param bytesIn bytes of the body of the request
     * @param bytesOut bytes of the body of the response
     */
    public void count(int loop, int status, long nanos, long bytesIn, long bytesOut) {
        LoopTraffic mine = traffic.on(loop);
        mine.add(status, nanos);
        mine.bytes(bytesIn, bytesOut);
        int statusClass = Math.clamp(status / 100, 0, CLASSES - 1);
        LoopCounter counter = byClass.get(statusClass);
        if (counter == null) {
            counter = register.apply(statusClass);
            byClass.set(statusClass, counter);
        }
        counter.add(loop, 1);
    }

    TrafficMeter traffic() {
        return traffic;
    }
}
