package io.sigma.controlplane.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.testing.TestDatabase;
import io.sigma.controlplane.traffic.TrafficLog;
import io.sigma.model.NodeEvent;
import io.sigma.model.NodeEventCause;
import io.sigma.model.NodeState;
import io.sigma.snapshot.HealthReport;
import io.sigma.snapshot.NodeReport;
import io.sigma.snapshot.SnapshotProtocol;
import io.sigma.snapshot.TrafficReport;
import io.vertx.core.Future;
import io.vertx.sqlclient.Pool;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A gateway that lies takes nothing from what others told, and what the configuration does not have is not kept. */
final class MadeUpReportsTest extends FleetTablesContract {

    private final Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);

    private NodeReport node(String upstream, String node, Instant at) {
        NodeEvent event = new NodeEvent(at, NodeState.HEALTHY, NodeState.UNHEALTHY, NodeEventCause.ACTIVE, "");
        return new NodeReport(upstream, node, NodeState.UNHEALTHY, at, "", List.of(event));
    }

    private void tell(String gateway, NodeReport... nodes) throws Exception {
        await(vertx.eventBus()
                .request(SnapshotProtocol.HEALTH, FleetJson.of(HealthReport.of(gateway, true, List.of(nodes)))));
    }

    private List<String> query(String sql) {
        return TestDatabase.query(url, sql);
    }

    @Test
    void nodesThatAreNotConfiguredAreNotKept() throws Exception {
        tell(
                "liar",
                node("none", "http://10.0.0.1:80", now),
                node("shop", "http://10.0.1.1:80", now),
                node("shop", "http://10.0.0.1:80", now));
        assertThat(query("select upstream_id || ' ' || url from node_health"))
                .containsExactly("shop http://10.0.0.1:80");
        assertThat(query("select upstream_id || ' ' || url from node_events"))
                .containsExactly("shop http://10.0.0.1:80");
    }

    @Test
    void aGatewayHasOnlySoManyNodesThatWereDiscovered() throws Exception {
        tell("edge", node("found", "http://10.1.0.1:80", now));
        TestDatabase.execute(
                url,
                "insert into node_health (gateway_id, upstream_id, url, state, since, reason, events, reported_at)"
                        + " select 'liar', 'found', 'http://10.0.0.1:' || n, 'HEALTHY', now(), '', '[]',"
                        + " now() - interval '1 second' from generate_series(1, 2000) as n");
        tell("liar", node("found", "http://10.9.0.1:80", now));
        assertThat(query("select gateway_id, count(*) from node_health group by gateway_id order by 1"))
                .hasSize(2);
        assertThat(query("select count(*) from node_health where gateway_id = 'liar'"))
                .containsExactly("" + NodeHealthTable.ROWS_OF_GATEWAY_MAX);
        assertThat(query("select url from node_health where url like '%10.9.%' or gateway_id = 'edge' order by url"))
                .containsExactly("http://10.1.0.1:80", "http://10.9.0.1:80");
    }

    @Test
    void changesOfANodeThatOneGatewayMakesUpPushOutThoseOfNoOther() throws Exception {
        tell("edge", node("shop", "http://10.0.0.1:80", now.minusSeconds(3_600)));
        for (int i = 0; i < 120; i++) {
            tell("liar", node("shop", "http://10.0.0.1:80", now.minusSeconds(1_000 - i)));
        }
        assertThat(query("select gateway_id from node_events where gateway_id = 'edge'"))
                .hasSize(1);
        assertThat(query("select count(*) from node_events")).containsExactly("100");
        assertThat(query("select max(at) from node_events where gateway_id = 'liar'"))
                .isEqualTo(query("select max(at) from node_events"));
    }

    @Test
    void changesOfManyNodesThatOneGatewayMakesUpPushOutThoseOfNoOther() throws Exception {
        TestDatabase.execute(
                url,
                "insert into node_events (upstream_id, url, gateway_id, at, from_state, to_state,"
                        + " cause, reason, merged, disagreement) select 'shop', 'http://10.0.0.' || n, case when n <= 30 then"
                        + " 'edge' else 'liar' end, now(), 'HEALTHY', 'UNHEALTHY', 'ACTIVE', '', 'UNHEALTHY', false from"
                        + " generate_series(1, 500) n");
        Pool pool = Objects.requireNonNull(store).database().pool();
        await(new NodeEventTable(pool, new FleetSettings.NodeHistory(Duration.ofDays(1), 100), 100).forget());
        assertThat(query("select gateway_id || ' ' || count(*) from node_events group by gateway_id order by 1"))
                .containsExactly("edge 30", "liar 70");
        assertThat(query("select url from node_events where gateway_id = 'liar' order by id desc limit 1"))
                .containsExactly("http://10.0.0.500");
    }

    @Test
    void trafficOfRoutesThatAreNotConfiguredIsCountedAsOne() throws Exception {
        TrafficLog log = fleet().traffic();
        for (int i = 1; i <= 3_000; i += 100) {
            TrafficReport report = traffic("liar", STARTED, i, "x" + i);
            await(log.heard(report));
        }
        await(log.heard(traffic("edge", STARTED, 1, "a")));
        assertThat(query("select id || ' ' || sum(requests) from traffic where seconds = 60 and kind = 'ROUTE'"
                        + " group by id order by id"))
                .containsExactly("a 1", "other 30");
    }

    @Test
    void reportsOfOneGatewayThatWaitKeepNoOtherFromBeingCounted() throws Exception {
        TrafficLog log = fleet().traffic();
        List<Future<Void>> flood = new ArrayList<>();
        for (int i = 1; i <= 5_000; i++) {
            flood.add(log.heard(traffic("liar", STARTED, i, "a")));
        }
        Future<Void> other = log.heard(traffic("edge", STARTED, 1, "a"));
        await(other);
        await(Future.join(flood).otherwiseEmpty());
        assertThat(flood.getFirst().succeeded()).isTrue();
        assertThat(flood).anyMatch(Future::failed);
    }
}
