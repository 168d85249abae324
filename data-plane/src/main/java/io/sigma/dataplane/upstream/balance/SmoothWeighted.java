package io.sigma.dataplane.upstream.balance;

/**
 * Smooth weighted round-robin as nginx does it: every node gains its weight, the richest is chosen and pays the total.
 * So a heavy node's turns are spread. Linear in the number of nodes.
 */
public final class SmoothWeighted implements Balancer {

    private final int[] weights;
    private final long[] current;

    /**
     * @param weights 0 takes no requests
     * @param start turns to be ahead; differs by loop, so that loops do not move in step
     */
    public SmoothWeighted(int[] weights, int start) {
        this.weights = weights.clone();
        this.current = new long[weights.length];
        for (int i = 0; i < start; i++) {
            next(node -> true);
        }
    }

    @Override
    public int next(Eligible eligible) {
        long total = 0;
        int best = -1;
        for (int node = 0; node < weights.length; node++) {
            if (weights[node] > 0 && eligible.test(node)) {
                total += weights[node];
                current[node] += weights[node];
                best = best < 0 || current[node] > current[best] ? node : best;
            }
        }
        if (best >= 0) {
            current[best] -= total;
        }
        return best;
    }
}
