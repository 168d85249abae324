package io.sigma.postgres;

import java.io.InterruptedIOException;
import java.time.Duration;

/** The end of a bounded wait. */
record Deadline(long nanoTime) {

    private static final Duration POLL = Duration.ofMillis(20);

    static Deadline in(Duration wait) {
        return new Deadline(System.nanoTime() + wait.toNanos());
    }

    boolean passed() {
        return System.nanoTime() - nanoTime >= 0;
    }

    /** Waits one polling interval. */
    void pause() throws InterruptedIOException {
        try {
            Thread.sleep(POLL);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for PostgreSQL");
        }
    }
}
