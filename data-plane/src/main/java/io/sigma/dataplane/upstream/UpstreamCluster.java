package io.sigma.dataplane.upstream;

import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.upstream.balance.BalancePolicy;
import io.sigma.model.Balancing;
import io.sigma.model.NodeDiscovery;
import io.sigma.model.NodeSubset;
import io.sigma.value.NodeUrl;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A named set of nodes, compiled, or a subset of one. Shared by the event loops, each of which has turns of its own;
 * what is called with a loop is called on it.
 */
public final class UpstreamCluster {

    private final ClusterCore core;
    private final @Nullable NodeSubset subset;
    private volatile NodeGroup group;

    UpstreamCluster(ClusterCore core, @Nullable NodeSubset subset) {
        this.core = core;
        this.subset = subset;
        this.group = core.group(subset);
    }

    /**
     * Returns an upstream that runs.
     *
     * @param loops how many event loops there are
     * @param before what ran under this id, null when nothing did; nodes that it had not begin slowly
     */
    public static UpstreamCluster of(
            String id, BalancePolicy policy, List<Member> members, int loops, @Nullable UpstreamCluster before) {
        return new ClusterCore(id, policy, members, loops, before == null ? null : before.core).cluster(null);
    }

    public String id() {
        return core.id();
    }

    /** Returns every node of the upstream, also those that take no requests. */
    public List<NodeEndpoint> nodes() {
        return core.members().stream().map(Member::endpoint).toList();
    }

    /** Returns the nodes that {@code wanted} selects; all for null. The same object for an equal selection. */
    public UpstreamCluster subset(@Nullable NodeSubset wanted) {
        return core.cluster(wanted);
    }

    /** Returns where its nodes come from; null when they are configured. */
    public @Nullable NodeDiscovery discovery() {
        NodeDiscovery settings = core.policy().source().discovery();
        return settings == null || settings.type().equals("STATIC") ? null : settings;
    }

    /** Returns whether plain HTTP is spoken to nodes with an https URL. */
    public boolean degrades() {
        return core.policy().degrade();
    }

    /** Returns the key of a node of this upstream at {@code url}. */
    public NodeEndpoint.Key keyOf(NodeUrl url) {
        return NodeEndpoint.Key.of(id(), url, core.policy().source(), degrades());
    }

    /**
     * Has the nodes that were discovered for {@code before}, until others are.
     *
     * @param endpoints makes a node to which connections are not what they were
     */
    public void takeOver(@Nullable UpstreamCluster before, Function<NodeEndpoint.Key, NodeEndpoint> endpoints) {
        if (before == null || before.discovery() == null) {
            return;
        }
        List<Member> members = new ArrayList<>();
        for (Member member : before.core.members()) {
            NodeEndpoint.Key key = keyOf(member.endpoint().key().url());
            boolean same = key.equals(member.endpoint().key());
            NodeEndpoint endpoint = same ? member.endpoint() : endpoints.apply(key);
            members.add(new Member(endpoint, member.weight(), member.tier(), member.service(), member.metadata()));
        }
        update(members);
    }

    /**
     * Takes the place of the cluster that it was made after, right before requests come to it; nothing from then on.
     */
    public void serve() {
        core.serve();
    }

    /** Replaces the nodes; requests that run are not disturbed. From any thread. */
    public void update(List<Member> members) {
        core.members(members);
        core.membersChanged();
    }

    /** Returns the nodes that requests are spread over, in service or not. */
    public List<Member> candidates() {
        return core.candidates(subset);
    }

    public ClusterCore core() {
        return core;
    }

    /** Takes the nodes of the upstream again, which have changed. */
    void refresh() {
        group = core.group(subset);
    }

    /**
     * Returns why no request may be sent to the upstream now, null when one may. To be asked once a request, on its
     * loop, before its first {@link #pick}; retries have a budget of their own.
     *
     * @param now by {@link System#nanoTime()}
     */
    public @Nullable ErrorKind admit(int loop, long now) {
        core.retryBudget().requested(loop);
        return core.refusal(now);
    }

    /** Returns what retries are taken from. */
    public RetryBudget retryBudget() {
        return core.retryBudget();
    }

    /**
     * Returns the node that is to serve {@code exchange} among those not tried; null when none is left. To be called on
     * the loop of the exchange; {@link #begun} follows when the request is assigned to that node.
     *
     * @param now by {@link System#nanoTime()}
     */
    public @Nullable NodeEndpoint pick(Exchange exchange, @Nullable Set<NodeEndpoint> tried, long now) {
        BalancePolicy policy = core.policy();
        long hash = policy.balancing() == Balancing.HASH ? policy.hash().hashOf(exchange) : 0;
        return group.pick(exchange.loop(), tried, hash, now);
    }

    /**
     * As {@link #pick(Exchange, Set, long)}, for a connection without HTTP.
     *
     * @param client null when unknown
     * @param serverName that the client asked for by TLS, in lower case; null for none
     */
    public @Nullable NodeEndpoint pick(
            int loop,
            @Nullable InetSocketAddress client,
            @Nullable String serverName,
            @Nullable Set<NodeEndpoint> tried,
            long now) {
        BalancePolicy policy = core.policy();
        long hash = policy.balancing() == Balancing.HASH ? policy.hash().hashOf(client, serverName) : 0;
        return group.pick(loop, tried, hash, now);
    }

    /** Notes, on {@code loop}, that a request is assigned to a node; {@link #ended} follows exactly once. */
    public void begun(int loop, NodeEndpoint endpoint) {
        core.load(loop).begun();
        endpoint.load(loop).begun();
    }

    /**
     * Notes, on {@code loop}, that a request lasts as long as its client wants, which
     * {@link io.sigma.model.Pool#tunnelsMax} bounds, or that it is over: it is none of those that the limit of the
     * upstream bounds.
     */
    public void tunnels(int loop, int more) {
        core.load(loop).tunnels(more);
    }

    /**
     * Notes, on {@code loop}, that a node is rid of a request: the response is complete, or the request failed or was
     * given up. A node that could not be reached is tried after the others for a moment.
     *
     * @param nanos from {@link #begun} to the head of the response, or to the failure
     * @param begunAt when {@link #begun} was called, by {@link System#nanoTime()}
     * @param now by {@link System#nanoTime()}
     */
    public void ended(int loop, NodeEndpoint endpoint, Outcome outcome, long nanos, long begunAt, long now) {
        core.load(loop).ended(outcome, nanos, now);
        endpoint.load(loop).ended(outcome, nanos, now);
        OutlierDetector outliers = core.outliers();
        if (outliers != null) {
            outliers.ended(endpoint, outcome, now);
        }
        Circuit circuit = core.circuit();
        if (circuit != null && outcome != Outcome.CANCELLED) {
            circuit.ended(loop, outcome.isFailure(), begunAt, now);
        }
    }
}
