package io.sigma.e2e;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The times until the plant was whole again after each fault of one kind. For one thread. */
final class Durations {

    /** The bound of each of these times. */
    static final long MILLIS_MAX = 5_000;

    private final String fault;
    private final List<Long> millis = new ArrayList<>();

    Durations(String fault) {
        this.fault = fault;
    }

    String fault() {
        return fault;
    }

    void add(long duration) {
        millis.add(duration);
    }

    long worst() {
        return millis.isEmpty() ? 0 : Collections.max(millis);
    }

    private long median() {
        return millis.isEmpty() ? 0 : millis.stream().sorted().toList().get(millis.size() / 2);
    }

    static String header() {
        return "%n%-44s %7s %10s %9s%n".formatted("fault", "times", "median ms", "worst ms");
    }

    String line() {
        return "%-44s %7d %10d %9d%n".formatted(fault, millis.size(), median(), worst());
    }
}
