package io.sigma.dataplane.upstream.balance;

import java.util.random.RandomGenerator;

/** Draws by weight. */
public final class RandomChoice implements Balancer {

    /** Draws that may hit nodes that are not eligible before all nodes are looked at. */
    private static final int DRAWS = 4;

    private final int[] weights;
    private final long total;
    private final long[] cumulated;
    private final RandomGenerator random;

    public RandomChoice(int[] weights, RandomGenerator random) {
        this.weights = weights.clone();
        this.random = random;
        this.cumulated = new long[weights.length];
        long sum = 0;
        for (int i = 0; i < weights.length; i++) {
            sum += weights[i];
            cumulated[i] = sum;
        }
        this.total = sum;
    }

    @Override
    public int next(Eligible eligible) {
        if (total == 0) {
            return -1;
        }
        for (int i = 0; i < DRAWS; i++) {
            int node = draw();
            if (eligible.test(node)) {
                return node;
            }
        }
        return among(eligible);
    }

    private int draw() {
        long ticket = random.nextLong(total);
        int low = 0;
        int high = cumulated.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (ticket < cumulated[middle]) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** Draws among the eligible nodes in one pass (reservoir sampling). */
    private int among(Eligible eligible) {
        long sum = 0;
        int chosen = -1;
        for (int node = 0; node < weights.length; node++) {
            if (weights[node] > 0 && eligible.test(node)) {
                sum += weights[node];
                chosen = random.nextLong(sum) < weights[node] ? node : chosen;
            }
        }
        return chosen;
    }
}
