package io.sigma.e2e;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for facts, never for time. */
public final class Await {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final long PAUSE_MILLIS = 20;

    private Await() {}

    /** Returns once {@code fact} holds; fails after a minute. What is thrown counts as not yet. */
    public static void until(String what, BooleanSupplier fact) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        Throwable last = null;
        while (System.nanoTime() < deadline) {
            try {
                if (fact.getAsBoolean()) {
                    return;
                }
            } catch (RuntimeException | AssertionError e) {
                last = e;
            }
            pause();
        }
        throw new AssertionError("not within " + LIMIT.toSeconds() + " s: " + what, last);
    }

    public static void pause() {
        pause(PAUSE_MILLIS);
    }

    public static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Waits, for a bounded time, for a thread that was told to end. */
    public static void ended(Thread thread) {
        try {
            thread.join(30_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
