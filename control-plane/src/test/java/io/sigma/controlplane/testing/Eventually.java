package io.sigma.controlplane.testing;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for a state that another thread or process brings about. */
public final class Eventually {

    private static final long PAUSE_MILLIS = 10;

    private Eventually() {}

    /**
     * Returns once {@code condition} holds.
     *
     * @throws AssertionError when it does not in time
     */
    public static void holds(String what, Duration limit, BooleanSupplier condition) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError(what + " (expected: within " + limit + ")");
            }
            try {
                Thread.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
