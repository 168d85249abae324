package io.sigma.controlplane.fleet;

import io.sigma.model.AnswerKind;
import io.sigma.model.Gateway;
import io.sigma.model.GatewayAck;
import io.sigma.model.GatewayState;
import io.sigma.model.Refusal;
import io.vertx.core.Future;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The answers of gateways to recent revisions, as all control planes received them. Thread-safe. */
final class AnswerTable {

    /** Revisions of which answers are kept. */
    static final int REVISIONS_MAX = 1_000;

    /** A gateway may know a revision before this control plane does; what is further ahead would never be deleted. */
    private static final int AHEAD_MAX = 1_000;

    private static final String INSERT = "insert into gateway_answers (gateway_id, revision, refused, pointer, message)"
            + " values ($1, $2, $3, $4, $5) on conflict do nothing";

    // The first answer with this revision or a newer one counts; an acknowledgement more than a refusal before it.
    private static final String SELECT =
            "select distinct on (gateway_id) gateway_id, revision, refused, at, pointer, message"
                    + " from gateway_answers where revision >= $1 order by gateway_id, refused, revision, at limit $2";

    private static final String FORGET =
            "delete from gateway_answers where revision < (select revision from head) - " + REVISIONS_MAX;

    private final Pool pool;

    AnswerTable(Pool pool) {
        this.pool = pool;
    }

    /** Writes what the rows say of revisions; of what a gateway serves only where the hash is that of the revision. */
    Future<Void> write(Collection<GatewayRow> rows, Histories histories) {
        List<Tuple> batch = new ArrayList<>();
        for (GatewayRow row : rows) {
            Refusal refusal = row.status().refusal();
            if (row.status().revision() > 0
                    && histories.has(row.status().revision(), row.status().stateHash())) {
                batch.add(Tuple.of(row.id(), row.status().revision(), false, null, null));
            }
            if (refusal != null
                    && refusal.revision() <= histories.newest() + AHEAD_MAX
                    && row.refused(refusal.revision(), histories)) {
                batch.add(Tuple.of(row.id(), refusal.revision(), true, refusal.pointer(), refusal.message()));
            }
        }
        return batch.isEmpty()
                ? Future.succeededFuture()
                : pool.preparedQuery(INSERT).executeBatch(batch).mapEmpty();
    }

    /** Returns, by gateway, the answers to a revision; live and lag are those of {@code views}. */
    Future<Map<String, GatewayAck>> read(long revision, Instant committedAt) {
        return pool.preparedQuery(SELECT)
                .execute(Tuple.of(revision, GatewayRegistry.GATEWAYS_MAX))
                .map(rows -> acks(rows, committedAt));
    }

    private static Map<String, GatewayAck> acks(RowSet<Row> rows, Instant committedAt) {
        Map<String, GatewayAck> acks = new HashMap<>();
        for (Row row : rows) {
            Instant at = row.getOffsetDateTime("at").toInstant();
            boolean refused = row.getBoolean("refused");
            GatewayAck.Builder ack = GatewayAck.builder()
                    .gatewayId(row.getString("gateway_id"))
                    .answer(refused ? AnswerKind.NACK : AnswerKind.ACK)
                    .live(false)
                    .lag(0L)
                    .answerRevision(row.getLong("revision"))
                    .at(at)
                    .millis(Math.max(0, at.toEpochMilli() - committedAt.toEpochMilli()));
            if (refused) {
                ack.refusal(Refusal.builder()
                        .revision(row.getLong("revision"))
                        .pointer(row.getString("pointer"))
                        .message(row.getString("message"))
                        .build());
            }
            acks.put(row.getString("gateway_id"), ack.build());
        }
        return acks;
    }

    /**
     * Returns what a gateway says to a revision.
     *
     * @param served whether the revision that it says to serve is one that there is
     * @param said the stored answer; null for none
     */
    static GatewayAck ack(
            Gateway gateway,
            boolean live,
            boolean served,
            @Nullable GatewayAck said,
            long revision,
            Instant committedAt) {
        long lag = Math.max(0, revision - gateway.revision());
        if (said != null) {
            return said.toBuilder().live(live).lag(lag).build();
        }
        // It served the revision before answers were kept, or has not got there, or what it said is not written yet.
        boolean serves = served && gateway.revision() >= revision && gateway.state() != GatewayState.OTHER_HISTORY;
        Refusal refusal = gateway.refusal();
        if (!serves && refusal != null && refusal.revision() >= revision) {
            return GatewayAck.builder()
                    .gatewayId(gateway.id())
                    .answer(AnswerKind.NACK)
                    .live(live)
                    .lag(lag)
                    .answerRevision(refusal.revision())
                    .refusal(refusal)
                    .build();
        }
        GatewayAck.Builder ack = GatewayAck.builder()
                .gatewayId(gateway.id())
                .answer(serves ? AnswerKind.ACK : AnswerKind.PENDING)
                .live(live)
                .lag(lag);
        return serves
                ? ack.answerRevision(gateway.revision()).build()
                : ack.millis(Math.max(0, System.currentTimeMillis() - committedAt.toEpochMilli()))
                        .build();
    }

    /** Deletes the answers to old revisions. */
    Future<Void> forget() {
        return pool.query(FORGET).execute().mapEmpty();
    }
}
