package io.sigma.dataplane.upstream;

import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Exchange;
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
    private final RetryBudget retryBudget;

    /**
     * @param weights of {@code nodes}, in their order; they count under weighted balancing only
     * @param loops how many event loops there are
     */
    public UpstreamCluster(String id, Balancing balancing, List<NodeEndpoint> nodes, int[] weights, int loops) {
        this.id = id;
        this.nodes = List.copyOf(nodes);
        this.loops = new LoopUpstream[loops];
        this.retryBudget = new RetryBudget(20, 10, 1024, loops);
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

    /**
     * Returns why no request may be sent to the upstream now, null when one may. To be asked once a request, on its loop,
     * before its first {@link #pick}; retries have a budget of their own.
     */
    public @Nullable ErrorKind admit(int loop) {
        retryBudget.requested(loop);
        return null;
    }

    /** Returns what retries are taken from. */
    public RetryBudget retryBudget() {
        return retryBudget;
    }

    /**
     * Returns the node that is to serve {@code exchange} among those not tried; null when none is left. To be called on the
     * loop of the exchange; {@link #begun} follows when the request is assigned to that node.
     */
    public @Nullable NodeEndpoint pick(Exchange exchange, @Nullable Set<NodeEndpoint> tried) {
        return loops[exchange.loop()].pick(tried);
    }

    /** Notes, on {@code loop}, that a request is assigned to a node; {@link #ended} follows exactly once. */
    public void begun(int loop, NodeEndpoint endpoint) {
        endpoint.load(loop).begun();
    }

    /**
     * Notes, on {@code loop}, that a node is rid of a request: the response is complete, or the request failed or was given
     * up. A node that could not be reached is tried after the others for a moment.
     *
     * @param nanos from {@link #begun} to the head of the response, or to the failure
     */
    public void ended(int loop, NodeEndpoint endpoint, Outcome outcome, long nanos) {
        long now = System.nanoTime();
        endpoint.load(loop).ended(outcome, nanos, now);
        if (outcome == Outcome.CONNECT_FAILED) {
            loops[loop].unreachable(endpoint);
        }
    }
}
