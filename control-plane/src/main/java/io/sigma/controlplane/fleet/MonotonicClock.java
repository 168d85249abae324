package io.sigma.controlplane.fleet;

import java.time.Instant;
import java.time.InstantSource;

/**
 * Instants that are as far apart as the moments at which they were asked for, whatever is done to the clock of the
 * machine: by them it is told how long ago a gateway was heard. Thread-safe.
 */
final class MonotonicClock implements InstantSource {

    private final Instant began = Instant.now();
    private final long beganNanos = System.nanoTime();

    @Override
    public Instant instant() {
        return began.plusNanos(System.nanoTime() - beganNanos);
    }
}
