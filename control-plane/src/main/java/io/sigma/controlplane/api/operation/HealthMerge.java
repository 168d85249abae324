package io.sigma.controlplane.api.operation;

import io.sigma.model.Node;
import io.sigma.model.NodeHealth;
import io.sigma.model.NodeStanding;
import io.sigma.model.NodeState;
import io.sigma.model.NodeView;
import io.sigma.model.Upstream;
import io.sigma.model.UpstreamHealth;
import io.sigma.value.NodeUrl;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Merges what gateways hold of the nodes of an upstream. */
final class HealthMerge {

    private HealthMerge() {}

    /**
     * Returns the merged health.
     *
     * @param views by node in the form of {@link NodeUrl#text()}
     * @param live gateways whose word counts
     */
    static UpstreamHealth of(Upstream upstream, Map<String, List<NodeView>> views, Set<String> live) {
        Map<String, List<NodeView>> left = new LinkedHashMap<>(views);
        List<NodeHealth> nodes = new ArrayList<>();
        for (Node node : upstream.nodes()) {
            List<NodeView> mine = of(live, left.remove(NodeUrl.parse(node.url()).text()));
            nodes.add(merged(node.url(), mine, configured(node)));
        }
        left.forEach((url, held) -> {
            List<NodeView> mine = of(live, held);
            // The remaining nodes were discovered, or belong to an earlier configuration and are not forgotten yet.
            if (!mine.isEmpty() && isDiscovered(upstream)) {
                nodes.add(merged(url, mine, NodeState.UNKNOWN));
            }
        });
        boolean disagreement = nodes.stream().anyMatch(NodeHealth::disagreement);
        return new UpstreamHealth(upstream.id(), disagreement, nodes);
    }

    /**
     * Returns the nodes of {@code held} that {@code upstreams} have, with the URLs that these give them.
     *
     * @param held with URLs in the form of {@link NodeUrl#text()}
     */
    static List<NodeStanding> known(List<NodeStanding> held, Map<String, Upstream> upstreams) {
        List<NodeStanding> known = new ArrayList<>();
        Map<String, Map<String, String>> urls = new HashMap<>();
        for (NodeStanding standing : held) {
            Upstream upstream = upstreams.get(standing.upstreamId());
            if (upstream == null) {
                continue;
            }
            String url = isDiscovered(upstream)
                    ? standing.url()
                    : urls.computeIfAbsent(standing.upstreamId(), id -> urls(upstream))
                            .get(standing.url());
            if (url != null) {
                known.add(standing.toBuilder().url(url).build());
            }
        }
        return known;
    }

    /** Returns the nodes of {@code upstreams}: as {@code held} says, and what it does not have as configured. */
    static List<NodeStanding> all(List<NodeStanding> held, Collection<Upstream> upstreams) {
        List<NodeStanding> all = new ArrayList<>();
        for (Upstream upstream : upstreams) {
            List<NodeStanding> mine = held.stream()
                    .filter(standing -> standing.upstreamId().equals(upstream.id()))
                    .toList();
            List<NodeStanding> known = known(mine, Map.of(String.valueOf(upstream.id()), upstream));
            Set<String> told = known.stream().map(NodeStanding::url).collect(Collectors.toSet());
            all.addAll(known);
            upstream.nodes().stream()
                    .filter(node -> !told.contains(node.url()))
                    .forEach(node -> all.add(
                            new NodeStanding(String.valueOf(upstream.id()), node.url(), configured(node), false)));
        }
        all.sort(Comparator.comparing(NodeStanding::upstreamId).thenComparing(NodeStanding::url));
        return all;
    }

    private static Map<String, String> urls(Upstream upstream) {
        Map<String, String> urls = new HashMap<>();
        upstream.nodes().forEach(node -> urls.put(NodeUrl.parse(node.url()).text(), node.url()));
        return urls;
    }

    private static boolean isDiscovered(Upstream upstream) {
        return upstream.nodes().isEmpty();
    }

    private static List<NodeView> of(Set<String> live, @Nullable List<NodeView> held) {
        return held == null
                ? List.of()
                : held.stream().filter(view -> live.contains(view.gatewayId())).toList();
    }

    private static NodeState configured(Node node) {
        return node.down() ? NodeState.DOWN : node.drain() ? NodeState.DRAINING : NodeState.UNKNOWN;
    }

    /** The states are declared from the worst on. */
    private static NodeHealth merged(String url, List<NodeView> views, NodeState otherwise) {
        NodeState worst = views.stream()
                .map(NodeView::state)
                .min(Comparator.naturalOrder())
                .orElse(otherwise);
        boolean differ = views.stream().map(NodeView::state).distinct().count() > 1;
        return new NodeHealth(url, worst, differ, views);
    }
}
