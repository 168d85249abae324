package io.sigma.dataplane.upstream;

import io.sigma.model.NodeSubset;
import io.sigma.model.SubsetFallback;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the subsets of an upstream share. Thread-safe; changes lock, requests do not. */
final class ClusterCore {

    private final String id;
    private final BalancePolicy policy;
    private final int loops;
    private final RetryBudget retryBudget;
    private final Map<List<Object>, UpstreamCluster> clusters = new HashMap<>();
    private volatile List<Member> members;

    ClusterCore(String id, BalancePolicy policy, List<Member> members, int loops, @Nullable ClusterCore before) {
        this.id = id;
        this.policy = policy;
        this.loops = loops;
        this.members = List.copyOf(members);
        this.retryBudget = new RetryBudget(20, 10, 1024, loops);
        if (before != null) {
            warmNew(before.members, members);
        }
    }

    String id() {
        return id;
    }

    BalancePolicy policy() {
        return policy;
    }

    List<Member> members() {
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
        warmNew(members, next);
        members = List.copyOf(next);
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
