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

    NodePool(NodeEndpoint endpoint, Loop loop) {
        this.endpoint = endpoint;
        this.loop = loop;
        this.multiplexing = endpoint.multiplexes();
    }

    /** Calls {@code waiter} back with a connection, or with the reason why there is none; maybe before returning. */
    public void acquire(Waiter waiter) {
        PooledConnection connection = sharing.isEmpty() ? pollIdle() : sharing.peek();
        if (connection != null) {
            lease(waiter, connection);
        } else if (attemptsSuffice(1) && endpoint.limit().tryQueue()) {
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
    }

    /** Closes idle connections now and every other one when its response is over; waiting requests are still served. */
    void retire() {
        retired = true;
        while (!idle.isEmpty()) {
            PooledConnection connection = idle.pop();
            connection.idle = false;
            connection.close();
        }
    }

    /** Lets go of an idle connection because another loop has none; from any thread. */
    void yieldLater() {
        loop.scheduler().execute(() -> {
            if (endpoint.limit().hungryLoops() > 0 && waiting.isEmpty() && !idle.isEmpty()) {
                PooledConnection connection = idle.removeLast();
                connection.idle = false;
                connection.close();
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
        while (connection.hasRoom() && !connection.idle && !waiting.isEmpty()) {
            Waiter next = waiting.remove();
            dequeued(next);
            lease(next, connection);
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

    private void keep(PooledConnection connection) {
        connection.idle = true;
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

    private void connect(Waiter cause) {
        open++;
        connecting++;
        endpoint.connector()
                .connect(
                        endpoint,
                        loop,
                        connection -> connected(cause, connection),
                        error -> connectFailed(cause, error));
    }

    private void connected(Waiter cause, PooledConnection connection) {
        connecting--;
        multiplexing = connection.streamsMax() > 1;
        connection.pool = this;
        connection.bornMillis = nowMillis();
        if (cause.waiting) {
            waiting.remove(cause);
            dequeued(cause);
            lease(cause, connection);
        } else if (retired && waiting.isEmpty()) {
            connection.close();
            return;
        }
        give(connection);
        feed();
    }

    private void connectFailed(Waiter cause, Throwable error) {
        open--;
        connecting--;
        endpoint.limit().disconnected(this);
        if (cause.waiting) {
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
        if (waiter.queued) {
            waiter.queued = false;
            endpoint.limit().unqueued();
        }
    }

    private void sweep() {
        long oldest = nowMillis() - endpoint.pool().idleTimeoutMillis();
        while (!idle.isEmpty() && idle.getLast().idleSinceMillis <= oldest) {
            PooledConnection connection = idle.removeLast();
            connection.idle = false;
            connection.close();
        }
        sweeping = !idle.isEmpty();
        if (sweeping) {
            long wait = idle.getLast().idleSinceMillis - oldest;
            loop.scheduler().schedule(this::sweep, Math.max(1, wait));
        }
    }
}
