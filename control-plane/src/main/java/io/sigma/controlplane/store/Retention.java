package io.sigma.controlplane.store;

import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.store.database.Database;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the history bounded. The newest revisions are all kept. Of older ones one in each slot of time is, the last, as
 * a checkpoint: the changes of the others are merged into it, so what leads from one kept revision to another is still
 * known. The oldest checkpoints are deleted. One control plane works at a time; a step is a transaction of its own and
 * does not hold up writers. Works on a virtual thread of its own.
 */
final class Retention {

    /**
     * The number of newest revisions that are kept at any age, because control planes and gateways that are behind need
     * them.
     */
    static final int NEWEST_MIN = 100;

    /** The advisory lock of who works. */
    static final long LOCK = 0x5349_474d_4152_4554L;

    private static final Logger LOG = LoggerFactory.getLogger(Retention.class);

    static final Duration INTERVAL = Duration.ofMinutes(1);
    private static final long STEP_MILLIS = 60_000;

    private static final String BEGIN =
            "select pg_try_advisory_xact_lock($1) as mine, set_config('statement_timeout', $2, true)";

    /** The newest revision that is old, by number or by age. */
    private static final String LIMIT = "select least(revision - " + NEWEST_MIN + ", greatest(revision - $1,"
            + " coalesce((select number from revisions where $2 > 0"
            + " and committed_at < now() - make_interval(days => $2) order by number desc limit 1), 0))) as last from head";

    private static final String OLDEST =
            "select number, changes, floor(extract(epoch from committed_at) / $2)::bigint as slot"
                    + " from revisions where number <= $1 order by number limit $3";

    private static final String SEQ = "select coalesce(max(seq), 0) as seq from revision_changes where revision = $1";

    private static final String MERGE =
            "with these as (select * from revision_changes where revision between $1 and $2),"
                    + " first as (select distinct on (kind, id) kind, id, before from these order by kind, id, revision, seq),"
                    + " last as (select distinct on (kind, id) kind, id, after from these order by kind, id, revision desc, seq desc)"
                    + " insert into revision_changes (revision, seq, kind, id, before, after)"
                    + " select $2, $3 + row_number() over (order by kind, id), kind, id, before, after"
                    + " from first join last using (kind, id) where before is distinct from after";

    private static final String REPLACED = "delete from revision_changes where revision = $1 and seq <= $2";

    /**
     * Merges the changes of earlier revisions into a kept one. The own changes of that revision are no longer known, so
     * it loses its idempotency key.
     */
    private static final String MERGED =
            "update revisions set since = (select coalesce(since, number - 1) from revisions where number = $1),"
                    + " changes = (select count(*) from revision_changes where revision = $2),"
                    + " write_id = gen_random_uuid(), request_digest = null where number = $2";

    private static final String DELETE = "delete from revisions where number >= $1 and number <= $2";

    private final Database database;
    private final int newestMax;
    private final int daysMax;
    private final int slotHours;
    private final int checkpointsMax;
    private final Duration interval;
    private final Thread thread;
    private volatile boolean closed;

    /**
     * @param newestMax revisions that are all kept
     * @param daysMax age up to which they are; 0 for any
     * @param slotHours of older ones one in so many hours is kept
     * @param checkpointsMax of those at most so many are
     * @param interval after which there is something to do again
     */
    Retention(Database database, int newestMax, int daysMax, int slotHours, int checkpointsMax, Duration interval) {
        this.database = database;
        this.newestMax = newestMax;
        this.daysMax = daysMax;
        this.slotHours = slotHours;
        this.checkpointsMax = checkpointsMax;
        this.interval = interval;
        this.thread = Thread.ofVirtual().name("sigma-retention").unstarted(this::work);
    }

    void start() {
        thread.start();
    }

    void close() {
        closed = true;
        thread.interrupt();
    }

    private void work() {
        boolean failing = false;
        while (!closed) {
            try {
                Thread.sleep(interval);
                run();
                failing = false;
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException | Error e) {
                // Whatever it is: else nothing would be tidied up until a restart.
                if (!failing && !closed) {
                    boolean known = e instanceof FailureException || e instanceof PgException;
                    LOG.warn("Old revisions cannot be deleted: {}", e.getMessage(), known ? null : e);
                }
                failing = true;
            }
        }
    }

    /** Does all there is to do, unless another control plane is at it; returns how many steps that took. */
    int run() {
        int steps = 0;
        while (!closed && database.transaction(this::step)) {
            steps++;
        }
        return steps;
    }

    private boolean step(SqlConnection connection) {
        Row begun = one(connection, BEGIN, LOCK, String.valueOf(STEP_MILLIS));
        if (!begun.getBoolean("mine")) {
            return false;
        }
        long last = one(connection, LIMIT, (long) newestMax, daysMax).getLong("last");
        List<RetentionStep.Old> old = new ArrayList<>();
        database.query(connection, OLDEST, last, slotHours * 3600L, RetentionStep.window(checkpointsMax))
                .forEach(row -> old.add(
                        new RetentionStep.Old(row.getLong("number"), row.getInteger("changes"), row.getLong("slot"))));
        RetentionStep next = RetentionStep.next(old, checkpointsMax);
        switch (next) {
            case RetentionStep.Merge merge -> merge(connection, merge);
            case RetentionStep.Drop drop -> {
                database.slowQuery(connection, STEP_MILLIS, DELETE, 0L, drop.last());
                LOG.info("Revisions up to {} are no longer stored", drop.last());
            }
            case null -> {}
        }
        return next != null;
    }

    private void merge(SqlConnection connection, RetentionStep.Merge merge) {
        long last = merge.last();
        int seq = one(connection, SEQ, last).getInteger("seq");
        database.slowQuery(connection, STEP_MILLIS, MERGE, merge.first(), last, seq);
        database.slowQuery(connection, STEP_MILLIS, REPLACED, last, seq);
        database.slowQuery(connection, STEP_MILLIS, MERGED, merge.first(), last);
        database.slowQuery(connection, STEP_MILLIS, DELETE, merge.first(), last - 1);
        LOG.debug("Revision {} replaces the revisions from {} on", last, merge.first());
    }

    private Row one(SqlConnection connection, String sql, @Nullable Object... parameters) {
        return database.slowQuery(connection, STEP_MILLIS, sql, parameters)
                .iterator()
                .next();
    }
}
