package io.sigma.dataplane.upstream;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Whose turn it is on one event loop, and which nodes could not be reached a moment ago. Confined to that loop. */
final class LoopUpstream implements Balancer.Eligible {

    /** How long a node that could not be reached is tried after all others. */
    static final long AVOID_NANOS = 1_000_000_000L;

    private final NodeEndpoint[] nodes;
    private final Balancer balancer;
    private final long[] avoidedUntil;
    private boolean anyAvoided;

    // Of the pick in progress.
    private @Nullable Set<NodeEndpoint> tried;
    private boolean lastResort;
    private long now;

    LoopUpstream(NodeEndpoint[] nodes, Balancer balancer) {
        this.nodes = nodes;
        this.balancer = balancer;
        this.avoidedUntil = new long[nodes.length];
    }

    /** Returns the next node that was not tried, null when all that take requests were. */
    @Nullable
    NodeEndpoint pick(@Nullable Set<NodeEndpoint> alreadyTried) {
        tried = alreadyTried;
        lastResort = false;
        now = anyAvoided ? System.nanoTime() : 0;
        int node = balancer.next(this);
        if (node < 0 && anyAvoided) {
            lastResort = true;
            node = balancer.next(this);
        }
        tried = null;
        return node < 0 ? null : nodes[node];
    }

    /** Notes that {@code endpoint} could not be reached. */
    void unreachable(NodeEndpoint endpoint) {
        for (int i = 0; i < nodes.length; i++) {
            if (nodes[i] == endpoint) {
                avoidedUntil[i] = System.nanoTime() + AVOID_NANOS;
                anyAvoided = true;
            }
        }
    }

    @Override
    public boolean test(int node) {
        if (tried != null && tried.contains(nodes[node])) {
            return false;
        }
        return lastResort || !anyAvoided || avoidedUntil[node] == 0 || !isAvoided(node);
    }

    private boolean isAvoided(int node) {
        if (avoidedUntil[node] - now > 0) {
            return true;
        }
        avoidedUntil[node] = 0;
        anyAvoided = false;
        for (long until : avoidedUntil) {
            anyAvoided |= until != 0;
        }
        return false;
    }
}
