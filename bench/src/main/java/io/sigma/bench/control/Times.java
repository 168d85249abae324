package io.sigma.bench.control;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sigma.bench.Figures;
import java.util.ArrayList;
import java.util.List;

/** Durations. Thread-safe. */
final class Times {

    private final List<Double> millis = new ArrayList<>();

    synchronized void add(long nanos) {
        millis.add(nanos / 1e6);
    }

    synchronized double[] millis() {
        return millis.stream().mapToDouble(Double::doubleValue).toArray();
    }

    double quantile(double share) {
        return rounded(Figures.quantile(millis(), share));
    }

    /** Puts how many there are, and p50, p99 and the longest in milliseconds, below {@code name}. */
    void putTo(ObjectNode figures, String name) {
        figures.putObject(name)
                .put("count", millis().length)
                .put("p50", quantile(0.5))
                .put("p99", quantile(0.99))
                .put("max", quantile(1));
    }

    static double rounded(double value) {
        return Math.round(value * 100) / 100.0;
    }
}
