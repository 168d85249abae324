package io.sigma.controlplane.fleet;

import io.sigma.controlplane.reported.FairShare;
import io.sigma.model.NodeEvent;
import io.sigma.model.NodeEventCause;
import io.sigma.model.NodeState;
import io.sigma.model.NodeTransition;
import io.sigma.snapshot.HealthReport;
import io.sigma.snapshot.NodeReport;
import io.vertx.core.Future;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The table of the changes of nodes. Thread-safe. */
final class NodeEventTable {

    /** Rows of all nodes; of further ones the oldest of the gateways with the most are deleted. */
    static final long ROWS_MAX = 1_000_000;

    /** The states, from the worst on. */
    private static final String STATES =
            Arrays.stream(NodeState.values()).map(Enum::name).collect(Collectors.joining("','", "array['", "']"));

    // A gateway repeats its last changes: what is not newer than what is known of it is known, or was forgotten.
    // A change that lies in the future came from a clock that has gone back since, and says nothing of later ones.
    private static final String INSERT = """
            insert into node_events
                (upstream_id, url, gateway_id, at, from_state, to_state, cause, reason, merged, disagreement)
            select $1, $2, $3, $4, $5, $6, $7, $8,
                   coalesce((%s::text[])[min(array_position(%s::text[], held.state))], $6),
                   count(distinct held.state) > 1
            from (select state from node_health
                  where upstream_id = $1 and url = $2 and reported_at > now() - make_interval(secs => $9)) held
            having $4 > now() - make_interval(secs => $10)
               and not exists (select from node_events known
                               where known.upstream_id = $1 and known.url = $2 and known.gateway_id = $3
                                 and (known.at = $4
                                      or (known.at > $4 and known.at <= clock_timestamp() + interval '1 minute')))""".formatted(STATES, STATES);

    // The last of each gateway, then the last but one of each, and so on: one that makes up changes of a node, or whose
    // own way there is broken, pushes out its own only.
    private static final String TRIM = """
            delete from node_events where id in (
                select id from (
                    select id, row_number() over (partition by gateway_id order by id desc) as place
                    from node_events where upstream_id = $1 and url = $2) as held
                order by place, id desc offset $3)""";

    private static final String SELECT = """
            select id, url, gateway_id, at, from_state, to_state, cause, reason, merged, disagreement from node_events
            where upstream_id = $1 and id < $2 and ($3::text is null or url = $3) and ($4::text is null or gateway_id = $4)
                and at > now() - make_interval(secs => $6)
            order by id desc limit $5""";

    private static final String FORGET_OLD = "delete from node_events where at < now() - make_interval(secs => $1)";

    /** The most that there can be, without counting. */
    private static final String SPAN = "select coalesce(max(id) - min(id) + 1, 0) as rows from node_events";

    private static final String COUNT = "select gateway_id, count(*) as rows from node_events group by gateway_id";

    private static final String FORGET_FIRST = """
            delete from node_events where gateway_id = $1 and id <= (
                select id from node_events where gateway_id = $1 order by id desc offset $2 limit 1)""";

    private final Pool pool;
    private final FleetSettings.NodeHistory kept;
    private final long rowsMax;

    NodeEventTable(Pool pool, FleetSettings.NodeHistory kept) {
        this(pool, kept, ROWS_MAX);
    }

    NodeEventTable(Pool pool, FleetSettings.NodeHistory kept, long rowsMax) {
        this.pool = pool;
        this.kept = kept;
        this.rowsMax = rowsMax;
    }

    /** A change, and its place in the order in which control planes heard of them. */
    record Entry(long id, NodeTransition transition) {}

    /**
     * Appends the changes of which {@code report} tells and that are not known; what it holds of nodes is written
     * already.
     */
    Future<Void> append(HealthReport report) {
        List<Tuple> events = new ArrayList<>();
        List<Tuple> nodes = new ArrayList<>();
        for (NodeReport node : report.nodes()) {
            node.events().forEach(event -> events.add(tuple(report.gatewayId(), node, event)));
            nodes.add(Tuple.of(node.upstreamId(), node.url(), kept.max()));
        }
        return events.isEmpty()
                ? Future.succeededFuture()
                : pool.preparedQuery(INSERT)
                        .executeBatch(events)
                        .compose(done -> pool.preparedQuery(TRIM).executeBatch(nodes))
                        .mapEmpty();
    }

    private Tuple tuple(String gatewayId, NodeReport node, NodeEvent event) {
        return Tuple.tuple()
                .addString(node.upstreamId())
                .addString(node.url())
                .addString(gatewayId)
                .addOffsetDateTime(event.at().atOffset(ZoneOffset.UTC))
                .addString(event.from().name())
                .addString(event.to().name())
                .addString(event.cause().name())
                .addString(event.reason())
                .addDouble((double) NodeHealthSync.FORGET_AFTER.toSeconds())
                .addDouble((double) kept.age().toSeconds());
    }

    /**
     * Returns at most {@code limit} changes of the nodes of an upstream, the last one first.
     *
     * @param before the id before which they are
     * @param url null for all nodes
     * @param gatewayId null for all gateways
     */
    Future<List<Entry>> read(
            String upstreamId, long before, @Nullable String url, @Nullable String gatewayId, int limit) {
        return pool.preparedQuery(SELECT)
                .execute(Tuple.of(upstreamId, before, url, gatewayId, limit, (double)
                        kept.age().toSeconds()))
                .map(NodeEventTable::entries);
    }

    private static List<Entry> entries(RowSet<Row> rows) {
        List<Entry> entries = new ArrayList<>(rows.size());
        for (Row row : rows) {
            NodeEvent event = new NodeEvent(
                    row.getOffsetDateTime("at").toInstant(),
                    NodeState.valueOf(row.getString("from_state")),
                    NodeState.valueOf(row.getString("to_state")),
                    NodeEventCause.valueOf(row.getString("cause")),
                    row.getString("reason"));
            entries.add(new Entry(
                    row.getLong("id"),
                    new NodeTransition(
                            row.getString("url"),
                            row.getString("gateway_id"),
                            event,
                            NodeState.valueOf(row.getString("merged")),
                            row.getBoolean("disagreement"))));
        }
        return entries;
    }

    /** Deletes what is too old, and what is too much: of a gateway that has less than its share nothing. */
    Future<Void> forget() {
        return pool.preparedQuery(FORGET_OLD)
                .execute(Tuple.of((double) kept.age().toSeconds()))
                .compose(done -> pool.query(SPAN).execute())
                .compose(span -> span.iterator().next().getLong("rows") <= rowsMax
                        ? Future.succeededFuture()
                        : pool.query(COUNT).execute().compose(this::share));
    }

    private Future<Void> share(RowSet<Row> counts) {
        Map<String, Long> rows = new HashMap<>();
        counts.forEach(row -> rows.put(row.getString("gateway_id"), row.getLong("rows")));
        long share = FairShare.of(rows.values(), rowsMax);
        List<Tuple> batch = new ArrayList<>();
        rows.forEach((gatewayId, count) -> {
            if (count > share) {
                batch.add(Tuple.of(gatewayId, share));
            }
        });
        return batch.isEmpty()
                ? Future.succeededFuture()
                : pool.preparedQuery(FORGET_FIRST).executeBatch(batch).mapEmpty();
    }
}
