package io.sigma.e2e.chaos;

import java.util.Locale;

/**
 * The result of an attack.
 *
 * @param begun how often a connection of the attack began
 * @param alive whether the process lives
 * @param quietKib the resident memory before, in KiB
 * @param peakKib the most during the attack and after it
 * @param afterKib the resident memory once it was at most 1.2 times that before, or when the wait for that was over
 * @param afterMillis how long that took
 * @param logKib what the target logged meanwhile
 */
record Result(
        String attack,
        String target,
        long begun,
        boolean alive,
        Phase quiet,
        Phase attacked,
        Phase after,
        long quietKib,
        long peakKib,
        long afterKib,
        long afterMillis,
        long logKib) {

    static final double GROWTH_MAX = 1.2;
    static final double SLOWER_MAX = 2;
    static final long LOG_KIB_MAX = 256;

    private static final String FORMAT = "%-34s %-14s %7s %9s %9s %9s %9s %6s %7s %7s %7s %7s %6s %7s  %s%n";

    static String header() {
        return FORMAT.formatted(
                "attack",
                "target",
                "begun",
                "quiet p50",
                "quiet p99",
                "p50 ms",
                "p99 ms",
                "ratio",
                "others",
                "errors",
                "MiB",
                "peak",
                "after",
                "log KiB",
                "verdict");
    }

    double ratio() {
        return attacked.percentileMillis(0.99) / Math.max(0.001, quiet.percentileMillis(0.99));
    }

    int failures() {
        return attacked.failures() + after.failures();
    }

    /** Returns what does not hold, empty when everything does. */
    String verdict() {
        StringBuilder said = new StringBuilder();
        if (!alive) {
            said.append("process ended; ");
        }
        if (failures() > 0) {
            said.append("errors ")
                    .append(attacked.errors())
                    .append(after.errors())
                    .append("; ");
        }
        if (ratio() > SLOWER_MAX) {
            said.append("slower; ");
        }
        if (afterKib > quietKib * GROWTH_MAX) {
            said.append("memory stays; ");
        }
        if (logKib > LOG_KIB_MAX) {
            said.append("floods the log; ");
        }
        return said.toString();
    }

    /** Returns a line of the table. */
    String line() {
        String verdict = verdict();
        return FORMAT.formatted(
                attack,
                target,
                begun,
                number(quiet.percentileMillis(0.5)),
                number(quiet.percentileMillis(0.99)),
                number(attacked.percentileMillis(0.5)),
                number(attacked.percentileMillis(0.99)),
                number(ratio()),
                attacked.answers() + attacked.failures(),
                failures(),
                quietKib / 1024,
                peakKib / 1024,
                afterKib / 1024,
                logKib,
                verdict.isEmpty() ? "holds, memory after " + afterMillis / 1000 + " s" : verdict);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
