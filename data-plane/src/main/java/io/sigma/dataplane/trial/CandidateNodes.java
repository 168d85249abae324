package io.sigma.dataplane.trial;

import io.sigma.dataplane.engine.Forward;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.flow.NodeRequests;
import io.sigma.dataplane.snapshot.RuntimePass;
import io.sigma.dataplane.snapshot.TrafficSplit;
import io.sigma.dataplane.upstream.Member;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.dataplane.upstream.NodeHealth;
import io.sigma.model.CandidateNode;
import io.sigma.model.CandidateUpstream;
import io.sigma.model.NodeState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The nodes that a request may be sent to, each with the request as it would receive it. Confined to one call. */
final class CandidateNodes {

    private static final int NODES_MAX = 50;

    private final Exchange exchange;
    private final RuntimePass.ToUpstream pass;
    private final String path;
    private final String upgrade;
    private final Function<NodeEndpoint, NodeEndpoint> running;

    /**
     * @param path that a node receives, before its prefix
     * @param running finds the node that runs for one of a snapshot that does not
     */
    CandidateNodes(
            Exchange exchange,
            RuntimePass.ToUpstream pass,
            String path,
            String upgrade,
            Function<NodeEndpoint, NodeEndpoint> running) {
        this.exchange = exchange;
        this.pass = pass;
        this.path = path;
        this.upgrade = upgrade;
        this.running = running;
    }

    List<CandidateUpstream> all() {
        return upstreams(pass.split().shares(exchange), member -> {
            Forward forward = NodeRequests.of(exchange, pass, member.endpoint(), path, upgrade, false, null);
            return node(member, running).host(forward.authority()).target(forward.target());
        });
    }

    /** Returns where connections go whose bytes are passed on: a node gets neither host nor target of the gateway. */
    static List<CandidateUpstream> ofBytes(RuntimePass.ToUpstream pass, Function<NodeEndpoint, NodeEndpoint> running) {
        return upstreams(
                pass.split().shares(), member -> node(member, running).host("").target(""));
    }

    private static List<CandidateUpstream> upstreams(
            List<TrafficSplit.Share> shares, Function<Member, CandidateNode.Builder> node) {
        List<CandidateUpstream> upstreams = new ArrayList<>();
        for (TrafficSplit.Share share : shares) {
            List<Member> members = share.target().cluster().candidates();
            upstreams.add(CandidateUpstream.builder()
                    .upstreamId(share.target().cluster().id())
                    .share(share.share())
                    .nodes(members.stream()
                            .limit(NODES_MAX)
                            .map(member -> node.apply(member).build())
                            .toList())
                    .furtherNodes(Math.max(0, members.size() - NODES_MAX))
                    .build());
        }
        return upstreams;
    }

    private static CandidateNode.Builder node(Member member, Function<NodeEndpoint, NodeEndpoint> running) {
        NodeHealth health = running.apply(member.endpoint()).health();
        return CandidateNode.builder()
                .url(member.endpoint().key().url().text())
                .weight(member.weight())
                .tier(member.tier())
                .state(NodeState.valueOf((member.takesRequests() ? health.view().state() : member.service()).name()))
                .usable(member.takesRequests() && health.isUsable());
    }
}
