package io.sigma.controlplane.fleet;

import io.sigma.controlplane.store.database.Database;
import io.sigma.json.Json;
import io.sigma.model.Refusal;
import io.sigma.snapshot.GatewayStatus;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The table through which control planes tell each other of their gateways. Thread-safe. */
final class GatewayTable {

    private static final Logger LOG = LoggerFactory.getLogger(GatewayTable.class);

    /** The payload of a notification is the control plane that wrote. */
    static final String CHANNEL = Fleet.GATEWAYS_CHANNEL;

    // The writes of one control plane arrive in order. Of two control planes the later write counts. A row seen in the
    // future was written by a clock that has gone back since.
    private static final String UPSERT = """
            insert into gateways (id, host, version, started_at, revision, state_hash, refusal, stopping, control_plane, last_seen)
            values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now() - make_interval(secs => $10))
            on conflict (id) do update set
                host = excluded.host, version = excluded.version, started_at = excluded.started_at,
                revision = excluded.revision, state_hash = excluded.state_hash, refusal = excluded.refusal,
                stopping = excluded.stopping, control_plane = excluded.control_plane, last_seen = excluded.last_seen
            where gateways.control_plane = excluded.control_plane
                or gateways.last_seen <= excluded.last_seen
                or gateways.last_seen > clock_timestamp()""";

    private static final String NOTIFY = "select pg_notify('" + CHANNEL + "', $1)";

    // Ages, because clocks of control planes differ.
    private static final String SELECT = """
            select id, host, version, started_at, revision, state_hash, refusal, stopping, control_plane,
                   greatest(0, extract(epoch from now() - last_seen))::float8 as age
            from gateways order by last_seen desc limit $1""";

    // Seen by a clock that has gone back since: whoever is there still is seen again, and who is not is lost soon.
    private static final String CORRECT = "update gateways set last_seen = now() where last_seen > now()";

    private static final String DELETE = "delete from gateways where last_seen < now() - make_interval(secs => $1)";

    private final Pool pool;
    private final InstantSource clock;

    GatewayTable(Pool pool, InstantSource clock) {
        this.pool = pool;
        this.clock = clock;
    }

    /**
     * Writes {@code rows}, each unless the table knows something newer, and wakes the other control planes if asked to.
     */
    Future<Void> write(Collection<GatewayRow> rows, String controlPlaneId, boolean notify) {
        List<Tuple> batch = new ArrayList<>(rows.size());
        Instant now = clock.instant();
        for (GatewayRow row : rows) {
            batch.add(tuple(row, now));
        }
        Future<?> written = pool.preparedQuery(UPSERT)
                .executeBatch(batch)
                .<Object>map(done -> done)
                .recover(e ->
                        Database.isOfTheStatement(e) ? writeEach(batch).map(done -> done) : Future.failedFuture(e));
        return notify
                ? written.compose(done -> pool.preparedQuery(NOTIFY).execute(Tuple.of(controlPlaneId)))
                        .mapEmpty()
                : written.mapEmpty();
    }

    /** Writes all but those that the database refuses. */
    private Future<?> writeEach(List<Tuple> batch) {
        List<Future<?>> written = new ArrayList<>();
        for (Tuple row : batch) {
            written.add(pool.preparedQuery(UPSERT).execute(row).recover(e -> {
                if (!Database.isOfTheStatement(e)) {
                    return Future.failedFuture(e);
                }
                LOG.warn("The status of gateway {} cannot be written: {}", row.getString(0), e.getMessage());
                return Future.succeededFuture();
            }));
        }
        return Future.join(written);
    }

    private static Tuple tuple(GatewayRow row, Instant now) {
        GatewayStatus status = row.status();
        Refusal refusal = status.refusal();
        double age = Math.max(0, Duration.between(row.lastSeen(), now).toMillis() / 1000.0);
        return Tuple.tuple()
                .addString(status.gatewayId())
                .addString(status.host())
                .addString(status.version())
                .addOffsetDateTime(status.startedAt().atOffset(ZoneOffset.UTC))
                .addLong(status.revision())
                .addString(status.stateHash())
                .addValue(refusal == null ? null : new JsonObject(Json.text(refusal)))
                .addBoolean(status.stopping())
                .addString(row.controlPlane())
                .addDouble(age);
    }

    /** Returns the gateways, {@link GatewayRegistry#GATEWAYS_MAX} at most. */
    Future<List<GatewayRow>> read() {
        // Taken before asking, so that nothing is said to be seen later than it was.
        Instant now = clock.instant();
        return pool.preparedQuery(SELECT)
                .execute(Tuple.of(GatewayRegistry.GATEWAYS_MAX))
                .map(found -> rows(found, now));
    }

    private static List<GatewayRow> rows(RowSet<Row> found, Instant now) {
        List<GatewayRow> rows = new ArrayList<>(found.size());
        for (Row row : found) {
            JsonObject refusal = row.getJsonObject("refusal");
            GatewayStatus status = new GatewayStatus(
                    row.getString("id"),
                    row.getString("host"),
                    row.getString("version"),
                    row.getOffsetDateTime("started_at").toInstant(),
                    row.getLong("revision"),
                    row.getString("state_hash"),
                    refusal == null ? null : Json.read(refusal.encode(), Refusal.class),
                    row.getBoolean("stopping"));
            Duration age = Duration.ofMillis(Math.round(row.getDouble("age") * 1000));
            rows.add(new GatewayRow(status, row.getString("control_plane"), now.minus(age)));
        }
        return rows;
    }

    /** Deletes gateways that were last seen longer ago than {@code age}; to be called every minute or so. */
    Future<Void> forget(Duration age) {
        return pool.query(CORRECT)
                .execute()
                .compose(done -> pool.preparedQuery(DELETE).execute(Tuple.of((double) age.toSeconds())))
                .mapEmpty();
    }
}
