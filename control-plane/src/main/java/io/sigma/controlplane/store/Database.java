package io.sigma.controlplane.store;

import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.settings.ControlPlaneSettings;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Transaction;
import io.vertx.sqlclient.Tuple;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The connections to PostgreSQL. Reading and writing have pools of their own: writers take turns at one row, and those
 * that wait must not use up what readers need.
 *
 * <p>Thread-safe. Methods that return rows wait for them: call them on a virtual thread.
 */
public final class Database {

    private static final int WRITE_CONNECTIONS = 2;
    private static final int IDLE_SECONDS = 60;
    private static final int STATEMENT_LENGTH_MAX = 4096;

    private final Vertx vertx;
    private final Pool reads;
    private final Pool writes;
    private final PgConnectOptions options;
    private final long timeoutMillis;

    private Database(Vertx vertx, Pool reads, Pool writes, PgConnectOptions options, long timeoutMillis) {
        this.vertx = vertx;
        this.reads = reads;
        this.writes = writes;
        this.options = options;
        this.timeoutMillis = timeoutMillis;
    }

    /** Returns the pools; connections are made when they are needed. */
    static Database open(Vertx vertx, DatabaseUrl url, ControlPlaneSettings settings) {
        int timeout = settings.databaseTimeoutMillis();
        PgConnectOptions options = url.connectOptions();
        options.setCachePreparedStatements(true)
                .setPreparedStatementCacheSqlLimit(STATEMENT_LENGTH_MAX)
                .addProperty("application_name", "sigma-control-plane")
                .addProperty("statement_timeout", String.valueOf(timeout))
                .addProperty("lock_timeout", String.valueOf(timeout))
                .addProperty("idle_in_transaction_session_timeout", String.valueOf(2 * timeout));
        NetClientOptions transport = new NetClientOptions()
                .setConnectTimeout(timeout)
                .setTcpKeepAlive(true)
                // Ends a connection whose peer vanished without a word.
                .setReadIdleTimeout(IDLE_SECONDS + timeout / 1000);
        return new Database(
                vertx,
                pool(vertx, options, transport, settings, settings.databasePoolSize()),
                pool(vertx, options, transport, settings, WRITE_CONNECTIONS),
                options,
                timeout);
    }

    private static Pool pool(
            Vertx vertx,
            PgConnectOptions options,
            NetClientOptions transport,
            ControlPlaneSettings settings,
            int size) {
        return PgBuilder.pool()
                .using(vertx)
                .connectingTo(options)
                .with(transport)
                .with(new PoolOptions()
                        .setMaxSize(size)
                        .setMaxWaitQueueSize(settings.databaseQueueMax())
                        .setConnectionTimeout(settings.databaseTimeoutMillis())
                        .setConnectionTimeoutUnit(TimeUnit.MILLISECONDS)
                        .setIdleTimeout(IDLE_SECONDS)
                        .setIdleTimeoutUnit(TimeUnit.SECONDS))
                .build();
    }

    /** Returns the pool for reading, for other packages of the control plane that have tables of their own. */
    public Pool pool() {
        return reads;
    }

    /** Returns how to reach the database, for a connection of one's own that listens for notifications. */
    public PgConnectOptions options() {
        return options;
    }

    long timeoutMillis() {
        return timeoutMillis;
    }

    /** @throws FailureException with {@link Failure.Unavailable} when there is no answer in time */
    public RowSet<Row> query(String sql, @Nullable Object... parameters) {
        return query(reads, sql, parameters);
    }

    /** As {@link #query(String, Object...)}, on a connection. */
    public RowSet<Row> query(SqlClient client, String sql, @Nullable Object... parameters) {
        return await(client.preparedQuery(sql).execute(tuple(parameters)));
    }

    /** As {@link #query(SqlClient, String, Object...)}, with a time limit of its own, which the statement's must not exceed. */
    RowSet<Row> slowQuery(SqlClient client, long millis, String sql, @Nullable Object... parameters) {
        return await(client.preparedQuery(sql).execute(tuple(parameters)), millis);
    }

    /** Returns a connection for a write; the caller closes it. */
    SqlConnection writeConnection() {
        return await(writes.getConnection());
    }

    /**
     * Returns what {@code work} returns, done in one transaction on a connection of the pool for reading: for tables that have
     * nothing to do with revisions, whose writers would be waited for. Undone when {@code work} throws.
     */
    public <T> T transaction(Function<SqlConnection, T> work) {
        SqlConnection connection = readConnection();
        try {
            Transaction transaction = await(connection.begin());
            T result;
            try {
                result = work.apply(connection);
            } catch (RuntimeException e) {
                transaction.rollback();
                throw e;
            }
            await(transaction.commit());
            return result;
        } finally {
            connection.close();
        }
    }

    /** Returns a connection for a read of several statements; the caller closes it. */
    SqlConnection readConnection() {
        return await(reads.getConnection());
    }

    /**
     * Waits for {@code future} at most as long as the settings allow.
     *
     * @throws FailureException with {@link Failure.Unavailable} when the database is the reason that there is no result
     * @throws PgException when the statement is: a constraint, an invalid value
     */
    <T> T await(Future<T> future) {
        return await(future, timeoutMillis);
    }

    private static <T> T await(Future<T> future, long millis) {
        try {
            return future.timeout(millis, TimeUnit.MILLISECONDS).await();
        } catch (PgException e) {
            if (isOfTheStatement(e)) {
                throw e;
            }
            throw unavailable(e);
        } catch (Exception e) {
            throw unavailable(e);
        }
    }

    /** Waits without holding up the context of the caller. */
    void pause(long millis) {
        vertx.timer(millis).await();
    }

    static Tuple tuple(@Nullable Object... parameters) {
        return Tuple.wrap(parameters);
    }

    /** Returns whether the statement itself is wrong: classes 22 (data) and 23 (constraint), and 42 (syntax, missing table). */
    private static boolean isOfTheStatement(PgException e) {
        String state = String.valueOf(e.getSqlState());
        return state.startsWith("22") || state.startsWith("23") || state.startsWith("42");
    }

    static FailureException unavailable(Throwable cause) {
        return new FailureException(
                new Failure.Unavailable("The database does not answer; nothing was changed.", true), cause);
    }

    /** Completes when every connection is closed. */
    Future<Void> close() {
        return Future.join(reads.close(), writes.close()).mapEmpty();
    }
}
