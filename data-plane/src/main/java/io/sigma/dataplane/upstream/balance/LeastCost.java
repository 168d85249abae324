package io.sigma.dataplane.upstream.balance;

import java.util.random.RandomGenerator;

/**
 * Takes the cheaper of two nodes that are drawn (Mitzenmacher, The Power of Two Choices), or the cheapest of all. Two
 * are enough to avoid busy nodes. The cheapest of all would be the choice of every loop at once.
 */
public final class LeastCost implements Balancer {

    private static final int DRAWS = 4;

    /** The cost of one more request at a node. */
    @FunctionalInterface
    public interface Cost {
        double of(int node, long now);
    }

    private final int[] weights;
    private final Cost cost;
    private final boolean ofAll;
    private final RandomGenerator random;

    private LeastCost(int[] weights, Cost cost, boolean ofAll, RandomGenerator random) {
        this.weights = weights.clone();
        this.cost = cost;
        this.ofAll = ofAll;
        this.random = random;
    }

    public static LeastCost ofTwo(int[] weights, Cost cost, RandomGenerator random) {
        return new LeastCost(weights, cost, weights.length <= 2, random);
    }

    public static LeastCost ofAll(int[] weights, Cost cost, RandomGenerator random) {
        return new LeastCost(weights, cost, true, random);
    }

    @Override
    public int next(Eligible eligible) {
        if (ofAll) {
            return cheapest(eligible);
        }
        int one = draw(eligible, -1);
        int other = one < 0 ? -1 : draw(eligible, one);
        if (other < 0) {
            // Few nodes are eligible.
            return cheapest(eligible);
        }
        long now = eligible.now();
        return cost.of(one, now) <= cost.of(other, now) ? one : other;
    }

    private int draw(Eligible eligible, int not) {
        for (int i = 0; i < DRAWS; i++) {
            int node = random.nextInt(weights.length);
            if (node != not && weights[node] > 0 && eligible.test(node)) {
                return node;
            }
        }
        return -1;
    }

    /** Starts at a random node, so that equal ones take turns. */
    private int cheapest(Eligible eligible) {
        long now = eligible.now();
        int start = random.nextInt(weights.length);
        int best = -1;
        double least = Double.MAX_VALUE;
        for (int i = 0; i < weights.length; i++) {
            int node = start + i < weights.length ? start + i : start + i - weights.length;
            if (weights[node] > 0 && eligible.test(node)) {
                double price = cost.of(node, now);
                if (best < 0 || price < least) {
                    best = node;
                    least = price;
                }
            }
        }
        return best;
    }
}
