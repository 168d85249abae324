package io.sigma.dataplane.upstream.balance;

/** Each node in turn. */
public final class RoundRobin implements Balancer {

    private final int nodes;
    private int next;

    /**
     * @param start the first turn; differs by loop, so that loops do not move in step
     */
    public RoundRobin(int nodes, int start) {
        this.nodes = nodes;
        this.next = start % nodes;
    }

    @Override
    public int next(Eligible eligible) {
        for (int i = 0; i < nodes; i++) {
            int node = next;
            next = next + 1 == nodes ? 0 : next + 1;
            if (eligible.test(node)) {
                return node;
            }
        }
        return -1;
    }
}
