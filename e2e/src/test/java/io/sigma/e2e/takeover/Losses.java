package io.sigma.e2e.takeover;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The losses and successes of clients. Thread-safe. */
final class Losses {

    private static final int EXAMPLES_MAX = 20;

    private final Map<String, Long> served = new TreeMap<>();
    private final Map<String, Long> lost = new TreeMap<>();
    /** Each text once. */
    private final Set<String> examples = new LinkedHashSet<>();

    synchronized void served(String what) {
        served.merge(what, 1L, Long::sum);
    }

    synchronized void lost(String what, String how) {
        lost.merge(what, 1L, Long::sum);
        if (examples.size() < EXAMPLES_MAX) {
            examples.add(what + ": " + how);
        }
    }

    synchronized long served() {
        return served.values().stream().mapToLong(Long::longValue).sum();
    }

    synchronized List<String> examples() {
        return List.copyOf(examples);
    }

    @Override
    public synchronized String toString() {
        return "served " + served + ", lost " + lost;
    }
}
