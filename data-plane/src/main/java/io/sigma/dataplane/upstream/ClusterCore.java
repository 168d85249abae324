package io.sigma.dataplane.upstream;

import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.upstream.balance.BalancePolicy;
import io.sigma.model.CircuitBreaker;
import io.sigma.model.NodeSubset;
import io.sigma.model.OutlierDetection;
import io.sigma.model.SubsetFallback;
import io.sigma.model.UpstreamLimits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The state that the subsets of an upstream share. Thread-safe; changes lock, requests do not. */
public final class ClusterCore {

    private final String id;
    private final BalancePolicy policy;
    private final int loops;
    private final RetryBudget retryBudget;
    private final NodeLoad[] loads;
    private final @Nullable Circuit circuit;
    private final @Nullable OutlierDetector outliers;
    private final Map<List<Object>, UpstreamCluster> clusters = new HashMap<>();
    private volatile List<Member> members;
    /** The core that this one is to replace, whose detector and nodes are left alone; null once that is done. */
    private @Nullable ClusterCore replaced;

    private volatile Runnable onMembers = () -> {};

    ClusterCore(String id, BalancePolicy policy, List<Member> members, int loops, @Nullable ClusterCore before) {
        this.id = id;
        this.policy = policy;
        this.loops = loops;
        this.members = List.copyOf(members);
        this.loads = before == null ? loads(loops) : before.loads;
        this.retryBudget = before != null && sameBudget(before.policy.limits(), policy.limits())
                ? before.retryBudget
                : budget(policy.limits(), loops);
        this.circuit = circuit(before);
        this.outliers = outliers(before);
        this.replaced = before;
    }

    /** Takes the place of the one before: a cluster may also be compiled and never take requests. */
    synchronized void serve() {
        ClusterCore last = replaced;
        replaced = null;
        if (last == null) {
            return;
        }
        if (circuit != null) {
            // A circuit that is carried over notified the earlier core, and would keep that core in memory.
            circuit.tell(this::circuitChanged);
        }
        warmNew(last.members, members);
        watch();
    }

    private void watch() {
        if (outliers != null) {
            outliers.members(members, System.nanoTime());
        }
    }

    private static NodeLoad[] loads(int loops) {
        NodeLoad[] loads = new NodeLoad[loops];
        Arrays.setAll(loads, loop -> new NodeLoad());
        return loads;
    }

    private static RetryBudget budget(UpstreamLimits limits, int loops) {
        return new RetryBudget(limits.retryPercentMax(), limits.retriesPerSecondMin(), limits.retriesMax(), loops);
    }

    private static boolean sameBudget(UpstreamLimits a, UpstreamLimits b) {
        return a.retryPercentMax().equals(b.retryPercentMax())
                && a.retriesPerSecondMin().equals(b.retriesPerSecondMin())
                && a.retriesMax().equals(b.retriesMax());
    }

    private @Nullable Circuit circuit(@Nullable ClusterCore before) {
        CircuitBreaker settings = policy.limits().circuitBreaker();
        if (settings == null) {
            return null;
        }
        Circuit last = before == null ? null : before.circuit;
        return last != null && last.settings().equals(settings)
                ? last
                : new Circuit(id, settings, loops, System.nanoTime(), this::circuitChanged);
    }

    private void circuitChanged(String what) {
        members.forEach(member -> member.endpoint().health().circuit(what));
    }

    private @Nullable OutlierDetector outliers(@Nullable ClusterCore before) {
        OutlierDetection settings = policy.outlierDetection();
        if (settings == null) {
            return null;
        }
        OutlierDetector last = before == null ? null : before.outliers;
        return last != null && last.settings().equals(settings)
                ? last
                : new OutlierDetector(settings, members, System.nanoTime());
    }

    NodeLoad load(int loop) {
        return loads[loop];
    }

    /** Returns how many requests are in progress on all loops. */
    public int inProgress() {
        int running = 0;
        for (NodeLoad load : loads) {
            running += load.inFlight();
        }
        return running;
    }

    private int tunnels() {
        int lasting = 0;
        for (NodeLoad load : loads) {
            lasting += load.tunnels();
        }
        return lasting;
    }

    /** Returns how many requests nodes work on that nobody waits for any more. */
    int abandoned() {
        int left = 0;
        for (Member member : members) {
            left += member.endpoint().abandonedNow();
        }
        return left;
    }

    /** Returns why no request may be sent now, null when one may. */
    @Nullable
    ErrorKind refusal(long now) {
        int max = policy.limits().requestsMax();
        if (max > 0) {
            if (inProgress() - tunnels() + abandoned() >= max) {
                return ErrorKind.UPSTREAM_FULL;
            }
        }
        return circuit == null || circuit.admit(now) ? null : ErrorKind.CIRCUIT_OPEN;
    }

    @Nullable
    public Circuit circuit() {
        return circuit;
    }

    @Nullable
    public OutlierDetector outliers() {
        return outliers;
    }

    void membersChanged() {
        onMembers.run();
    }

    /** Sets what is called when the nodes have changed without a snapshot. */
    public void onMembers(Runnable action) {
        onMembers = action;
    }

    /** Lets ejected nodes return if nobody watches them any more. */
    public void unwatched(List<UpstreamCluster> watched) {
        OutlierDetector mine = outliers;
        if (mine != null && watched.stream().noneMatch(cluster -> cluster.core().outliers == mine)) {
            boolean replaced =
                    watched.stream().anyMatch(cluster -> cluster.id().equals(id) && cluster.core().outliers != null);
            if (!replaced) {
                mine.close();
            }
        }
    }

    String id() {
        return id;
    }

    public BalancePolicy policy() {
        return policy;
    }

    public List<Member> members() {
        return members;
    }

    RetryBudget retryBudget() {
        return retryBudget;
    }

    synchronized UpstreamCluster cluster(@Nullable NodeSubset subset) {
        List<Object> key = subset == null ? List.of() : List.of(subset);
        UpstreamCluster known = clusters.get(key);
        if (known == null) {
            known = new UpstreamCluster(this, subset);
            clusters.put(key, known);
        }
        return known;
    }

    /** Replaces the nodes; requests that run are not disturbed. */
    synchronized void members(List<Member> next) {
        List<Member> before = members;
        members = List.copyOf(next);
        if (replaced == null) {
            warmNew(before, members);
            watch();
        }
        clusters.values().forEach(UpstreamCluster::refresh);
    }

    NodeGroup group(@Nullable NodeSubset subset) {
        if (subset == null) {
            return new NodeGroup(members, policy, loops, null);
        }
        NodeGroup fallback = subset.fallback() == SubsetFallback.ANY
                ? group(null)
                : subset.fallback() == SubsetFallback.DEFAULT
                        ? new NodeGroup(selected(subset.fallbackMetadata()), policy, loops, null)
                        : null;
        return new NodeGroup(selected(subset.metadata()), policy, loops, fallback);
    }

    /** Returns the nodes that a subset has, those that it falls back to when it has none. */
    List<Member> candidates(@Nullable NodeSubset subset) {
        if (subset == null) {
            return members;
        }
        List<Member> mine = selected(subset.metadata());
        return !mine.isEmpty()
                ? mine
                : subset.fallback() == SubsetFallback.ANY
                        ? members
                        : subset.fallback() == SubsetFallback.DEFAULT ? selected(subset.fallbackMetadata()) : List.of();
    }

    private List<Member> selected(Map<String, String> metadata) {
        return members.stream().filter(member -> member.has(metadata)).toList();
    }

    /** Lets the nodes that did not take requests before begin slowly. */
    private static void warmNew(List<Member> before, List<Member> next) {
        List<NodeEndpoint> known = new ArrayList<>();
        before.stream().filter(Member::takesRequests).map(Member::endpoint).forEach(known::add);
        long now = System.nanoTime();
        for (Member member : next) {
            if (member.takesRequests() && !known.contains(member.endpoint())) {
                member.endpoint().health().warm(now);
            }
        }
    }
}
