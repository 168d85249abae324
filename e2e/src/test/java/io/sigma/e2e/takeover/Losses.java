package io.sigma.e2e.takeover;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The losses and successes of clients. Thread-safe. */
final class Losses {

    private static final int EXAMPLES_MAX = 20;
    private static final int WAIT_MILLIS_MAX = 20_000;

    private final Map<String, Long> served = new TreeMap<>();
    private final Map<String, Long> lost = new TreeMap<>();
    /** Each text once. */
    private final Set<String> examples = new LinkedHashSet<>();

    /** How many new connections waited so many milliseconds for their response, since this was last asked. */
    private int[] waits = new int[WAIT_MILLIS_MAX + 1];

    synchronized void waited(long millis) {
        waits[(int) Math.min(millis, WAIT_MILLIS_MAX)]++;
    }

    /** Returns how long new connections waited since this was last asked, in milliseconds. */
    synchronized String waits() {
        int[] now = waits;
        waits = new int[WAIT_MILLIS_MAX + 1];
        long all = Arrays.stream(now).asLongStream().sum();
        return "p50 " + within(now, all / 2) + ", p99 " + within(now, all * 99 / 100) + ", longest "
                + within(now, all - 1);
    }

    private static int within(int[] waits, long count) {
        int millis = 0;
        for (long seen = waits[0]; seen <= count && millis < WAIT_MILLIS_MAX; ) {
            millis++;
            seen += waits[millis];
        }
        return millis;
    }

    synchronized long served(List<String> what) {
        return what.stream().mapToLong(each -> served.getOrDefault(each, 0L)).sum();
    }

    synchronized void served(String what) {
        served.merge(what, 1L, Long::sum);
    }

    synchronized void lost(String what, String how) {
        lost.merge(what, 1L, Long::sum);
        if (examples.size() < EXAMPLES_MAX) {
            examples.add(what + ": " + how);
        }
    }

    synchronized List<String> examples() {
        return List.copyOf(examples);
    }

    @Override
    public synchronized String toString() {
        return "served " + served + ", lost " + lost;
    }
}
