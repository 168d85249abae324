package io.sigma.inprocess.fleet;

import static io.sigma.inprocess.testkit.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.link.NodeReports;
import io.sigma.inprocess.testkit.Installation;
import io.sigma.inprocess.testkit.Waiting;
import io.sigma.inprocess.testkit.WithInstallation;
import io.sigma.model.Kind;
import io.sigma.model.Node;
import io.sigma.model.NodeChange;
import io.sigma.model.NodeEvent;
import io.sigma.model.NodeEventCause;
import io.sigma.model.NodeState;
import io.sigma.model.NodeTransition;
import io.sigma.model.NodeView;
import io.sigma.model.Upstream;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.NodeReport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The health of nodes on its way to every control plane. */
class NodeHealthTest extends WithInstallation {

    private static final String NODE = "http://10.0.0.1:80";

    @BeforeEach
    void configure() {
        List<Node> nodes = new ArrayList<>(List.of(Node.builder().url(NODE).build()));
        for (int i = 0; i < 100; i++) {
            nodes.add(Node.builder().url("http://10.0.1." + i).build());
        }
        Upstream shop = Upstream.builder().id("shop").nodes(nodes).build();
        installation.log().commit(new EntityChange(Kind.UPSTREAM, "shop", shop));
    }

    /** What a gateway holds, as a test says. */
    private static final class Held implements NodeReports {

        private final List<NodeReport> nodes = new ArrayList<>();
        private long version;

        synchronized void change(String url, NodeState from, NodeState to, String reason) {
            NodeEvent event = new NodeEvent(Instant.now(), from, to, NodeEventCause.ACTIVE, reason);
            nodes.removeIf(node -> node.url().equals(url));
            nodes.add(new NodeReport("shop", url, to, event.at(), reason, List.of(event)));
            version++;
        }

        @Override
        public synchronized long version() {
            return version;
        }

        @Override
        public synchronized List<NodeReport> all() {
            return List.copyOf(nodes);
        }
    }

    private static List<NodeView> views(Installation.ControlPlane controlPlane, String url) {
        return views(controlPlane).getOrDefault(url, List.of());
    }

    private static Map<String, List<NodeView>> views(Installation.ControlPlane controlPlane) {
        return controlPlane
                .fleet()
                .nodeViews("shop")
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }

    @Test
    void anyControlPlaneKnowsWhatEveryGatewayHolds() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");
        Installation.ControlPlane two = installation.controlPlane("two");
        List<NodeChange> heard = new CopyOnWriteArrayList<>();
        one.fleet().onNodeChange(heard::add);
        Held first = new Held();
        Held second = new Held();
        first.change(NODE, NodeState.UNKNOWN, NodeState.UNHEALTHY, "status 500");
        second.change(NODE, NodeState.UNKNOWN, NodeState.HEALTHY, "passed its first check");

        installation.gateway("edge-1", one.port(), first);
        installation.gateway("edge-2", two.port(), second);

        until("both are known", () -> views(two, NODE).size() == 2);
        assertThat(views(two, NODE))
                .extracting(NodeView::state)
                .containsExactly(NodeState.UNHEALTHY, NodeState.HEALTHY);
        assertThat(views(one, NODE)).isEqualTo(views(two, NODE));
        assertThat(views(one, NODE).getFirst().events())
                .extracting(NodeEvent::reason)
                .containsExactly("status 500");

        first.change(NODE, NodeState.UNHEALTHY, NodeState.HEALTHY, "passed 2 checks in a row");

        until("the change is known", () -> views(two, NODE).getFirst().state() == NodeState.HEALTHY);
        until(
                "the control plane of the gateway was told of it",
                () -> heard.stream()
                        .anyMatch(change -> change.gatewayId().equals("edge-1")
                                && change.event().to() == NodeState.HEALTHY));
        assertThat(heard).extracting(NodeChange::gatewayId).containsOnly("edge-1");
    }

    @Test
    void theHistoryTellsWhichGatewaySawWhatAndWhatAllHeldFromThenOn() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");
        Installation.ControlPlane two = installation.controlPlane("two");
        Held first = new Held();
        Held second = new Held();
        installation.gateway("edge-1", one.port(), first);
        installation.gateway("edge-2", two.port(), second);
        first.change(NODE, NodeState.UNKNOWN, NodeState.HEALTHY, "passed its first check");
        until("one is kept", () -> history(one, null, 9).size() == 1);
        second.change(NODE, NodeState.UNKNOWN, NodeState.UNHEALTHY, "status 500");
        until("two are kept", () -> history(one, null, 9).size() == 2);
        first.change(NODE, NodeState.HEALTHY, NodeState.UNHEALTHY, "status 500");
        until("three are kept", () -> history(one, null, 9).size() == 3);

        assertThat(history(one, null, 9)).isEqualTo(history(two, null, 9));
        assertThat(history(one, null, 9))
                .extracting(each ->
                        each.gatewayId() + " " + each.event().to() + " " + each.state() + " " + each.disagreement())
                .containsExactly(
                        "edge-1 UNHEALTHY UNHEALTHY false",
                        "edge-2 UNHEALTHY UNHEALTHY true",
                        "edge-1 HEALTHY HEALTHY false");
        assertThat(history(one, "edge-2", 9)).hasSize(1);
        assertThat(history(one, null, 2)).hasSize(2);
    }

    @Test
    void theHistoryOfANodeIsBoundedByCountAndAge() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");
        Held held = new Held();
        installation.gateway("edge", one.port(), held);
        for (int i = 0; i < 15; i++) {
            String reason = "change " + i;
            held.change(NODE, NodeState.HEALTHY, NodeState.UNHEALTHY, reason);
            until(
                    reason,
                    () -> history(one, null, 99).stream()
                            .anyMatch(each -> each.event().reason().equals(reason)));
        }
        // Older ones are trimmed after the newest is written.
        until("ten are left", () -> history(one, null, 99).size() == 10);
        Waiting.await(installation
                .pool()
                .query(
                        "update node_events set at = now() - interval '2 days' where id < (select max(id) from node_events)")
                .execute());

        assertThat(history(one, null, 99))
                .extracting(each -> each.event().reason())
                .containsExactly("change 14");
    }

    private static List<NodeTransition> history(
            Installation.ControlPlane controlPlane, @Nullable String gatewayId, int limit) {
        return controlPlane
                .fleet()
                .nodeHistory("shop", Long.MAX_VALUE, NODE, gatewayId, limit)
                .toCompletionStage()
                .toCompletableFuture()
                .join()
                .items();
    }

    @Test
    void manyNodesTakeManyReports() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");
        Held held = new Held();
        for (int i = 0; i < 100; i++) {
            held.change("http://10.0.1." + i + ":80", NodeState.UNKNOWN, NodeState.HEALTHY, "x".repeat(250));
        }

        installation.gateway("edge", one.port(), held);

        until("all are known", () -> views(one).size() == 100);
        assertThat(views(one, "http://10.0.1.7:80"))
                .singleElement()
                .satisfies(view -> assertThat(view.gatewayId()).isEqualTo("edge"));
    }
}
