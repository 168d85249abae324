package io.sigma.dataplane.upstream;

import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.loop.Loop;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop to one node. One that carries several requests at a time is shared by as many as it
 * takes before another one is opened. The bound on connections is exact over all loops: a loop that has requests waiting and no place for a connection gets one that another loop gives up, an idle one at once, a busy one
 * when its response is over and that loop holds more than its share. Confined to its event loop.
 */
public final class NodePool {

    /** A loop that holds no more than its share passes a connection on after so many responses. */
    private static final int TURNS_MAX = 16;

    private final NodeEndpoint endpoint;
    private final Loop loop;
    private final ArrayDeque<PooledConnection> idle = new ArrayDeque<>();
    /** In use, with room for more requests. */
    private final ArrayDeque<PooledConnection> sharing = new ArrayDeque<>(0);

    private final ArrayDeque<Waiter> waiting = new ArrayDeque<>();
    private int open;
    private int connecting;
    private int turns;
    private boolean hungry;
    private boolean retired;
    /** Whether the next connection is expected to carry several requests at a time. */
    private boolean multiplexing;

    private boolean sweeping;
    /** Null where no unused connections are wanted. */
    private final @Nullable Spares spares;

    NodePool(NodeEndpoint endpoint, Loop loop) {
        this.endpoint = endpoint;
        this.loop = loop;
        this.multiplexing = endpoint.multiplexes();
        int wanted = Math.min(endpoint.pool().idleMin(), endpoint.share());
        this.spares = wanted == 0 ? null : new Spares(this, endpoint, loop, wanted);
    }

    /** Calls {@code waiter} back with a connection, or with the reason why there is none; maybe before returning. */
    public void acquire(Waiter waiter) {
        PooledConnection connection = sharing.isEmpty() ? pollIdle() : sharing.peek();
        if (connection != null) {
            lease(waiter, connection);
            refill();
        } else {
            open(waiter);
        }
    }

    private void open(Waiter waiter) {
        if (attemptsSuffice(1) && endpoint.limit().tryQueue()) {
            enqueue(waiter, true);
        } else if (endpoint.limit().tryConnect()) {
            enqueue(waiter, false);
            connect(waiter);
        } else if (endpoint.limit().tryQueue()) {
            enqueue(waiter, true);
            feed();
        } else {
            waiter.onNoConnection(GatewayError.unsent(ErrorKind.QUEUE_FULL, null));
        }
    }

    /**
     * Calls {@code waiter} back as {@link #acquire} does, but with no connection that was unused for a while: the node has just
     * closed one of those.
     */
    public void acquireFresh(Waiter waiter) {
        if (!idle.isEmpty()) {
            // Its place is for the new one; it has waited longest.
            closeIdle(idle.removeLast());
        }
        waiter.fresh = true;
        open(waiter);
    }

    /** Forgets {@code waiter}, which is not called back any more. */
    public void cancel(Waiter waiter) {
        if (waiter.waiting) {
            waiting.remove(waiter);
            dequeued(waiter);
        }
    }

    void release(PooledConnection connection, boolean reusable) {
        if (!reusable || connection.draining || retired || isExpired(connection) || mustYield()) {
            connection.draining = true;
            onDraining(connection);
        } else if (connection.isOpen()) {
            give(connection);
        } else {
            connection.close();
        }
    }

    /** It takes no more requests, and is closed when it has none. */
    void onDraining(PooledConnection connection) {
        unlist(connection);
        if (connection.isUnused()) {
            connection.close();
        }
    }

    void onStreamsChanged(PooledConnection connection) {
        if (!connection.hasRoom()) {
            unshare(connection);
        } else if (!connection.idle) {
            give(connection);
        }
    }

    void onClosed(PooledConnection connection) {
        unlist(connection);
        open--;
        endpoint.limit().disconnected(this);
        feed();
        if (spares != null) {
            spares.onClosed(connection.isNew(), nowMillis() - connection.bornMillis);
        }
    }

    /** Closes idle connections now and every other one when its response is over; waiting requests are still served. */
    void retire() {
        retired = true;
        if (spares != null) {
            spares.end();
        }
        while (!idle.isEmpty()) {
            closeIdle(idle.pop());
        }
    }

    /** Keeps as many connections ready as are wanted, from now on. */
    void prepare() {
        if (spares != null && !retired) {
            spares.begin();
        }
    }

    /** Returns how many connections have room for a request. */
    int ready() {
        return idle.size() + sharing.size();
    }

    /** Opens a connection that no request waits for; false where other requests need the place, or there is none. */
    boolean openSpare() {
        boolean granted =
                endpoint.limit().hungryLoops() == 0 && endpoint.limit().tryConnect();
        if (granted) {
            connect(null);
        }
        return granted;
    }

    private void refill() {
        if (spares != null) {
            spares.refill();
        }
    }

    private static void closeIdle(PooledConnection connection) {
        connection.idle = false;
        connection.close();
    }

    /** Lets go of an idle connection because another loop has none; from any thread. */
    void yieldLater() {
        loop.scheduler().execute(() -> {
            if (endpoint.limit().hungryLoops() > 0 && waiting.isEmpty() && !idle.isEmpty()) {
                closeIdle(idle.removeLast());
            }
        });
    }

    /** Takes over the place of a connection that another loop gave up; from any thread. */
    void grantLater() {
        loop.scheduler().execute(() -> {
            hungry = false;
            Waiter waiter = firstQueued();
            if (waiter == null) {
                endpoint.limit().disconnected(this);
            } else {
                connectQueued(waiter);
            }
            feed();
        });
    }

    /** Serves waiting requests with {@code connection} and keeps it for others. */
    private void give(PooledConnection connection) {
        Waiter next = nextFor(connection);
        while (next != null) {
            waiting.remove(next);
            dequeued(next);
            lease(next, connection);
            next = nextFor(connection);
        }
        if (!connection.hasRoom() || connection.idle) {
            return;
        }
        if (connection.isUnused()) {
            unshare(connection);
            keep(connection);
        } else {
            share(connection);
        }
    }

    private @Nullable Waiter nextFor(PooledConnection connection) {
        if (!connection.idle && connection.hasRoom()) {
            for (Waiter waiter : waiting) {
                if (waiter.queued || !waiter.fresh || connection.isNew()) {
                    return waiter;
                }
            }
        }
        return null;
    }

    private void keep(PooledConnection connection) {
        connection.idle = true;
        connection.kept = true;
        connection.idleSinceMillis = nowMillis();
        idle.push(connection);
        if (!sweeping) {
            sweeping = true;
            loop.scheduler().schedule(this::sweep, endpoint.pool().idleTimeoutMillis());
        }
    }

    private void lease(Waiter waiter, PooledConnection connection) {
        connection.lease();
        if (connection.hasRoom()) {
            share(connection);
        } else {
            unshare(connection);
        }
        waiter.onConnection(connection);
    }

    private void share(PooledConnection connection) {
        if (!connection.sharing) {
            connection.sharing = true;
            sharing.add(connection);
        }
    }

    private void unshare(PooledConnection connection) {
        if (connection.sharing) {
            connection.sharing = false;
            sharing.remove(connection);
        }
    }

    private void unlist(PooledConnection connection) {
        unshare(connection);
        if (connection.idle) {
            connection.idle = false;
            idle.remove(connection);
        }
    }

    private @Nullable PooledConnection pollIdle() {
        PooledConnection connection = idle.poll();
        while (connection != null) {
            connection.idle = false;
            if (connection.hasRoom() && !isExpired(connection)) {
                return connection;
            }
            connection.close();
            connection = idle.poll();
        }
        return null;
    }

    private boolean isExpired(PooledConnection connection) {
        Integer lifetimeMillis = endpoint.pool().lifetimeMillis();
        return lifetimeMillis != null && nowMillis() - connection.bornMillis >= lifetimeMillis;
    }

    private long nowMillis() {
        return loop.nanos() / 1_000_000;
    }

    /** Returns whether the connections being opened will carry all that waits and {@code more} requests. */
    private boolean attemptsSuffice(int more) {
        return multiplexing && (long) connecting * endpoint.pool().streamsMax() >= waiting.size() + more;
    }

    /**
     * @param cause whom a failure is told; null when no request waits for it
     */
    private void connect(@Nullable Waiter cause) {
        open++;
        connecting++;
        endpoint.connector()
                .connect(
                        endpoint,
                        loop,
                        connection -> connected(cause, connection),
                        error -> connectFailed(cause, error));
    }

    private void connected(@Nullable Waiter cause, PooledConnection connection) {
        connecting--;
        multiplexing = connection.streamsMax() > 1;
        connection.pool = this;
        connection.bornMillis = nowMillis();
        if (cause != null && cause.waiting) {
            waiting.remove(cause);
            dequeued(cause);
            lease(cause, connection);
            give(connection);
        } else if (retired && waiting.isEmpty()) {
            connection.close();
        } else {
            give(connection);
        }
        feed();
        if (cause == null && spares != null) {
            spares.opened();
        }
    }

    private void connectFailed(@Nullable Waiter cause, Throwable error) {
        open--;
        connecting--;
        endpoint.limit().disconnected(this);
        if (cause == null) {
            if (spares != null) {
                spares.failed();
            }
        } else if (cause.waiting) {
            waiting.remove(cause);
            dequeued(cause);
            // A gateway without sockets says nothing about the node.
            ErrorKind kind = error instanceof SocketBudget.Exhausted ? ErrorKind.TOO_BUSY : ErrorKind.CONNECT_FAILED;
            cause.onNoConnection(GatewayError.unsent(kind, error));
        }
        feed();
    }

    /** Opens connections for queued requests while there is place, and asks other loops when there is none. */
    private void feed() {
        for (Waiter waiter = firstQueued(); waiter != null; waiter = firstQueued()) {
            if (attemptsSuffice(0)) {
                return;
            }
            if (!endpoint.limit().tryConnect()) {
                if (hungry) {
                    return;
                }
                hungry = true;
                endpoint.limit().hungry(this);
                endpoint.yieldIdle(this);
                // A place that became free before this loop was noted would wake nobody.
                if (!endpoint.limit().tryConnect()) {
                    return;
                }
            }
            connectQueued(waiter);
        }
    }

    private void connectQueued(Waiter waiter) {
        waiter.queued = false;
        endpoint.limit().unqueued();
        connect(waiter);
    }

    private @Nullable Waiter firstQueued() {
        for (Waiter waiter : waiting) {
            if (waiter.queued) {
                return waiter;
            }
        }
        return null;
    }

    private boolean mustYield() {
        if (endpoint.limit().hungryLoops() <= (hungry ? 1 : 0)) {
            return false;
        }
        return waiting.isEmpty() || open > endpoint.share() || ++turns % TURNS_MAX == 0;
    }

    private void enqueue(Waiter waiter, boolean queued) {
        waiter.waiting = true;
        waiter.queued = queued;
        waiting.add(waiter);
    }

    private void dequeued(Waiter waiter) {
        waiter.waiting = false;
        waiter.fresh = false;
        if (waiter.queued) {
            waiter.queued = false;
            endpoint.limit().unqueued();
        }
    }

    private void sweep() {
        long oldest = nowMillis() - endpoint.pool().idleTimeoutMillis();
        while (!idle.isEmpty() && idle.getLast().idleSinceMillis <= oldest) {
            closeIdle(idle.removeLast());
        }
        sweeping = !idle.isEmpty();
        if (sweeping) {
            long wait = idle.getLast().idleSinceMillis - oldest;
            loop.scheduler().schedule(this::sweep, Math.max(1, wait));
        }
    }
}
