package io.sigma.controlplane.store.database;

import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.settings.ControlPlaneSettings;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.ConnectionPoolTooBusyException;
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
import io.vertx.sqlclient.Tuple;
import java.util.List;
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

    /**
     * Writes whose votes are waited for before a write gives up its place, if that does not take longer than clients
     * are patient.
     */
    private static final int VOTES_BEFORE = 4;

    private static final int VOTES_BEFORE_MILLIS_MAX = 15_000;

    private static final long GRACE_MILLIS = 250;
    private static final long CLOSE_MILLIS = 5_000;

    private static final Failure.Unavailable BEHIND_OTHERS = new Failure.Unavailable(
            "Earlier writes, with their votes of gateways, took longer than this one may wait. Nothing "
                    + "was changed.");
    private static final Failure.Unavailable AWAY =
            new Failure.Unavailable("The database does not answer. Nothing was changed.", true);
    private static final Failure.Unavailable NO_WRITES =
            new Failure.Unavailable("The database takes no writes at the moment. Nothing was changed.", true);
    private static final Failure.Unavailable OLDER = new Failure.Unavailable(
            "The only server of the database that takes writes has an older history than the one used before. Nothing"
                    + " was changed.",
            true);
    private static final Failure.Unavailable NO_ROOM =
            new Failure.Unavailable("The disk of the database is full. Nothing was changed.");
    private static final Failure.Unavailable TOO_MANY =
            new Failure.Unavailable("Too many requests wait for a connection to the database. Nothing was changed.");
    private static final Failure.Unavailable TOO_LONG =
            new Failure.Unavailable("A statement took longer than databaseTimeoutMillis allows. Nothing was changed.");

    private static final String LOCK_TIMEOUT = "55P03";
    private static final String STATEMENT_TIMEOUT = "57014";
    private static final String READ_ONLY = "25006";
    private static final String DISK_FULL = "53100";

    private final Vertx vertx;
    private final Pool reads;
    private final Pool writes;
    private final Turns turns;
    private final DiskRoom room = new DiskRoom(System::nanoTime, () -> DiskRoom.storesPages(this));
    private final Primary primary;
    private final List<Integer> ports;
    private final long timeoutMillis;
    private final long turnMillis;

    private Database(
            Vertx vertx,
            Pool reads,
            Pool writes,
            Turns turns,
            Primary primary,
            List<Integer> ports,
            long timeoutMillis,
            long turnMillis) {
        this.vertx = vertx;
        this.reads = reads;
        this.writes = writes;
        this.turns = turns;
        this.primary = primary;
        this.ports = ports;
        this.timeoutMillis = timeoutMillis;
        this.turnMillis = turnMillis;
    }

    /**
     * Returns how long a write waits at most for a connection, and then again for the head, in milliseconds. The head
     * is held while gateways vote: who waits for it waits for votes on other writes.
     */
    public static int turnMillis(ControlPlaneSettings settings) {
        int vote = settings.gateways().gatewayVoteMillis();
        return settings.database().databaseTimeoutMillis()
                + Math.max(vote, Math.min(VOTES_BEFORE * vote, VOTES_BEFORE_MILLIS_MAX));
    }

    /** Returns the pools; connections are made when they are needed. */
    public static Database open(Vertx vertx, DatabaseUrl url, ControlPlaneSettings settings) {
        int timeout = settings.database().databaseTimeoutMillis();
        int turn = turnMillis(settings);
        List<PgConnectOptions> reading = options(url, timeout, StandbyWaits.READS);
        List<PgConnectOptions> writing = options(url, turn, StandbyWaits.WRITES);
        Primary primary = new Primary(vertx, reading, timeout);
        NetClientOptions transport = new NetClientOptions()
                .setConnectTimeout(timeout)
                .setTcpKeepAlive(true)
                // Ends a connection whose peer vanished without a word; whoever waits for its turn hears nothing
                // either.
                .setReadIdleTimeout(IDLE_SECONDS + turn / 1000);
        Pool reads = pool(
                vertx,
                primary,
                reading,
                transport,
                settings,
                settings.database().databasePoolSize());
        primary.watch(reads);
        return new Database(
                vertx,
                reads,
                pool(vertx, primary, writing, transport, settings, WRITE_CONNECTIONS),
                new Turns(WRITE_CONNECTIONS, settings.database().databaseQueueMax()),
                primary,
                url.hosts().stream().map(DatabaseUrl.Host::port).toList(),
                timeout,
                turn);
    }

    private static List<PgConnectOptions> options(DatabaseUrl url, int statementTimeout, String name) {
        return url.hosts().stream()
                .map(host -> options(url.connectOptions(host), statementTimeout, name))
                .toList();
    }

    private static PgConnectOptions options(PgConnectOptions options, int statementTimeout, String name) {
        options.setCachePreparedStatements(true)
                .setPreparedStatementCacheSqlLimit(STATEMENT_LENGTH_MAX)
                .addProperty("application_name", name)
                .addProperty("statement_timeout", String.valueOf(statementTimeout))
                .addProperty("lock_timeout", String.valueOf(statementTimeout))
                .addProperty("idle_in_transaction_session_timeout", String.valueOf(2 * statementTimeout));
        return options;
    }

    private static Pool pool(
            Vertx vertx,
            Primary primary,
            List<PgConnectOptions> hosts,
            NetClientOptions transport,
            ControlPlaneSettings settings,
            int size) {
        return PgBuilder.pool()
                .using(vertx)
                .connectingTo(() -> primary.options(hosts).map(options -> options))
                .withConnectHandler(primary::admit)
                .with(transport)
                .with(new PoolOptions()
                        .setMaxSize(size)
                        .setMaxWaitQueueSize(settings.database().databaseQueueMax())
                        .setConnectionTimeout(settings.database().databaseTimeoutMillis())
                        .setConnectionTimeoutUnit(TimeUnit.MILLISECONDS)
                        .setIdleTimeout(IDLE_SECONDS)
                        .setIdleTimeoutUnit(TimeUnit.SECONDS))
                .build();
    }

    /** Returns the pool for reading, for other packages of the control plane that have tables of their own. */
    public Pool pool() {
        return reads;
    }

    /** Returns what hears notifications, on a connection of its own; not started. */
    public Notifications notifications() {
        return new Notifications(vertx, primary);
    }

    /** Returns the ports of the hosts, in the order of the URL. */
    public List<Integer> ports() {
        return ports;
    }

    /**
     * Asks whether writes are taken. Waits.
     *
     * @throws FailureException with {@link Failure.Unavailable} when there is no answer in time
     */
    public boolean takesWrites() {
        Row row = query(Primary.ROLE).iterator().next();
        return !row.getBoolean(0) && !row.getBoolean(1);
    }

    /** Returns whether the only server that takes writes has an older history than the one used before. */
    public boolean isOlder() {
        return primary.isOlder();
    }

    /** Returns whether the disk has room, as far as writes found out. Waits. */
    public boolean hasRoom() {
        return room.isThere();
    }

    /** Returns how long a statement may take, in milliseconds. */
    public long timeoutMillis() {
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

    /**
     * As {@link #query(SqlClient, String, Object...)}, with a time limit of its own, which the statement's must not
     * exceed.
     */
    public RowSet<Row> slowQuery(SqlClient client, long millis, String sql, @Nullable Object... parameters) {
        return await(client.preparedQuery(sql).execute(tuple(parameters)), millis);
    }

    /**
     * Returns a connection for a write, once there is one; the caller gives it back to {@link #release}.
     *
     * @throws FailureException with {@link Failure.Unavailable} when other writes are before it for too long, or there
     *     are too many, and when the database does not answer
     */
    public SqlConnection writeConnection() {
        Future<Void> turn = turns.take();
        try {
            turn.timeout(turnMillis, TimeUnit.MILLISECONDS).await();
        } catch (ConnectionPoolTooBusyException e) {
            throw unavailable(e);
        } catch (Exception e) {
            turns.leave(turn);
            throw new FailureException(BEHIND_OTHERS, e);
        } catch (Error e) {
            // Else no write would ever have this turn.
            turns.leave(turn);
            throw e;
        }
        boolean given = false;
        try {
            SqlConnection connection = connection(writes);
            given = true;
            return connection;
        } finally {
            if (!given) {
                turns.give();
            }
        }
    }

    /**
     * As {@link #query(SqlClient, String, Object...)} on the connection of a write, for what waits for other writes; to
     * be called before {@code statement_timeout} is set for the transaction.
     */
    public RowSet<Row> queryInTurn(SqlConnection connection, String sql, @Nullable Object... parameters) {
        try {
            return slowQuery(connection, turnMillis, sql, parameters);
        } catch (FailureException e) {
            // Several waits may be one statement's: each is short, all together are too long.
            throw e.failure().equals(TOO_LONG) ? new FailureException(BEHIND_OTHERS, e) : e;
        }
    }

    /** Closes a connection for a write; the next one may begin. */
    public void release(SqlConnection connection) {
        connection.close().onComplete(closed -> turns.give());
    }

    /**
     * Returns what {@code work} returns, done in one transaction on a connection of the pool for reading: for tables
     * that have nothing to do with revisions, whose writers would be waited for. Undone when {@code work} throws.
     *
     * @throws FailureException with {@link Failure.OutcomeUnknown} when it is not known whether it was committed
     */
    public <T> T transaction(Function<SqlConnection, T> work) {
        return Transactions.run(this, true, work);
    }

    /** As {@link #transaction}, for work that changes nothing. */
    public <T> T reading(Function<SqlConnection, T> work) {
        return Transactions.run(this, false, work);
    }

    /** Returns a connection for a read of several statements; the caller closes it. */
    public SqlConnection readConnection() {
        return connection(reads);
    }

    /** Returns a connection once there is one; one that comes when nobody waits for it any more goes back. */
    public SqlConnection connection(Pool pool) {
        Future<SqlConnection> asked = pool.getConnection();
        boolean taken = false;
        try {
            SqlConnection connection = await(asked);
            taken = true;
            return connection;
        } finally {
            if (!taken) {
                asked.onSuccess(SqlConnection::close);
            }
        }
    }

    /**
     * Waits for what comes of the database, at most as long as the settings allow.
     *
     * @throws FailureException with {@link Failure.Unavailable} when the database is the reason that there is no result
     * @throws PgException when the statement is: a constraint, an invalid value
     */
    public <T> T await(Future<T> future) {
        return await(future, timeoutMillis);
    }

    private <T> T await(Future<T> future, long millis) {
        try {
            // The database is to be the first to give up: it says why.
            return future.timeout(millis + GRACE_MILLIS, TimeUnit.MILLISECONDS).await();
        } catch (FailureException e) {
            throw e;
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
    public void pause(long millis) {
        vertx.timer(millis).await();
    }

    /** Returns the parameters of a statement; null is a null of the database. */
    public static Tuple tuple(@Nullable Object... parameters) {
        return Tuple.wrap(parameters);
    }

    /**
     * Returns whether the statement itself is the reason of a failure: classes 22 (data) and 23 (constraint), and 42
     * (syntax, missing table).
     */
    public static boolean isOfTheStatement(@Nullable Throwable e) {
        String state = e instanceof PgException refusal ? String.valueOf(refusal.getSqlState()) : "";
        return state.startsWith("22") || state.startsWith("23") || state.startsWith("42");
    }

    private FailureException unavailable(Throwable cause) {
        String state = cause instanceof PgException e ? String.valueOf(e.getSqlState()) : "";
        Failure.Unavailable failure = switch (state) {
            case LOCK_TIMEOUT -> BEHIND_OTHERS;
            case STATEMENT_TIMEOUT -> TOO_LONG;
            case READ_ONLY -> NO_WRITES;
            case DISK_FULL -> NO_ROOM;
            default -> cause instanceof ConnectionPoolTooBusyException ? TOO_MANY : isOlder() ? OLDER : AWAY;
        };
        if (failure.equals(NO_ROOM)) {
            room.ranOut();
        }
        if (failure.database()) {
            primary.suspect(failure.equals(NO_WRITES));
        }
        return new FailureException(failure, cause);
    }

    /**
     * Completes when every connection is closed. One that does not end by itself within {@value #CLOSE_MILLIS} ms, such
     * as one to a server that hangs, is cut, and one that is still being made is left to end with its server.
     */
    public Future<Void> close() {
        primary.close();
        return Future.join(reads.close(), writes.close())
                .timeout(CLOSE_MILLIS, TimeUnit.MILLISECONDS)
                .onFailure(late -> primary.cut())
                .otherwiseEmpty()
                .mapEmpty();
    }
}
