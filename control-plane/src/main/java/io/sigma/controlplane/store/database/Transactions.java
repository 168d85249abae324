package io.sigma.controlplane.store.database;

import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.vertx.core.Future;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Transaction;
import io.vertx.sqlclient.TransactionRollbackException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Commits, and what is known of one that failed. Where {@link StandbyWaits} or an administrator ends the wait for a
 * synchronous standby, PostgreSQL warns and says that the commit is done, although a fail-over may lose it. Such a
 * commit fails here. Thread-safe.
 */
public final class Transactions {

    /** The state of {@code canceling wait for synchronous replication due to user request}. */
    private static final String WARNING = "01000";

    private static final Failure.OutcomeUnknown NO_ANSWER =
            new Failure.OutcomeUnknown("The database stopped answering while the change was being committed. It may or"
                    + " may not have been made; read the resource before trying again.");
    private static final Failure.OutcomeUnknown NOT_AT_STANDBY = new Failure.OutcomeUnknown(
            "The database made the change, and its synchronous standby did not confirm it in time. A fail-over may"
                    + " lose it; read the resource before trying again.");

    private Transactions() {}

    /** A commit that a synchronous standby did not confirm in time. */
    private static final class NotAtStandby extends RuntimeException {

        private static final long serialVersionUID = 1L;

        NotAtStandby() {
            super("no synchronous standby confirmed the commit in time", null, false, false);
        }
    }

    /** Completes once the transaction of {@code connection} is durable wherever the database waits for it. */
    public static Future<Void> commit(SqlConnection connection, Transaction transaction) {
        AtomicBoolean early = new AtomicBoolean();
        // A notice is handled before the answer that comes after it, on the same context.
        ((PgConnection) connection).noticeHandler(notice -> {
            if (WARNING.equals(notice.getCode())) {
                early.set(true);
            }
        });
        return transaction
                .commit()
                .compose(done -> early.get() ? Future.failedFuture(new NotAtStandby()) : Future.succeededFuture());
    }

    /** Returns whether PostgreSQL said that the transaction is undone; that it shuts down says nothing about it. */
    public static boolean isUndone(@Nullable Throwable cause) {
        return cause instanceof TransactionRollbackException
                || (cause instanceof PgException refusal
                        && String.valueOf(refusal.getSqlState()).startsWith("40"));
    }

    /** Returns what is known of a commit that failed for {@code cause}, which is not that it was undone. */
    public static Failure.OutcomeUnknown unknown(@Nullable Throwable cause) {
        return cause instanceof NotAtStandby ? NOT_AT_STANDBY : NO_ANSWER;
    }

    /**
     * Returns what {@code work} returns, done in one transaction on a connection for reading. Waits.
     *
     * @param changes whether {@code work} changes something
     * @throws FailureException with {@link Failure.OutcomeUnknown} when it is not known whether the changes are made
     */
    static <T> T run(Database database, boolean changes, Function<SqlConnection, T> work) {
        SqlConnection connection = database.readConnection();
        Future<?> last = Future.succeededFuture();
        try {
            Transaction transaction = database.await(connection.begin());
            T result;
            try {
                result = work.apply(connection);
            } catch (RuntimeException | Error e) {
                transaction.rollback();
                throw e;
            }
            Future<Void> commit = commit(connection, transaction);
            last = commit;
            try {
                database.await(commit);
            } catch (FailureException e) {
                throw changes && !isUndone(e.getCause()) ? new FailureException(unknown(e.getCause()), e) : e;
            }
            return result;
        } finally {
            // A late answer to the commit must not reach the connection's next user.
            last.onComplete(ended -> connection.close());
        }
    }
}
