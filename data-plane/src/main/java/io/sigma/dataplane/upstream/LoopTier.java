package io.sigma.dataplane.upstream;

import io.sigma.dataplane.upstream.balance.BalancePolicy;
import io.sigma.dataplane.upstream.balance.Balancer;
import io.sigma.dataplane.upstream.balance.LeastCost;
import io.sigma.dataplane.upstream.balance.RandomChoice;
import io.sigma.dataplane.upstream.balance.RoundRobin;
import io.sigma.dataplane.upstream.balance.SmoothWeighted;
import io.sigma.model.Balancing;
import java.util.Arrays;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The nodes of one tier as one event loop sees them. Confined to that loop. */
final class LoopTier implements Balancer.Eligible {

    /** The time for which a node that could not be reached is tried after all others, in nanoseconds. */
    static final long AVOID_NANOS = 1_000_000_000L;

    /** The weaknesses of a node that are accepted when no better node is left. */
    enum Level {
        /** Nothing. */
        STRICT,
        /** That a node is still in its slow start. */
        COLD,
        /** That a node could not be reached a moment ago. */
        LAST_RESORT
    }

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final double UNKNOWN_COST = 1e15;

    private final Member[] members;
    private final NodeLoad[] loads;
    private final Balancer balancer;
    private final RandomGenerator random;
    private final long slowStartNanos;

    // Of the pick in progress.
    private @Nullable Set<NodeEndpoint> tried;
    private Level level = Level.STRICT;
    private boolean panic;
    private boolean cold;
    private long now;
    private long hash;

    LoopTier(Tier tier, BalancePolicy policy, int loop, int loops, RandomGenerator random) {
        this.members = tier.members();
        this.random = random;
        this.loads = Arrays.stream(members)
                .map(member -> member.endpoint().load(loop))
                .toArray(NodeLoad[]::new);
        this.slowStartNanos = policy.balancing() == Balancing.HASH ? 0 : policy.slowStartMillis() * NANOS_PER_MILLI;
        this.balancer = balancer(tier, policy, loop, loops);
    }

    private Balancer balancer(Tier tier, BalancePolicy policy, int loop, int loops) {
        int[] weights = Arrays.stream(members).mapToInt(Member::weight).toArray();
        long total = Arrays.stream(weights).asLongStream().sum();
        return switch (policy.balancing()) {
            case ROUND_ROBIN -> new RoundRobin(weights.length, loop * weights.length / loops);
            case WEIGHTED_ROUND_ROBIN -> new SmoothWeighted(weights, (int) (Math.min(total, 1000) * loop / loops));
            case LEAST_REQUESTS -> LeastCost.ofTwo(weights, (node, at) -> inFlight(node) / weights[node], random);
            case BEST_AVAILABLE -> LeastCost.ofAll(weights, (node, at) -> inFlight(node) / weights[node], random);
            case PEAK_EWMA -> LeastCost.ofTwo(weights, (node, at) -> latencyCost(node, weights[node], at), random);
            case RANDOM -> new RandomChoice(weights, random);
            case HASH -> new ConsistentHash(members, tier.ring(), policy.hash().loadPercentMax(), random);
        };
    }

    /** As in Finagle: a node without known latency gets one request, and the next when that one is answered. */
    private double latencyCost(int node, int weight, long at) {
        double latency = loads[node].peakNanos(at);
        double running = inFlight(node);
        if (latency > 0) {
            return latency * running / weight;
        }
        return running > 1 ? UNKNOWN_COST + running / weight : 0;
    }

    /** Returns the requests that the node would have in progress with one more. */
    private double inFlight(int node) {
        return members[node].endpoint().inFlight() + 1;
    }

    /** Returns the next node, null when there is none. */
    @Nullable
    NodeEndpoint pick(Level overlook, boolean inPanic, @Nullable Set<NodeEndpoint> alreadyTried, long key, long time) {
        tried = alreadyTried;
        level = overlook;
        panic = inPanic;
        hash = key;
        now = time;
        cold = false;
        int node = balancer.next(this);
        if (node < 0 && cold) {
            level = Level.COLD;
            node = balancer.next(this);
        }
        tried = null;
        return node < 0 ? null : members[node].endpoint();
    }

    @Override
    public boolean test(int node) {
        NodeEndpoint endpoint = members[node].endpoint();
        if (tried != null && tried.contains(endpoint)) {
            return false;
        }
        NodeHealth health = endpoint.health();
        if (!panic && !health.isUsable()) {
            return false;
        }
        if (level != Level.LAST_RESORT && loads[node].isAvoided(now)) {
            return false;
        }
        return level != Level.STRICT || slowStartNanos == 0 || isWarm(health);
    }

    /** Lets a share of the requests through that grows with the time since the node came. */
    private boolean isWarm(NodeHealth health) {
        long since = health.warmSince();
        long age = now - since;
        if (since == 0 || age >= slowStartNanos) {
            return true;
        }
        boolean warm = random.nextDouble() * slowStartNanos < age;
        cold |= !warm;
        return warm;
    }

    @Override
    public long now() {
        return now;
    }

    @Override
    public long hash() {
        return hash;
    }
}
