package io.sigma.controlplane.api.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.model.Node;
import io.sigma.model.NodeHealth;
import io.sigma.model.NodeStanding;
import io.sigma.model.NodeState;
import io.sigma.model.NodeView;
import io.sigma.model.Upstream;
import io.sigma.model.UpstreamHealth;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class HealthMergeTest {

    private static final Upstream UPSTREAM = Upstream.builder()
            .id("shop")
            .nodes(List.of(
                    Node.builder().url("HTTP://Node.test/base/").build(),
                    Node.builder().url("http://10.0.0.2:8080").drain(true).build()))
            .build();

    private static NodeView view(String gateway, NodeState state) {
        return new NodeView(gateway, state, Instant.EPOCH, "", List.of());
    }

    private static UpstreamHealth merge(List<NodeView> first) {
        return HealthMerge.of(UPSTREAM, Map.of("http://node.test:80/base", first), Set.of("a", "b"));
    }

    @Test
    void gatewaysThatAgreeAreOneState() {
        UpstreamHealth health = merge(List.of(view("a", NodeState.HEALTHY), view("b", NodeState.HEALTHY)));
        assertThat(health.disagreement()).isFalse();
        assertThat(health.nodes().getFirst().state()).isEqualTo(NodeState.HEALTHY);
        assertThat(health.nodes().getFirst().url()).isEqualTo("HTTP://Node.test/base/");
    }

    @Test
    void gatewaysThatDifferAreShownAndTheWorstCounts() {
        UpstreamHealth health = merge(List.of(view("a", NodeState.HEALTHY), view("b", NodeState.UNHEALTHY)));
        assertThat(health.disagreement()).isTrue();
        assertThat(health.nodes().getFirst().disagreement()).isTrue();
        assertThat(health.nodes().getFirst().state()).isEqualTo(NodeState.UNHEALTHY);
        assertThat(health.nodes().getFirst().gateways()).hasSize(2);
    }

    @Test
    void theWordOfALostGatewayDoesNotCount() {
        UpstreamHealth health = merge(List.of(view("a", NodeState.HEALTHY), view("lost", NodeState.UNHEALTHY)));
        assertThat(health.disagreement()).isFalse();
        assertThat(health.nodes().getFirst().gateways()).hasSize(1);
    }

    @Test
    void standingsHaveTheUrlsOfTheConfigurationAndNoNodeOfBefore() {
        List<NodeStanding> held = List.of(
                new NodeStanding("gone", "http://node.test:80/base", NodeState.UNHEALTHY, false),
                new NodeStanding("shop", "http://10.9.9.9:80", NodeState.UNHEALTHY, false),
                new NodeStanding("shop", "http://node.test:80/base", NodeState.EJECTED, true));
        NodeStanding ejected = new NodeStanding("shop", "HTTP://Node.test/base/", NodeState.EJECTED, true);
        assertThat(HealthMerge.known(held, Map.of("shop", UPSTREAM))).containsExactly(ejected);
        assertThat(HealthMerge.all(held, List.of(UPSTREAM)))
                .containsExactly(ejected, new NodeStanding("shop", "http://10.0.0.2:8080", NodeState.DRAINING, false));
    }

    @Test
    void discoveredNodesKeepTheirUrls() {
        Upstream discovered = Upstream.builder().id("found").build();
        NodeStanding node = new NodeStanding("found", "http://10.0.0.7:80", NodeState.UNHEALTHY, false);
        assertThat(HealthMerge.known(List.of(node), Map.of("found", discovered)))
                .containsExactly(node);
    }

    @Test
    void withoutAWordTheConfigurationSpeaks() {
        assertThat(merge(List.of()).nodes())
                .extracting(NodeHealth::state)
                .containsExactly(NodeState.UNKNOWN, NodeState.DRAINING);
    }
}
