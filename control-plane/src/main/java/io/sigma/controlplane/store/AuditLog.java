package io.sigma.controlplane.store;

import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.store.database.Database;
import io.sigma.controlplane.store.database.DatabaseTimes;
import io.sigma.controlplane.store.database.Page;
import io.sigma.model.AuditOutcome;
import io.sigma.model.AuditRecord;
import io.sigma.model.AuditVerification;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The audit log: a chain of records that all control planes append to. Thread-safe; methods wait, on a virtual thread,
 * and throw {@link FailureException} when the database does not answer.
 */
public final class AuditLog {

    private static final String APPEND = "select audit_append($1, null, $2, $3, $4, $5, $6, $7, $8, $9)";
    private static final String COLUMNS =
            "select seq, at, who, address, action, outcome, status, revision, entities, detail, hash from audit_log";
    private static final int ROWS_A_QUERY = 1000;

    /** A walk finds a gap where records were trimmed since it began: then another one begins. */
    private static final int VERIFY_TRIES = 10;

    private final Database database;
    private final long recordsKeptMax;

    AuditLog(Database database, long recordsKeptMax) {
        this.database = database;
        this.recordsKeptMax = recordsKeptMax;
    }

    /**
     * Appends in the transaction of {@code client}, so that there is no change without its record. To be the
     * transaction's last statement: everybody who appends waits until it ends.
     */
    public void append(SqlClient client, AuditEntry entry) {
        database.query(
                client,
                APPEND,
                recordsKeptMax,
                entry.who(),
                entry.address(),
                entry.action(),
                entry.outcome().name(),
                entry.status(),
                entry.revision(),
                entry.entities().toArray(String[]::new),
                entry.detail());
    }

    /** Appends by itself. */
    public void append(AuditEntry entry) {
        append(database.pool(), entry);
    }

    /** Returns a page, newest first, of the records before {@code before} that {@code filter} lets through. */
    public Page<Long, AuditRecord> page(AuditFilter filter, long before, int limit) {
        List<AuditRecord> items = select(filter, "seq < $1", "seq desc", before, limit + 1);
        boolean more = items.size() > limit;
        List<AuditRecord> page = more ? items.subList(0, limit) : items;
        return new Page<>(page, more ? page.getLast().seq() : null);
    }

    /** Hands every record that {@code filter} lets through to {@code sink}, oldest first, some at a time. */
    public void each(AuditFilter filter, Consumer<List<AuditRecord>> sink) {
        long after = 0;
        // Records that are appended meanwhile are left out, so that the loop ends.
        long last = head().getLong("seq");
        List<AuditRecord> some;
        do {
            some = select(filter, "seq <= " + last + " and seq > $1", "seq", after, ROWS_A_QUERY);
            if (!some.isEmpty()) {
                sink.accept(some);
                after = some.getLast().seq();
            }
        } while (some.size() == ROWS_A_QUERY);
    }

    private List<AuditRecord> select(AuditFilter filter, String range, String order, long from, int limit) {
        AuditFilter.Sql condition = filter.sql(2);
        List<Object> parameters = new ArrayList<>(List.of(from, limit));
        parameters.addAll(condition.parameters());
        List<AuditRecord> items = new ArrayList<>();
        String sql = COLUMNS + " where " + range + condition.where() + " order by " + order + " limit $2";
        database.query(sql, parameters.toArray()).forEach(row -> items.add(item(row)));
        return items;
    }

    private Row head() {
        return database.query("select seq, hash, checkpoint_seq, checkpoint_hash from audit_head")
                .iterator()
                .next();
    }

    /**
     * Computes every hash again, from the checkpoint to the newest record.
     *
     * @param anchorSeq a record whose hash was noted elsewhere, {@code anchorHash}; null for none
     */
    public AuditVerification verify(@Nullable Long anchorSeq, @Nullable String anchorHash) {
        Walk walk = walk(anchorSeq, anchorHash);
        for (int tries = 1; tries < VERIFY_TRIES && walk.broken != null && isTrimmed(walk.broken); tries++) {
            walk = walk(anchorSeq, anchorHash);
        }
        return walk.result();
    }

    /** Returns whether a record is not there because older ones make room. */
    private boolean isTrimmed(long seq) {
        return seq <= head().getLong("checkpoint_seq");
    }

    private Walk walk(@Nullable Long anchorSeq, @Nullable String anchorHash) {
        Row head = head();
        if (anchorSeq != null && (anchorSeq <= head.getLong("checkpoint_seq") || anchorSeq > head.getLong("seq"))) {
            throw new FailureException(new Failure.BadRequest("seq: " + anchorSeq + " (expected: "
                    + (head.getLong("checkpoint_seq") + 1) + ".." + head.getLong("seq") + ")"));
        }
        Walk walk = new Walk(head, anchorSeq, anchorHash);
        List<AuditRecord> some = List.of();
        do {
            some = select(
                    AuditFilter.NONE,
                    "seq <= " + head.getLong("seq") + " and seq > $1",
                    "seq",
                    some.isEmpty() ? 0 : some.getLast().seq(),
                    ROWS_A_QUERY);
            some.forEach(walk::step);
        } while (some.size() == ROWS_A_QUERY && walk.detail == null);
        walk.end();
        return walk;
    }

    /** A running verification. Confined to its thread. */
    private static final class Walk {

        private final Row head;
        private final @Nullable Long anchorSeq;
        private final @Nullable String anchorHash;
        private final long first;
        private long seq;
        private String hash;
        private long checked;
        private @Nullable Long broken;
        private @Nullable String detail;

        Walk(Row head, @Nullable Long anchorSeq, @Nullable String anchorHash) {
            this.head = head;
            this.anchorSeq = anchorSeq;
            this.anchorHash = anchorHash;
            this.seq = head.getLong("checkpoint_seq");
            this.hash = head.getString("checkpoint_hash");
            this.first = seq + 1;
        }

        void step(AuditRecord one) {
            // Records before the checkpoint are not verified.
            if (detail != null || one.seq() < first) {
                return;
            }
            if (one.seq() != seq + 1) {
                refuse(seq + 1, "The record is missing.");
            } else if (!AuditChain.hash(hash, one).equals(one.hash())) {
                refuse(one.seq(), "The hash of the record does not match its fields and the previous record.");
            } else if (anchorSeq != null
                    && anchorSeq.equals(one.seq())
                    && !one.hash().equals(anchorHash)) {
                refuse(
                        one.seq(),
                        "The record matches the chain, but its hash differs from the noted hash: the "
                                + "chain was written again.");
            } else {
                seq = one.seq();
                hash = one.hash();
                checked++;
            }
        }

        private void refuse(long where, String why) {
            broken = where;
            detail = why;
        }

        /** There are no more records. */
        void end() {
            if (detail == null && seq != head.getLong("seq")) {
                refuse(seq + 1, "The record is missing.");
            } else if (detail == null && !hash.equals(head.getString("hash"))) {
                refuse(seq, "The record differs from the newest record that was appended.");
            }
        }

        AuditVerification result() {
            return AuditVerification.builder()
                    .valid(detail == null)
                    .checked(checked)
                    .first(first)
                    .last(head.getLong("seq"))
                    .hash(head.getString("hash"))
                    .brokenSeq(broken)
                    .detail(detail)
                    .build();
        }
    }

    private static AuditRecord item(Row row) {
        return AuditRecord.builder()
                .seq(row.getLong("seq"))
                .at(DatabaseTimes.at(row, "at"))
                .who(row.getString("who"))
                .address(row.getString("address"))
                .action(row.getString("action"))
                .outcome(AuditOutcome.valueOf(row.getString("outcome")))
                .status(row.getInteger("status"))
                .revision(row.getLong("revision"))
                .entities(List.of(row.getArrayOfStrings("entities")))
                .detail(row.getString("detail"))
                .hash(row.getString("hash"))
                .build();
    }
}
