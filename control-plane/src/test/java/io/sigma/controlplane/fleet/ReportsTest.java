package io.sigma.controlplane.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sigma.controlplane.testing.TestDatabase;
import io.sigma.controlplane.traffic.TrafficLog;
import io.sigma.model.NodeEvent;
import io.sigma.model.NodeEventCause;
import io.sigma.model.NodeState;
import io.sigma.model.NodeView;
import io.sigma.snapshot.HealthReport;
import io.sigma.snapshot.NodeReport;
import io.sigma.snapshot.SnapshotProtocol;
import io.sigma.snapshot.TrafficReport;
import io.vertx.core.Future;
import io.vertx.sqlclient.Pool;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Reports of gateways in the tables of all control planes, with wrong clocks and failing databases. */
final class ReportsTest extends FleetTablesContract {

    private List<String> counted() {
        return TestDatabase.query(url, "select sum(requests) from traffic where seconds = 60 and kind = 'ROUTE'");
    }

    @Test
    void aGatewayWhoseClockWentBackIsCounted() throws Exception {
        TrafficLog log = fleet().traffic();
        await(log.heard(traffic("edge", STARTED, 7, "a")));
        await(log.heard(traffic("edge", STARTED.minusSeconds(3600), 1, "a")));
        await(log.heard(traffic("edge", STARTED.minusSeconds(3600), 1, "a")));
        assertThat(counted()).containsExactly("2");
    }

    @Test
    void oneReportThatTheDatabaseRefusesKeepsNoOtherFromBeingCounted() throws Exception {
        TestDatabase.execute(url, "alter table traffic add check (id <> 'odd')");
        TrafficLog log = fleet().traffic();
        Future<Void> first = log.heard(traffic("a", STARTED, 1, "a"));
        Future<Void> odd = log.heard(traffic("b", STARTED, 1, "odd"));
        Future<Void> last = log.heard(traffic("c", STARTED, 1, "a"));
        await(first);
        await(last);
        assertThatThrownBy(() -> await(odd)).hasMessageContaining("check");
        assertThat(counted()).containsExactly("2");
    }

    @Test
    void aClockThatWentBackLosesNothingThatWasCounted() throws Exception {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
        TrafficLog log = new TrafficLog(
                vertx,
                vertx.getOrCreateContext(),
                java.util.Objects.requireNonNull(store).database().pool(),
                new TrafficLog.Limits(100, Duration.ofHours(1), Duration.ofDays(1)),
                now::get,
                configured());
        await(log.heard(traffic("edge", STARTED, 1, "a")));
        now.updateAndGet(time -> time.plusSeconds(1_200));
        await(log.heard(traffic("edge", STARTED, 2, "a")));
        now.updateAndGet(time -> time.minusSeconds(1_200));
        await(log.heard(traffic("edge", STARTED, 3, "a")));
        await(log.heard(traffic("edge", STARTED, 4, "a")));
        assertThat(counted()).containsExactly("4");
        log.close();
    }

    private static Pool failing(Error error) {
        return (Pool) Proxy.newProxyInstance(
                Pool.class.getClassLoader(), new Class<?>[] {Pool.class}, (proxy, method, arguments) -> {
                    throw error;
                });
    }

    @Test
    void everyReportIsAnsweredWhateverIsThrown() {
        Pool pool = failing(new StackOverflowError("on purpose"));
        TrafficLog log = new TrafficLog(
                vertx,
                vertx.getOrCreateContext(),
                pool,
                new TrafficLog.Limits(100, Duration.ofHours(1), Duration.ofDays(1)),
                Instant::now,
                configured());
        for (int i = 1; i <= 2; i++) {
            int sequence = i;
            assertThatThrownBy(() -> await(log.heard(traffic("edge", STARTED, sequence, "a"))))
                    .hasMessage("on purpose");
        }
        log.close();
    }

    @Test
    @SuppressWarnings("NullAway") // What comes over the bus may lack anything.
    void reportsOfNobodyKeepNoOtherFromBeingCounted() throws Exception {
        TrafficLog log = fleet().traffic();
        TrafficReport nobodys = new TrafficReport(null, STARTED, 1, 0, List.of());
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> await(log.heard(nobodys))).hasMessageContaining("gatewayId");
        }
        await(log.heard(traffic("edge", STARTED, 1, "a")));
        assertThat(counted()).containsExactly("1");
    }

    /** What is counted late is of a time that nothing is remembered of, be it that it is not forgotten yet. */
    @Test
    void whatComesLateIsAddedAndNothingIsCountedTwice() throws Exception {
        Instant minute = Instant.now().truncatedTo(ChronoUnit.MINUTES).minusSeconds(3_600);
        AtomicReference<Instant> now = new AtomicReference<>(minute.plusSeconds(30));
        TrafficLog log = new TrafficLog(
                vertx,
                vertx.getOrCreateContext(),
                java.util.Objects.requireNonNull(store).database().pool(),
                new TrafficLog.Limits(100, Duration.ofHours(9), Duration.ofDays(1)),
                now::get,
                configured());
        await(log.heard(traffic("edge", STARTED, 1, "a")));
        now.updateAndGet(time -> time.plusSeconds(240));
        TrafficReport late = new TrafficReport(
                "edge", STARTED, 2, 240_000, traffic("edge", STARTED, 2, "a").entries());
        await(log.heard(late));
        assertThat(counted()).containsExactly("2");
        log.close();
    }

    private HealthReport change(Instant at, NodeState from, NodeState to) {
        NodeEvent event = new NodeEvent(at, from, to, NodeEventCause.ACTIVE, "");
        return HealthReport.of(
                "edge", true, List.of(new NodeReport("shop", "http://10.0.0.1:80", to, at, "", List.of(event))));
    }

    @Test
    void aGatewayWhoseClockWentBackTellsOfItsNodes() throws Exception {
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        HealthReport early = change(now.plusSeconds(3_600), NodeState.HEALTHY, NodeState.UNHEALTHY);
        await(vertx.eventBus().request(SnapshotProtocol.HEALTH, FleetJson.of(early)));
        HealthReport late = change(now, NodeState.UNHEALTHY, NodeState.HEALTHY);
        await(vertx.eventBus().request(SnapshotProtocol.HEALTH, FleetJson.of(late)));
        // As gateways repeat what they told last.
        await(vertx.eventBus().request(SnapshotProtocol.HEALTH, FleetJson.of(early)));
        await(vertx.eventBus().request(SnapshotProtocol.HEALTH, FleetJson.of(late)));
        assertThat(TestDatabase.query(url, "select to_state from node_events order by id"))
                .containsExactly("UNHEALTHY", "HEALTHY");
    }

    private static NodeReport node(String url, String reason) {
        NodeEvent event = new NodeEvent(STARTED, NodeState.HEALTHY, NodeState.UNHEALTHY, NodeEventCause.ACTIVE, reason);
        return new NodeReport("shop", url, NodeState.UNHEALTHY, STARTED, reason, List.of(event));
    }

    private Future<?> tell(HealthReport report) {
        return vertx.eventBus().request(SnapshotProtocol.HEALTH, FleetJson.of(report));
    }

    @Test
    void nodesThatAGatewayDoesNotHaveAnyMoreAreNotListed() throws Exception {
        List<NodeReport> nodes = List.of(node("http://10.0.0.1:80", ""), node("http://10.0.0.2:80", ""));
        await(tell(HealthReport.of("edge", false, nodes)));
        await(tell(HealthReport.of("other", false, nodes)));
        HealthReport.Gone gone = new HealthReport.Gone("shop", "http://10.0.0.1:80");
        await(tell(new HealthReport("edge", false, List.of(), List.of(gone))));
        assertThat(await(fleet().nodeViews("shop")))
                .hasEntrySatisfying(
                        "http://10.0.0.1:80",
                        views -> assertThat(views)
                                .extracting(NodeView::gatewayId)
                                .containsExactly("other"))
                .hasEntrySatisfying(
                        "http://10.0.0.2:80", views -> assertThat(views).hasSize(2));
    }

    @Test
    void whatAGatewaySaysOfNodesIsCutToWhatGatewaysSay() throws Exception {
        await(tell(HealthReport.of("edge", true, List.of(node("http://10.0.0.1:80", "x".repeat(2_000))))));
        NodeView view = await(fleet().nodeViews("shop"))
                .getOrDefault("http://10.0.0.1:80", List.of())
                .getFirst();
        assertThat(view.reason()).hasSize(NodeReport.REASON_LENGTH_MAX);
        assertThat(view.events().getFirst().reason()).hasSize(NodeReport.REASON_LENGTH_MAX);
    }

    @Test
    void aGatewayThatMakesUpNodesTakesNoRoomFromOthers() throws Exception {
        TestDatabase.execute(
                url,
                "insert into node_health (gateway_id, upstream_id, url, state, since, reason, events)"
                        + " select 'liar', 'shop', 'http://10.0.0.1:' || n, 'HEALTHY', now(), '', '[]'"
                        + " from generate_series(1, 5000) as n");
        await(tell(HealthReport.of("edge", false, List.of(node("http://10.0.0.9:80", "")))));
        assertThat(await(fleet().nodeViews("shop")))
                .hasSize(NodeHealthTable.ROWS_OF_GATEWAY_MAX + 1)
                .containsKey("http://10.0.0.9:80");
    }

    /** Gateways wait for the answer to a report before they send the next. */
    @Test
    void aGatewayHasOneReportWrittenAtATime() throws Exception {
        List<Future<?>> told = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            told.add(tell(HealthReport.of("edge", false, List.of(node("http://10.0.0.1:" + (1 + i), "")))));
        }
        Future<?> others = tell(HealthReport.of("other", false, List.of(node("http://10.0.0.1:80", ""))));
        await(others);
        await(Future.join(told).otherwiseEmpty());
        assertThat(told.getFirst().succeeded()).isTrue();
        assertThat(told).anyMatch(Future::failed);
        await(tell(HealthReport.of("edge", false, List.of(node("http://10.0.0.1:80", "")))));
    }

    @Test
    void changesOfNodesThatAreTooOldAreForgottenByAnIndex() {
        TestDatabase.execute(
                url,
                "insert into node_events (upstream_id, url, gateway_id, at, from_state, to_state, cause, reason, merged,"
                        + " disagreement) select 'u', 'http://a', 'g', now() - make_interval(mins => n), 'HEALTHY',"
                        + " 'UNHEALTHY', 'ACTIVE', '', 'UNHEALTHY', false from generate_series(1, 20000) n");
        TestDatabase.execute(url, "analyze node_events");
        assertThat(String.join(
                        "\n",
                        TestDatabase.query(
                                url, "explain delete from node_events where at < now() - make_interval(days => 13)")))
                .contains("node_events_at");
    }
}
