package io.sigma.bench;

import java.util.Arrays;

/** Small statistics. Pure. */
public final class Figures {

    private Figures() {}

    public static double median(double[] values) {
        return quantile(values, 0.5);
    }

    /** Returns the value below which {@code share} of all lie (nearest rank). */
    public static double quantile(double[] values, double share) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int rank = (int) Math.ceil(share * sorted.length);
        return sorted[Math.max(rank, 1) - 1];
    }
}
