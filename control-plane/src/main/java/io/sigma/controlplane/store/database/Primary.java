package io.sigma.controlplane.store.database;

import io.netty.channel.Channel;
import io.sigma.controlplane.callback.Attempt;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.impl.SocketConnectionBase;
import io.vertx.sqlclient.internal.Connection;
import io.vertx.sqlclient.internal.SqlConnectionInternal;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the host of the URL that takes writes, as {@code target_session_attrs=read-write} of libpq does. After a
 * fail-over the old primary may still run, as a standby: connections to it are closed, and the hosts are asked which of
 * them takes writes now. Nothing is read from a standby, which may lag behind. If no host takes writes, reads go to the
 * primary. If two take writes, because the old primary was not stopped, the promoted one is used; the old one is not
 * used again by this process. Thread-safe; does not block.
 */
final class Primary {

    private static final Logger LOG = LoggerFactory.getLogger(Primary.class);

    /** The interval at which a connection in use is asked whether its host still takes writes, in milliseconds. */
    static final long WATCH_MILLIS = 2_000;

    /** All hosts are asked each time that this many questions to a connection in use were answered. */
    static final int LOOKS_A_SURVEY = 5;

    /** Connections that hosts have not answered, beyond which the hosts are asked only when they are in doubt. */
    private static final int UNANSWERED_MAX = 16;

    static final String ROLE = "select pg_is_in_recovery(), current_setting('transaction_read_only') = 'on'";

    private static final String ROLE_AND_LINEAGE =
            ROLE + ", case when pg_is_in_recovery() then '' else " + Lineage.OF_PRIMARY + " end";

    /** The current role of a server. */
    enum Role {
        TAKES_WRITES,
        /** A primary that was told to take no writes. */
        READ_ONLY,
        STANDBY
    }

    private final Vertx vertx;
    private final List<PgConnectOptions> hosts;
    private final long timeoutMillis;
    private final ServerTls tls;
    private final Set<SocketConnectionBase> open = ConcurrentHashMap.newKeySet();

    private final AtomicInteger unanswered = new AtomicInteger();

    /** Of the host that is used; null while it is not known. */
    private volatile @Nullable Role role;

    /** Whether no host is used because the one that takes writes has an older history. */
    private volatile boolean older;

    // Guarded by this.
    private Lineage seen = Lineage.UNKNOWN;
    private int looks;
    private int used;
    private boolean doubted;
    private @Nullable Promise<Integer> search;
    private @Nullable SqlClient watched;
    private long timer = -1;
    private boolean closed;

    /**
     * @param hosts in the order of the URL
     * @param timeoutMillis for an answer of a host
     */
    Primary(Vertx vertx, List<PgConnectOptions> hosts, long timeoutMillis) {
        this.vertx = vertx;
        this.hosts = List.copyOf(hosts);
        this.timeoutMillis = timeoutMillis;
        this.tls = new ServerTls(vertx, timeoutMillis);
        this.doubted = hosts.size() > 1;
    }

    /** Returns what the host that is used was last; null while it is not known. */
    @Nullable
    Role role() {
        return role;
    }

    /** Returns whether the only host that takes writes has an older history than the one used before. */
    boolean isOlder() {
        return older;
    }

    /** Returns the index of the host to connect to; the hosts are asked first when it is in doubt. */
    Future<Integer> host() {
        Promise<Integer> promise;
        synchronized (this) {
            if (!doubted) {
                return Future.succeededFuture(used);
            }
            if (search != null) {
                return search.future();
            }
            promise = Promise.promise();
            search = promise;
        }
        ask().onComplete(done -> found(done.result(), promise));
        return promise.future();
    }

    /** Asks all hosts. */
    private Future<HostSearch.Found> ask() {
        int kept;
        Lineage newest;
        synchronized (this) {
            kept = used;
            newest = seen;
        }
        return HostSearch.among(vertx, hosts.stream().map(this::ask).toList(), kept, newest);
    }

    /** Returns how to connect to the host to connect to. */
    Future<PgConnectOptions> options() {
        return options(hosts);
    }

    /** As {@link #options()}, with {@code options} for the hosts, in the order of the URL. */
    Future<PgConnectOptions> options(List<PgConnectOptions> options) {
        return host().map(options::get).compose(tls::agreed);
    }

    private void found(HostSearch.Found found, Promise<Integer> promise) {
        HostSearch.Answer answer = found.answer();
        synchronized (this) {
            search = null;
            if (answer != null) {
                use(found.host(), answer);
                doubted = answer.role() != Role.TAKES_WRITES && hosts.size() > 1;
            }
            role = answer == null ? null : answer.role();
            if (found.older() && !older) {
                LOG.warn("The only host of databaseUrl that takes writes has an older history than the one used before:"
                        + " it is not used");
            }
            older = found.older();
        }
        if (answer != null) {
            promise.complete(found.host());
        } else if (found.older()) {
            promise.fail("the only host of databaseUrl that takes writes has an older history");
        } else {
            promise.fail("no host of databaseUrl takes writes");
        }
    }

    /** To be called with the lock. */
    private void use(int host, HostSearch.Answer answer) {
        if (host != used) {
            LOG.warn(
                    "The database is used at {}:{} from now on",
                    hosts.get(host).getHost(),
                    hosts.get(host).getPort());
        }
        used = host;
        if (!answer.lineage().equals(Lineage.UNKNOWN)) {
            seen = answer.lineage();
        }
    }

    private Future<HostSearch.Answer> ask(PgConnectOptions options) {
        return once(options, Primary::askAll);
    }

    /** Asks a host over a connection of its own, which is closed however late it comes. */
    private <T> Future<T> once(PgConnectOptions options, Function<SqlClient, Future<T>> question) {
        Future<PgConnection> connecting =
                Attempt.of(() -> tls.agreed(options).compose(agreed -> PgConnection.connect(vertx, agreed)));
        unanswered.incrementAndGet();
        connecting.onComplete(done -> unanswered.decrementAndGet());
        Future<T> answer = connecting.compose(question).timeout(timeoutMillis, TimeUnit.MILLISECONDS);
        connecting.onSuccess(connection -> answer.onComplete(done -> connection.close()));
        return answer;
    }

    private static Future<Role> ask(SqlClient client) {
        return client.query(ROLE).execute().map(rows -> role(rows.iterator().next()));
    }

    /** Also asks for the history, where the server says it: not every service lets its users ask. */
    private static Future<HostSearch.Answer> askAll(SqlClient client) {
        return client.query(ROLE_AND_LINEAGE)
                .execute()
                .map(rows -> {
                    Row row = rows.iterator().next();
                    return new HostSearch.Answer(role(row), Lineage.of(row.getString(2)));
                })
                .recover(refused -> refused instanceof PgException
                        ? ask(client).map(role -> new HostSearch.Answer(role, Lineage.UNKNOWN))
                        : Future.failedFuture(refused));
    }

    private static Role role(Row row) {
        return row.getBoolean(0) ? Role.STANDBY : row.getBoolean(1) ? Role.READ_ONLY : Role.TAKES_WRITES;
    }

    /** Looks at a connection that a pool made, before it is used; one to a host that should not be used is closed. */
    void admit(SqlConnection connection) {
        SocketConnectionBase socket = remember(connection);
        askAll(connection).timeout(timeoutMillis, TimeUnit.MILLISECONDS).onComplete(done -> {
            boolean replaced = done.succeeded() && isReplaced(done.result(), socket);
            Role found = done.failed()
                    ? null
                    : replaced ? Role.STANDBY : done.result().role();
            if (found == Role.TAKES_WRITES || (found == Role.READ_ONLY && hosts.size() == 1)) {
                role = found;
                connection.close();
                return;
            }
            doubt(found);
            if (found == Role.READ_ONLY) {
                // To be read from where no other host takes writes.
                host().onComplete(asked -> use(connection, socket, asked.succeeded() && role == Role.READ_ONLY));
            } else {
                use(connection, socket, false);
            }
        });
    }

    /**
     * Returns whether another server was promoted since, and was used. If this one is the promoted one, such as behind
     * one name, what is connected to the old one is closed.
     */
    private boolean isReplaced(HostSearch.Answer answer, SocketConnectionBase socket) {
        Lineage lineage = answer.lineage();
        boolean newer;
        synchronized (this) {
            if (lineage.isOlderThan(seen)) {
                older = hosts.size() == 1;
                return true;
            }
            newer = seen.isOlderThan(lineage);
            seen = lineage.equals(Lineage.UNKNOWN) ? seen : lineage;
            older = false;
        }
        if (newer) {
            LOG.warn("Connections to a database that was replaced are closed");
            open.stream().filter(other -> !other.equals(socket)).forEach(Primary::end);
        }
        return false;
    }

    private static void use(SqlConnection connection, SocketConnectionBase socket, boolean used) {
        if (used) {
            connection.close();
        } else {
            end(socket);
        }
    }

    /** Ends a connection at once: a close of the client waits until the server closes its side, which may hang. */
    private static void end(SocketConnectionBase connection) {
        Channel channel = connection.socket().channelHandlerContext().channel();
        channel.eventLoop().execute(() -> channel.unsafe().close(channel.newPromise()));
    }

    /** Notes a connection, so that it is closed with all others when another host takes over. */
    SocketConnectionBase remember(SqlConnection connection) {
        Connection inner = ((SqlConnectionInternal) connection).unwrap();
        Connection innermost = inner instanceof SocketConnectionBase ? inner : inner.unwrap();
        SocketConnectionBase socket = (SocketConnectionBase) innermost;
        open.removeIf(known -> !known.isValid());
        open.add(socket);
        return socket;
    }

    private synchronized void doubt(@Nullable Role found) {
        doubted = hosts.size() > 1;
        role = found;
    }

    /**
     * To be called when a statement was refused because its server takes no writes, and when a server does not answer:
     * looks where writes are taken, and closes what is connected elsewhere. What is connected to the same host may be
     * so through something that leads elsewhere now, and is closed too.
     *
     * @param refused whether a statement was refused
     */
    void suspect(boolean refused) {
        int before;
        synchronized (this) {
            if (closed || (!refused && hosts.size() == 1)) {
                return;
            }
            before = used;
            doubted = true;
        }
        host().onComplete(done -> {
            synchronized (this) {
                doubted = hosts.size() > 1 && (done.failed() || role != Role.TAKES_WRITES);
            }
            boolean elsewhere = done.succeeded() && done.result() != before;
            boolean stale = refused && done.succeeded() && role == Role.TAKES_WRITES;
            if (elsewhere || stale || (refused && done.failed())) {
                LOG.warn("Connections to a database that takes no writes are closed");
                cut();
            }
        });
    }

    /** Closes every connection at once, whatever it does. */
    void cut() {
        open.forEach(Primary::end);
        open.clear();
    }

    /** From now on asks one connection of {@code pool} every two seconds. */
    synchronized void watch(SqlClient pool) {
        watched = pool;
        lookLater();
    }

    private synchronized void lookLater() {
        if (!closed) {
            timer = vertx.setTimer(WATCH_MILLIS, id -> look());
        }
    }

    private void look() {
        SqlClient pool;
        synchronized (this) {
            pool = watched;
            if (closed || pool == null) {
                return;
            }
        }
        Attempt.of(() -> ask(pool).timeout(timeoutMillis, TimeUnit.MILLISECONDS))
                .onComplete(done -> {
                    lookLater();
                    Role found = done.succeeded() ? done.result() : null;
                    role = found;
                    if (found == null) {
                        // All connections may wait for a standby.
                        once(hosts.get(used()), client -> StandbyWaits.end(client, timeoutMillis));
                        suspect(false);
                    } else if (found != Role.TAKES_WRITES) {
                        suspect(true);
                    } else {
                        StandbyWaits.end(pool, timeoutMillis);
                        survey();
                    }
                });
    }

    private synchronized int used() {
        return used;
    }

    /** Asks all hosts from time to time: the one that is used may take writes although another one was promoted. */
    private void survey() {
        synchronized (this) {
            looks++;
            boolean due = hosts.size() > 1 && looks % LOOKS_A_SURVEY == 0;
            if (closed || !due || unanswered.get() > UNANSWERED_MAX) {
                return;
            }
        }
        ask().onSuccess(found -> {
            HostSearch.Answer answer = found.answer();
            synchronized (this) {
                if (closed || answer == null || found.host() == used || !seen.isOlderThan(answer.lineage())) {
                    return;
                }
                use(found.host(), answer);
            }
            LOG.warn("Connections to a database that was replaced are closed");
            cut();
        });
    }

    synchronized void close() {
        closed = true;
        vertx.cancelTimer(timer);
        tls.close();
    }
}
