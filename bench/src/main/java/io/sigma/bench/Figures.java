package io.sigma.bench;

import java.util.Arrays;

/** Small statistics. Pure. */
final class Figures {

    private Figures() {}

    static double median(double[] values) {
        return quantile(values, 0.5);
    }

    /** Returns the value below which {@code share} of all lie (nearest rank). */
    static double quantile(double[] values, double share) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int rank = (int) Math.ceil(share * sorted.length);
        return sorted[Math.max(rank, 1) - 1];
    }
}
