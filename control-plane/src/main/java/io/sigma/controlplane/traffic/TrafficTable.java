package io.sigma.controlplane.traffic;

import io.sigma.snapshot.TrafficReport;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The tables of traffic. Thread-safe. */
final class TrafficTable {

    /**
     * Whoever has no report before this one gets a row; one that was counted already gets none. A start that differs is
     * another run, also when it is earlier: clocks are set back.
     */
    private static final String ACCEPT = """
            insert into traffic_reports (gateway_id, started_at, sequence) values ($1, $2, $3)
            on conflict (gateway_id) do update set
                started_at = excluded.started_at, sequence = excluded.sequence, reported_at = now()
            where traffic_reports.started_at <> excluded.started_at or traffic_reports.sequence < excluded.sequence""";

    private static final String UPSERT = """
            insert into traffic (seconds, kind, id, slot, writer, requests, failures, bytes, cells)
            values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            on conflict (seconds, kind, id, slot, writer) do update set
                requests = excluded.requests, failures = excluded.failures, bytes = excluded.bytes, cells = excluded.cells""";

    private static final String SERIES = """
            select slot, cells from traffic
            where seconds = $1 and kind = $2 and id = $3 and slot >= $4 and slot < $5 order by slot""";

    private static final String SLOTS = """
            select distinct slot from traffic
            where seconds = $1 and kind = $2 and id = $3 and slot >= $4 and slot < $5 order by slot""";

    private static final String TOP = """
            select id, cells from traffic where seconds = $1 and kind = $2 and slot >= $3 and slot < $4 and id in (
                select id from traffic where seconds = $1 and kind = $2 and slot >= $3 and slot < $4
                group by id order by sum(case $5 when 'requests' then requests when 'failures' then failures else bytes end) desc, id
                limit $6)""";

    private static final String TOP_OF = """
            with part as (
                select traffic.id, cells, requests, failures, bytes
                from traffic join unnest($7::text[], $8::timestamptz[]) as own (id, since) on own.id = traffic.id
                where seconds = $1 and kind = $2 and slot >= $3 and slot < $4 and slot >= own.since)
            select id, cells from part where id in (
                select id from part
                group by id order by sum(case $5 when 'requests' then requests when 'failures' then failures else bytes end) desc, id
                limit $6)""";

    private static final String FORGET =
            "delete from traffic where seconds = $1 and slot < now() - make_interval(secs => $2)";
    private static final String FORGET_REPORTS =
            "delete from traffic_reports where reported_at < now() - make_interval(days => 2)";

    private final Pool pool;

    TrafficTable(Pool pool) {
        this.pool = pool;
    }

    /**
     * A slot of one series of traffic.
     *
     * @param seconds the length of the slot: 5 or 60
     * @param start of the slot, in seconds since 1970
     */
    record Slot(int seconds, String kind, String id, long start) {}

    Future<SqlConnection> connection() {
        return pool.getConnection();
    }

    /** Returns which of {@code reports} are new, in their order, within the transaction of {@code connection}. */
    Future<List<Boolean>> accept(SqlConnection connection, List<TrafficReport> reports) {
        List<Tuple> batch = new ArrayList<>();
        for (TrafficReport report : reports) {
            batch.add(Tuple.of(report.gatewayId(), report.startedAt().atOffset(ZoneOffset.UTC), report.sequence()));
        }
        return connection.preparedQuery(ACCEPT).executeBatch(batch).map(results -> {
            List<Boolean> accepted = new ArrayList<>();
            for (@Nullable RowSet<Row> each = results; each != null; each = each.next()) {
                accepted.add(each.rowCount() > 0);
            }
            return accepted;
        });
    }

    Future<Void> write(SqlConnection connection, String writer, Map<Slot, TrafficCells> counts) {
        List<Tuple> batch = new ArrayList<>();
        counts.forEach((slot, cells) -> batch.add(Tuple.tuple()
                .addInteger(slot.seconds())
                .addString(slot.kind())
                .addString(slot.id())
                .addOffsetDateTime(Instant.ofEpochSecond(slot.start()).atOffset(ZoneOffset.UTC))
                .addString(writer)
                .addLong(cells.requests())
                .addLong(cells.failures())
                .addLong(cells.bytes())
                .addBuffer(Buffer.buffer(cells.encode()))));
        return batch.isEmpty()
                ? Future.succeededFuture()
                : connection.preparedQuery(UPSERT).executeBatch(batch).mapEmpty();
    }

    /** Returns what was counted of one thing, by the start of slots. */
    Future<SortedMap<Instant, TrafficCells>> series(int seconds, String kind, String id, Instant from, Instant to) {
        return pool.preparedQuery(SERIES)
                .execute(Tuple.of(seconds, kind, id, from.atOffset(ZoneOffset.UTC), to.atOffset(ZoneOffset.UTC)))
                .map(rows -> {
                    SortedMap<Instant, TrafficCells> series = new TreeMap<>();
                    rows.forEach(row -> series.computeIfAbsent(
                                    row.getOffsetDateTime("slot").toInstant(), slot -> new TrafficCells())
                            .add(row.getBuffer("cells").getBytes()));
                    return series;
                });
    }

    /** Returns the starts of the slots in which something was noted of one thing, in their order. */
    Future<List<Instant>> slots(int seconds, String kind, String id, Instant from, Instant to) {
        return pool.preparedQuery(SLOTS)
                .execute(Tuple.of(seconds, kind, id, from.atOffset(ZoneOffset.UTC), to.atOffset(ZoneOffset.UTC)))
                .map(rows -> {
                    List<Instant> slots = new ArrayList<>();
                    rows.forEach(row -> slots.add(row.getOffsetDateTime("slot").toInstant()));
                    return slots;
                });
    }

    /** Returns what was counted of the things with the most of {@code by}. */
    Future<Map<String, TrafficCells>> top(int seconds, String kind, Instant from, Instant to, String by, int limit) {
        return pool.preparedQuery(TOP)
                .execute(Tuple.of(seconds, kind, from.atOffset(ZoneOffset.UTC), to.atOffset(ZoneOffset.UTC), by, limit))
                .map(TrafficTable::top);
    }

    /** As {@link #top}, of the ids of {@code beginnings}, each in slots that began then or later. */
    Future<Map<String, TrafficCells>> topOf(
            int seconds, String kind, Instant from, Instant to, String by, int limit, Map<String, Instant> beginnings) {
        List<String> ids = List.copyOf(beginnings.keySet());
        return pool.preparedQuery(TOP_OF)
                .execute(Tuple.tuple()
                        .addInteger(seconds)
                        .addString(kind)
                        .addOffsetDateTime(from.atOffset(ZoneOffset.UTC))
                        .addOffsetDateTime(to.atOffset(ZoneOffset.UTC))
                        .addString(by)
                        .addInteger(limit)
                        .addArrayOfString(ids.toArray(String[]::new))
                        .addArrayOfOffsetDateTime(ids.stream()
                                .map(id -> beginnings.getOrDefault(id, to).atOffset(ZoneOffset.UTC))
                                .toArray(OffsetDateTime[]::new)))
                .map(TrafficTable::top);
    }

    private static Map<String, TrafficCells> top(RowSet<Row> rows) {
        Map<String, TrafficCells> top = new TreeMap<>();
        rows.forEach(row -> top.computeIfAbsent(row.getString("id"), id -> new TrafficCells())
                .add(row.getBuffer("cells").getBytes()));
        return top;
    }

    /** Deletes slots that are older than {@code age} seconds. */
    Future<Void> forget(int seconds, long age) {
        return pool.preparedQuery(FORGET)
                .execute(Tuple.of(seconds, (double) age))
                .mapEmpty();
    }

    Future<Void> forgetReports() {
        return pool.query(FORGET_REPORTS).execute().mapEmpty();
    }
}
