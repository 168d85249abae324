package io.sigma.controlplane.api.operation;

import io.sigma.model.Node;
import io.sigma.model.NodeHealth;
import io.sigma.model.NodeState;
import io.sigma.model.NodeView;
import io.sigma.model.Upstream;
import io.sigma.model.UpstreamHealth;
import io.sigma.value.NodeUrl;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
            // What is left was discovered, or is a node of before that is not forgotten yet.
            if (!mine.isEmpty() && isDiscovered(upstream)) {
                nodes.add(merged(url, mine, NodeState.UNKNOWN));
            }
        });
        boolean disagreement = nodes.stream().anyMatch(NodeHealth::disagreement);
        return new UpstreamHealth(upstream.id(), disagreement, nodes);
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
