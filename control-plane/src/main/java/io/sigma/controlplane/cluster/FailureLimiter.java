package io.sigma.controlplane.cluster;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Counts failures by address in windows of a minute. Confined to one event loop.
 */
final class FailureLimiter {

    private static final long WINDOW_NANOS = 60_000_000_000L;

    private final int addressMax;
    private final int allMax;
    private final LongSupplier nanoTime;
    private final Map<String, Integer> failures = new HashMap<>();
    private int all;
    private long windowBegan;

    /**
     * @param addressMax failures of one address in a window
     * @param allMax failures of all addresses in a window, which also bounds what is remembered
     */
    FailureLimiter(int addressMax, int allMax, LongSupplier nanoTime) {
        this.addressMax = addressMax;
        this.allMax = allMax;
        this.nanoTime = nanoTime;
        this.windowBegan = nanoTime.getAsLong();
    }

    boolean isBlocked(String address) {
        if (nanoTime.getAsLong() - windowBegan >= WINDOW_NANOS) {
            failures.clear();
            all = 0;
            windowBegan = nanoTime.getAsLong();
        }
        return all >= allMax || failures.getOrDefault(address, 0) >= addressMax;
    }

    void failed(String address) {
        all++;
        failures.merge(address, 1, Integer::sum);
    }
}
