package io.sigma.dataplane.upstream;

import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.loop.Loop;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop to one node. The bound on connections is exact over all loops: a loop that has
 * requests waiting and no place for a connection gets one that another loop gives up, an idle one at once, a busy one
 * when its response is over and that loop holds more than its share. Confined to its event loop.
 */
public final class NodePool {

    /** A loop that holds no more than its share passes a connection on after so many responses. */
    private static final int TURNS_MAX = 16;

    private final NodeEndpoint endpoint;
    private final Loop loop;
    private final ArrayDeque<PooledConnection> idle = new ArrayDeque<>();
    private final ArrayDeque<Waiter> waiting = new ArrayDeque<>();
    private int open;
    private int turns;
    private boolean hungry;
    private boolean retired;
    private boolean sweeping;

    NodePool(NodeEndpoint endpoint, Loop loop) {
        this.endpoint = endpoint;
        this.loop = loop;
    }

    /** Calls {@code waiter} back with a connection, or with the reason why there is none; maybe before returning. */
    public void acquire(Waiter waiter) {
        PooledConnection connection = pollIdle();
        if (connection != null) {
            serve(waiter, connection);
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
        if (!reusable || retired || !connection.isOpen() || mustYield()) {
            connection.close();
            return;
        }
        give(connection);
    }

    void onClosed(PooledConnection connection) {
        if (connection.idle) {
            connection.idle = false;
            idle.remove(connection);
        }
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

    private void give(PooledConnection connection) {
        Waiter next = waiting.poll();
        if (next != null) {
            dequeued(next);
            serve(next, connection);
            return;
        }
        connection.idle = true;
        connection.idleSinceMillis = System.nanoTime() / 1_000_000;
        idle.push(connection);
        if (!sweeping) {
            sweeping = true;
            loop.scheduler().schedule(this::sweep, endpoint.pool().idleTimeoutMillis());
        }
    }

    private static void serve(Waiter waiter, PooledConnection connection) {
        connection.used();
        waiter.onConnection(connection);
    }

    private @Nullable PooledConnection pollIdle() {
        PooledConnection connection = idle.poll();
        while (connection != null) {
            connection.idle = false;
            if (connection.isOpen()) {
                return connection;
            }
            connection = idle.poll();
        }
        return null;
    }

    private void connect(Waiter cause) {
        open++;
        endpoint.connector()
                .connect(
                        endpoint,
                        loop,
                        connection -> connected(cause, connection),
                        error -> connectFailed(cause, error));
    }

    private void connected(Waiter cause, PooledConnection connection) {
        connection.pool = this;
        if (cause.waiting) {
            waiting.remove(cause);
            dequeued(cause);
            serve(cause, connection);
        } else if (retired && waiting.isEmpty()) {
            connection.close();
        } else {
            give(connection);
        }
    }

    private void connectFailed(Waiter cause, Throwable error) {
        open--;
        endpoint.limit().disconnected(this);
        if (cause.waiting) {
            waiting.remove(cause);
            dequeued(cause);
            cause.onNoConnection(GatewayError.unsent(ErrorKind.CONNECT_FAILED, error));
        }
        feed();
    }

    /** Opens connections for queued requests while there is place, and asks other loops when there is none. */
    private void feed() {
        for (Waiter waiter = firstQueued(); waiter != null; waiter = firstQueued()) {
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
        long oldest = System.nanoTime() / 1_000_000 - endpoint.pool().idleTimeoutMillis();
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
