package io.sigma.controlplane.fleet;

import io.sigma.json.Json;
import io.sigma.model.NodeEvent;
import io.sigma.model.NodeStanding;
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
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The table of what gateways hold of nodes. Thread-safe. */
final class NodeHealthTable {

    /** Rows that are read for one upstream: every node as 100 gateways see it. */
    static final int ROWS_MAX = 100_000;

    /** Of these, rows of one gateway: an upstream may have so many nodes. */
    static final int ROWS_OF_GATEWAY_MAX = 1_024;

    private static final String UPSERT = """
            insert into node_health (gateway_id, upstream_id, url, state, since, reason, events)
            values ($1, $2, $3, $4, $5, $6, $7)
            on conflict (upstream_id, url, gateway_id) do update set
                state = excluded.state, since = excluded.since, reason = excluded.reason, events = excluded.events,
                reported_at = now()""";

    // Of each gateway so many: one that makes up nodes takes no room from others.
    private static final String SELECT = """
            select gateway_id, url, state, since, reason, events from (
                select *, row_number() over (partition by gateway_id order by url) as place
                from node_health where upstream_id = $1) as held
            where place <= $2 order by url, gateway_id limit $3""";

    private static final String REMOVE =
            "delete from node_health where upstream_id = $1 and url = $2 and gateway_id = $3";

    /** Of one gateway, nodes of an upstream that were not told of for the longest. */
    private static final String TRIM = """
            delete from node_health where gateway_id = $1 and upstream_id = $2 and url in (
                select url from node_health where gateway_id = $1 and upstream_id = $2
                order by reported_at desc, url offset $3)""";

    /** Of the gateways $1; the states $2 are in their order from the worst on. */
    private static final String STANDINGS = """
            select upstream_id, url, min(array_position($2::text[], state)) as worst, count(distinct state) as states
            from node_health where gateway_id = any($1) and %s
            group by upstream_id, url order by upstream_id, url limit $3""";

    private static final String FAILED = STANDINGS.formatted("""
            (upstream_id, url) in (
                select upstream_id, url from node_health
                where state in ('EJECTED', 'UNHEALTHY') and gateway_id = any($1))""");

    private static final String OF_UPSTREAMS = STANDINGS.formatted("upstream_id = any($4)");

    private static final List<String> STATES =
            Arrays.stream(NodeState.values()).map(NodeState::name).toList();

    private static final String DELETE =
            "delete from node_health where reported_at < now() - make_interval(secs => $1)";

    private final Pool pool;

    NodeHealthTable(Pool pool) {
        this.pool = pool;
    }

    /** A gateway's view of a node. */
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

    /** Leaves {@link #ROWS_OF_GATEWAY_MAX} nodes of each upstream, those that the gateway told of last. */
    Future<Void> trim(String gatewayId, Collection<String> upstreamIds) {
        List<Tuple> batch = upstreamIds.stream()
                .map(upstreamId -> Tuple.of(gatewayId, upstreamId, ROWS_OF_GATEWAY_MAX))
                .toList();
        return batch.isEmpty()
                ? Future.succeededFuture()
                : pool.preparedQuery(TRIM).executeBatch(batch).mapEmpty();
    }

    /** Deletes what {@code gatewayId} held of nodes that it does not have any more. */
    Future<Void> remove(String gatewayId, List<HealthReport.Gone> gone) {
        List<Tuple> batch = gone.stream()
                .map(node -> Tuple.of(node.upstreamId(), node.url(), gatewayId))
                .toList();
        return batch.isEmpty()
                ? Future.succeededFuture()
                : pool.preparedQuery(REMOVE).executeBatch(batch).mapEmpty();
    }

    /** Returns what is held of the nodes of one upstream, ordered by node and gateway. */
    Future<List<Entry>> read(String upstreamId) {
        return pool.preparedQuery(SELECT)
                .execute(Tuple.of(upstreamId, ROWS_OF_GATEWAY_MAX, ROWS_MAX))
                .map(rows -> {
                    List<Entry> entries = new ArrayList<>(rows.size());
                    rows.forEach(row -> entries.add(entry(row)));
                    return entries;
                });
    }

    /** As {@link Fleet#standings}. */
    Future<List<NodeStanding>> standings(@Nullable Collection<String> upstreamIds, Collection<String> live, int limit) {
        Tuple tuple = Tuple.tuple()
                .addArrayOfString(live.toArray(String[]::new))
                .addArrayOfString(STATES.toArray(String[]::new))
                .addInteger(limit);
        if (upstreamIds != null) {
            tuple.addArrayOfString(upstreamIds.toArray(String[]::new));
        }
        return pool.preparedQuery(upstreamIds == null ? FAILED : OF_UPSTREAMS)
                .execute(tuple)
                .map(rows -> {
                    List<NodeStanding> standings = new ArrayList<>(rows.size());
                    rows.forEach(row -> standings.add(new NodeStanding(
                            row.getString("upstream_id"),
                            row.getString("url"),
                            NodeState.valueOf(STATES.get(row.getInteger("worst") - 1)),
                            row.getLong("states") > 1)));
                    return standings;
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
