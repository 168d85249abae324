package io.sigma.e2e.chaos;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** The results of other clients within a period. Thread-safe. */
final class Phase {

    private static final int ERRORS_KEPT = 8;

    private long[] nanos = new long[1_024];
    private int answers;
    private int failures;
    private final Map<String, Integer> errors = new TreeMap<>();

    synchronized void answered(long durationNanos) {
        if (answers == nanos.length) {
            nanos = Arrays.copyOf(nanos, answers * 2);
        }
        nanos[answers++] = durationNanos;
    }

    synchronized void failed(String reason) {
        failures++;
        if (errors.containsKey(reason) || errors.size() < ERRORS_KEPT) {
            errors.merge(reason, 1, Integer::sum);
        }
    }

    synchronized int answers() {
        return answers;
    }

    synchronized int failures() {
        return failures;
    }

    /** Returns how often each error was met; at most eight different ones are kept. */
    synchronized Map<String, Integer> errors() {
        return new TreeMap<>(errors);
    }

    /** Returns the duration that a share of the answers did not exceed, in milliseconds; 0 without answers. */
    synchronized double percentileMillis(double share) {
        if (answers == 0) {
            return 0;
        }
        long[] sorted = Arrays.copyOf(nanos, answers);
        Arrays.sort(sorted);
        int at = (int) Math.ceil(share * answers) - 1;
        return (double) sorted[Math.max(0, at)] / TimeUnit.MILLISECONDS.toNanos(1);
    }
}
