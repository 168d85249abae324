package io.sigma.controlplane.fleet;

import io.sigma.json.Json;
import io.sigma.model.NodeEvent;
import io.sigma.model.NodeState;
import io.sigma.model.NodeView;
import io.sigma.snapshot.HealthReport;
import io.sigma.snapshot.NodeReport;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/** The table of what gateways hold of nodes. Thread-safe. */
final class NodeHealthTable {

    /** Rows that are read for one upstream: every node as 100 gateways see it. */
    static final int ROWS_MAX = 100_000;

    private static final String UPSERT = """
            insert into node_health (gateway_id, upstream_id, url, state, since, reason, events)
            values ($1, $2, $3, $4, $5, $6, $7)
            on conflict (upstream_id, url, gateway_id) do update set
                state = excluded.state, since = excluded.since, reason = excluded.reason, events = excluded.events,
                reported_at = now()""";

    private static final String SELECT = """
            select gateway_id, url, state, since, reason, events from node_health
            where upstream_id = $1 order by url, gateway_id limit $2""";

    private static final String DELETE =
            "delete from node_health where reported_at < now() - make_interval(secs => $1)";

    private final Pool pool;

    NodeHealthTable(Pool pool) {
        this.pool = pool;
    }

    /** What one gateway holds of one node. */
    record Entry(String url, NodeView view) {}

    Future<Void> write(HealthReport report) {
        List<Tuple> batch = new ArrayList<>(report.nodes().size());
        for (NodeReport node : report.nodes()) {
            batch.add(Tuple.tuple()
                    .addString(report.gatewayId())
                    .addString(node.upstreamId())
                    .addString(node.url())
                    .addString(node.state().name())
                    .addOffsetDateTime(node.since().atOffset(ZoneOffset.UTC))
                    .addString(node.reason())
                    .addValue(new JsonArray(Json.text(node.events()))));
        }
        return batch.isEmpty()
                ? Future.succeededFuture()
                : pool.preparedQuery(UPSERT).executeBatch(batch).mapEmpty();
    }

    /** Returns what is held of the nodes of one upstream, ordered by node and gateway. */
    Future<List<Entry>> read(String upstreamId) {
        return pool.preparedQuery(SELECT)
                .execute(Tuple.of(upstreamId, ROWS_MAX))
                .map(rows -> {
                    List<Entry> entries = new ArrayList<>(rows.size());
                    rows.forEach(row -> entries.add(entry(row)));
                    return entries;
                });
    }

    private static Entry entry(Row row) {
        List<NodeEvent> events = List.of(Json.read(row.getJsonArray("events").encode(), NodeEvent[].class));
        NodeView view = new NodeView(
                row.getString("gateway_id"),
                NodeState.valueOf(row.getString("state")),
                row.getOffsetDateTime("since").toInstant(),
                row.getString("reason"),
                events);
        return new Entry(row.getString("url"), view);
    }

    /** Deletes what was reported longer ago than {@code age}. */
    Future<Void> forget(Duration age) {
        return pool.preparedQuery(DELETE)
                .execute(Tuple.of((double) age.toSeconds()))
                .mapEmpty();
    }
}
