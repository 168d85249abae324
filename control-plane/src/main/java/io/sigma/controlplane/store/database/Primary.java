package io.sigma.controlplane.store.database;

import io.sigma.controlplane.callback.Attempt;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the host of the URL that takes writes, as {@code target_session_attrs=read-write} of libpq does. After a
 * fail-over the old primary may still run, as a standby: connections to it are closed, and the hosts are asked which of
 * them takes writes now. Nothing is read from a standby, which may lag behind. If no host takes writes, reads go to the
 * primary. Thread-safe; does not block.
 */
final class Primary {

    private static final Logger LOG = LoggerFactory.getLogger(Primary.class);

    /** The interval at which a connection in use is asked whether its host still takes writes, in milliseconds. */
    static final long WATCH_MILLIS = 2_000;

    static final String ROLE = "select pg_is_in_recovery(), current_setting('transaction_read_only') = 'on'";

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

    /** Of the host that is used; null while it is not known. */
    private volatile @Nullable Role role;

    // Guarded by this.
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
        new Search(promise).begin();
        return promise.future();
    }

    /** Returns how to connect to the host to connect to. */
    Future<PgConnectOptions> options() {
        return options(hosts);
    }

    /** As {@link #options()}, with {@code options} for the hosts, in the order of the URL. */
    Future<PgConnectOptions> options(List<PgConnectOptions> options) {
        return host().map(options::get).compose(tls::agreed);
    }

    /** A question to all hosts. */
    private final class Search {

        private final Promise<Integer> promise;
        private final @Nullable Role[] roles = new Role[hosts.size()];
        private int left = hosts.size();
        private boolean over;

        Search(Promise<Integer> promise) {
            this.promise = promise;
        }

        void begin() {
            for (int i = 0; i < hosts.size(); i++) {
                int index = i;
                ask(hosts.get(i)).onComplete(done -> answered(index, done.succeeded() ? done.result() : null));
            }
        }

        private void answered(int index, @Nullable Role answer) {
            int chosen;
            synchronized (this) {
                roles[index] = answer;
                left--;
                chosen = answer == Role.TAKES_WRITES ? index : left == 0 ? readable() : -2;
                if (over || chosen == -2) {
                    return;
                }
                over = true;
            }
            found(chosen, chosen < 0 ? null : roles[chosen], promise);
        }

        private int readable() {
            for (int i = 0; i < roles.length; i++) {
                if (roles[i] == Role.READ_ONLY) {
                    return i;
                }
            }
            return -1;
        }
    }

    private void found(int chosen, @Nullable Role found, Promise<Integer> promise) {
        synchronized (this) {
            search = null;
            if (chosen >= 0) {
                if (chosen != used) {
                    LOG.warn(
                            "The database is used at {}:{} from now on",
                            hosts.get(chosen).getHost(),
                            hosts.get(chosen).getPort());
                }
                used = chosen;
                doubted = found != Role.TAKES_WRITES && hosts.size() > 1;
            }
            role = found;
        }
        if (chosen >= 0) {
            promise.complete(chosen);
        } else {
            promise.fail("no host of databaseUrl takes writes");
        }
    }

    /** Asks a host over a connection of its own, which is closed however late it comes. */
    private Future<Role> ask(PgConnectOptions options) {
        Future<PgConnection> connecting =
                Attempt.of(() -> tls.agreed(options).compose(agreed -> PgConnection.connect(vertx, agreed)));
        Future<Role> answer = connecting.compose(Primary::ask).timeout(timeoutMillis, TimeUnit.MILLISECONDS);
        connecting.onSuccess(connection -> answer.onComplete(done -> connection.close()));
        return answer;
    }

    private static Future<Role> ask(SqlClient client) {
        return client.query(ROLE).execute().map(rows -> {
            Row row = rows.iterator().next();
            return row.getBoolean(0) ? Role.STANDBY : row.getBoolean(1) ? Role.READ_ONLY : Role.TAKES_WRITES;
        });
    }

    /** Looks at a connection that a pool made, before it is used; one to a host that should not be used is closed. */
    void admit(SqlConnection connection) {
        SocketConnectionBase socket = remember(connection);
        ask(connection).timeout(timeoutMillis, TimeUnit.MILLISECONDS).onComplete(done -> {
            Role found = done.succeeded() ? done.result() : null;
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

    private static void use(SqlConnection connection, SocketConnectionBase socket, boolean used) {
        if (used) {
            connection.close();
        } else {
            socket.socket().close();
        }
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
        open.forEach(connection -> connection.socket().close());
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
                    if (found != Role.TAKES_WRITES) {
                        suspect(found != null);
                    }
                });
    }

    synchronized void close() {
        closed = true;
        vertx.cancelTimer(timer);
        tls.close();
    }
}
