package io.sigma.controlplane.events;

import io.vertx.core.Future;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The table of events. Thread-safe. */
final class EventTable {

    /** A notification says that there is more. */
    static final String CHANNEL = "sigma_event";

    /**
     * Writers take turns, so the order of ids is that of the commits: whoever has read one has read all before it. A
     * statement of its own, so that the next one sees what the writer before has committed.
     */
    private static final String TURN = "select pg_advisory_xact_lock(7316201)";

    private static final String INSERT = """
            insert into event_log (type, subject, ordinal, mark, data)
            select said.type, said.subject, said.ordinal, said.mark, said.data
            from unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[]) with ordinality
                as said (type, subject, ordinal, mark, data, place)
            left join lateral (
                select e.ordinal, e.mark from event_log e where e.subject = said.subject order by e.id desc limit 1
            ) known on true
            where known.mark is null or known.ordinal < said.ordinal
                or (known.ordinal = said.ordinal and known.mark <> said.mark)
            order by said.place""";

    private static final String NOTIFY = "notify " + CHANNEL;

    private static final String COLUMNS = "id, (extract(epoch from at) * 1000)::bigint as millis, type, ordinal, data";
    private static final String FROM = "select " + COLUMNS + " from event_log where id >= $1 order by id limit $2";
    private static final String NEWEST =
            "select " + COLUMNS + " from (select * from event_log order by id desc limit $1) newest order by id";
    private static final String FORGET =
            "delete from event_log where id <= (select coalesce(max(id), 0) - $1 from event_log)";

    private final Pool pool;

    EventTable(Pool pool) {
        this.pool = pool;
    }

    /** Appends those of {@code events} that are new, in their order, and wakes the other control planes. */
    Future<Void> append(List<NewEvent> events) {
        return pool.withTransaction(
                        connection -> connection.query(TURN).execute().compose(turn -> insert(connection, events)))
                .compose(inserted -> inserted == 0
                        ? Future.succeededFuture()
                        : pool.query(NOTIFY).execute().mapEmpty());
    }

    private static Future<Integer> insert(SqlConnection connection, List<NewEvent> events) {
        Tuple columns = Tuple.tuple()
                .addArrayOfString(strings(events, NewEvent::type))
                .addArrayOfString(strings(events, NewEvent::subject))
                .addArrayOfLong(events.stream().map(NewEvent::ordinal).toArray(Long[]::new))
                .addArrayOfString(strings(events, NewEvent::mark))
                .addArrayOfString(strings(events, NewEvent::data));
        return connection.preparedQuery(INSERT).execute(columns).map(rows -> rows.rowCount());
    }

    private static String[] strings(List<NewEvent> events, Function<NewEvent, String> column) {
        return events.stream().map(column).toArray(String[]::new);
    }

    /** Returns at most {@code limit} events from {@code number} on, in order. */
    Future<List<Event>> from(long number, int limit) {
        return read(FROM, Tuple.of(number, limit));
    }

    /** Returns the last {@code limit} events, in order. */
    Future<List<Event>> newest(int limit) {
        return read(NEWEST, Tuple.of(limit));
    }

    private Future<List<Event>> read(String sql, Tuple parameters) {
        return pool.preparedQuery(sql).execute(parameters).map(rows -> {
            List<Event> events = new ArrayList<>(rows.size());
            for (Row row : rows) {
                events.add(new Event(
                        row.getLong("id"),
                        row.getLong("millis"),
                        row.getString("type"),
                        row.getLong("ordinal"),
                        row.getString("data")));
            }
            return events;
        });
    }

    /** Deletes all but the newest {@code kept}. */
    Future<Void> forget(int kept) {
        return pool.preparedQuery(FORGET).execute(Tuple.of((long) kept)).mapEmpty();
    }
}
