package io.sigma.dataplane.upstream;

import io.sigma.model.Balancing;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A named set of nodes, compiled. Shared by the event loops, each of which has turns of its own. */
public final class UpstreamCluster {

    private final String id;
    private final List<NodeEndpoint> nodes;
    private final LoopUpstream[] loops;

    /**
     * @param weights of {@code nodes}, in their order; they count under weighted balancing only
     * @param loops how many event loops there are
     */
    public UpstreamCluster(String id, Balancing balancing, List<NodeEndpoint> nodes, int[] weights, int loops) {
        this.id = id;
        this.nodes = List.copyOf(nodes);
        this.loops = new LoopUpstream[loops];
        NodeEndpoint[] array = this.nodes.toArray(NodeEndpoint[]::new);
        for (int i = 0; i < loops; i++) {
            this.loops[i] = new LoopUpstream(array, balancer(balancing, weights, i, loops));
        }
    }

    private static Balancer balancer(Balancing balancing, int[] weights, int loop, int loops) {
        if (balancing == Balancing.ROUND_ROBIN) {
            return new RoundRobin(weights.length, loop * weights.length / loops);
        }
        long total = Arrays.stream(weights).asLongStream().sum();
        return new SmoothWeighted(weights, (int) (Math.min(total, 1000) * loop / loops));
    }

    public String id() {
        return id;
    }

    public List<NodeEndpoint> nodes() {
        return nodes;
    }

    /** Returns the node whose turn it is on {@code loop} among those not tried; null when none is left. */
    public @Nullable NodeEndpoint pick(int loop, @Nullable Set<NodeEndpoint> tried) {
        return loops[loop].pick(tried);
    }

    /** Notes, on {@code loop}, that a node could not be reached, so that others are tried before it for a moment. */
    public void unreachable(int loop, NodeEndpoint endpoint) {
        loops[loop].unreachable(endpoint);
    }
}
