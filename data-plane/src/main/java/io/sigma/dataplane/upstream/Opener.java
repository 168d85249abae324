package io.sigma.dataplane.upstream;

import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.upstream.pool.SocketBudget;
import io.sigma.value.AddressRefused;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/**
 * Opens the connections of a pool: at once while the bound over all loops leaves place, else for queued requests as
 * soon as it does. Confined to the event loop of the pool.
 */
final class Opener {

    /**
     * The pause of opening after the process had no socket left, in milliseconds. Connections that are given back
     * meanwhile serve the waiting calls.
     */
    private static final long EXHAUSTED_MILLIS = 20;

    private final NodePool pool;
    private final NodeEndpoint endpoint;
    private final Loop loop;
    private final Connector connector;
    private final WaiterQueue waiting;
    /** Null where no unused connections are wanted. */
    private final @Nullable Spares spares;
    /** The knowledge if a plaintext node speaks HTTP/2; null where it need not be found out. */
    private final @Nullable PriorKnowledge knowledge;

    private int places;
    private int connecting;
    /** Connections whose nodes have not said yet how many requests they take. */
    private int settling;

    private boolean hungry;
    /** True if the process had no socket left a moment ago. */
    private boolean exhausted;

    /** True if the next connection is expected to carry several requests at a time. */
    private boolean multiplexing;

    Opener(
            NodePool pool,
            NodeEndpoint endpoint,
            Loop loop,
            Connector connector,
            WaiterQueue waiting,
            @Nullable Spares spares,
            @Nullable PriorKnowledge knowledge) {
        this.knowledge = knowledge;
        this.connector = connector;
        this.pool = pool;
        this.endpoint = endpoint;
        this.loop = loop;
        this.waiting = waiting;
        this.spares = spares;
        this.multiplexing = endpoint.multiplexes() || connector.multiplexes();
    }

    /** Returns how many connections are open or being opened. */
    int places() {
        return places;
    }

    /** Returns how many requests a connection is expected to carry at a time. */
    int streams() {
        return multiplexing ? endpoint.pool().streamsMax() : 1;
    }

    /** Returns whether this loop waits for a place that another one gives up. */
    boolean isHungry() {
        return hungry;
    }

    /**
     * Lets {@code waiter} wait for a connection that is opened for it, or in the queue, or tells it that there is no
     * place.
     */
    void openFor(Waiter waiter) {
        long now = loop.nanos();
        endpoint.limit().wantedFor(waiter.client(), now / 1_000_000);
        if (attemptsSuffice(1) && endpoint.limit().tryQueue()) {
            waiting.add(waiter, true, now);
        } else if (!exhausted
                && !isTrying()
                && !pool.mustLeaveRoom(waiter.client())
                && endpoint.limit().tryConnect()) {
            waiting.add(waiter, false, now);
            connect(waiter);
        } else {
            queue(waiter);
        }
    }

    /** Lets {@code waiter} wait in the queue, unless it would wait there for longer than is of use. */
    void queue(Waiter waiter) {
        long now = loop.nanos();
        if (waiting.isTooLong(waiter, now)) {
            waiter.onNoConnection(GatewayError.unsent(ErrorKind.WAIT_TOO_LONG, null));
        } else if (endpoint.limit().tryQueue()) {
            waiting.add(waiter, true, now);
            feed();
        } else {
            waiter.onNoConnection(GatewayError.unsent(ErrorKind.QUEUE_FULL, null));
        }
    }

    /** Opens a connection that no request waits for; false where other requests need the place, or there is none. */
    boolean openSpare() {
        boolean granted = connector.hasRoomInAdvance()
                && endpoint.limit().hungryLoops() == 0
                && endpoint.limit().tryConnect();
        if (granted) {
            connect(null);
        }
        return granted;
    }

    /** The place of a connection is free: it is closed, or does not count any more. */
    void onLeft() {
        places--;
        endpoint.limit().disconnected(this);
        feed();
    }

    /** Takes over the place of a connection that another loop gave up; from any thread. */
    void grantLater() {
        loop.scheduler().execute(() -> {
            hungry = false;
            Waiter waiter = waiting.firstQueued();
            if (waiter == null) {
                endpoint.limit().disconnected(this);
            } else {
                connectQueued(waiter);
            }
            feed();
        });
    }

    /** Returns whether the connections being opened will carry all that waits and {@code more} requests. */
    private boolean attemptsSuffice(int more) {
        return isTrying()
                || (multiplexing
                        && (long) (connecting + settling) * endpoint.pool().streamsMax() >= waiting.size() + more);
    }

    /** Returns whether an attempt has to tell first whether the node speaks the protocol at all. */
    private boolean isTrying() {
        return knowledge != null && connecting > 0 && connecting == places;
    }

    /**
     * @param cause whom a failure is told; null when no request waits for it
     */
    private void connect(@Nullable Waiter cause) {
        places++;
        connecting++;
        int wait = cause == null ? 0 : cause.waits;
        try {
            connector.connect(
                    endpoint,
                    loop,
                    connection -> connected(cause, wait, connection),
                    error -> connectFailed(cause, wait, error));
        } catch (RuntimeException | Error e) {
            // Later, because the one that asks is not ready for an answer, and a caller may be looking at the queue.
            loop.scheduler().execute(() -> connectFailed(cause, wait, e));
        }
    }

    /**
     * @param wait the one of {@code cause} for which this connection was opened; it may wait for something else by now
     */
    private void connected(@Nullable Waiter cause, int wait, PooledConnection connection) {
        if (!connection.isOpen()) {
            // It was closed before anybody was notified, so nobody will be.
            connectFailed(cause, wait, new ClosedChannelException());
            return;
        }
        connecting--;
        if (knowledge != null) {
            knowledge.spoke();
        }
        if (connection.isSettling()) {
            connection.settling = true;
            settling++;
            multiplexing = true;
        } else {
            multiplexing = connection.streamsMax() > 1;
        }
        if (cause != null && cause.waits == wait) {
            waiting.remove(cause);
            pool.onOpened(connection, cause);
        } else {
            pool.onOpened(connection, null);
        }
        feed();
        if (cause == null && spares != null) {
            spares.opened();
        }
    }

    /** Notes how many requests {@code connection} takes, or that it takes none any more. */
    void settled(PooledConnection connection) {
        if (connection.settling) {
            connection.settling = false;
            settling--;
            if (connection.isOpen()) {
                multiplexing = connection.streamsMax() > 1;
            }
        }
    }

    private void connectFailed(@Nullable Waiter cause, int wait, Throwable error) {
        places--;
        connecting--;
        endpoint.limit().disconnected(this);
        boolean speaksHttp1 =
                knowledge != null && error instanceof NotHttp2 not && knowledge.refused(not, loop.nanos());
        if (cause == null) {
            if (spares != null) {
                spares.failed();
            }
        } else if (cause.waits == wait) {
            waiting.remove(cause);
            if (error instanceof SocketBudget.Exhausted && places > 0) {
                // Others took the sockets, which says nothing of this request: a connection will be given back.
                rest();
                queue(cause);
            } else {
                cause.onNoConnection(GatewayError.unsent(kind(error), error));
            }
        }
        if (speaksHttp1) {
            refuseAll(error);
        }
        feed();
    }

    private void refuseAll(Throwable error) {
        for (Waiter waiter = waiting.firstQueued(); waiter != null; waiter = waiting.firstQueued()) {
            waiting.remove(waiter);
            waiter.onNoConnection(GatewayError.unsent(kind(error), error));
        }
    }

    /** Opens nothing for a moment. */
    private void rest() {
        if (!exhausted) {
            exhausted = true;
            loop.scheduler()
                    .schedule(
                            () -> {
                                exhausted = false;
                                feed();
                            },
                            EXHAUSTED_MILLIS);
        }
    }

    private static ErrorKind kind(Throwable error) {
        return switch (error) {
            // A gateway without sockets says nothing about the node.
            case SocketBudget.Exhausted exhausted -> ErrorKind.TOO_BUSY;
            case AddressRefused refused -> ErrorKind.ADDRESS_REFUSED;
            default -> ErrorKind.CONNECT_FAILED;
        };
    }

    /** Opens connections for queued requests while there is place, and asks other loops when there is none. */
    void feed() {
        if (exhausted) {
            return;
        }
        for (Waiter waiter = waiting.firstQueued(); waiter != null; waiter = waiting.firstQueued()) {
            // The first waiter holds least, so the others have to leave room as well.
            if (attemptsSuffice(0) || pool.mustLeaveRoom(waiter.client())) {
                return;
            }
            if (!endpoint.limit().tryConnect()) {
                if (hungry) {
                    return;
                }
                hungry = true;
                endpoint.limit().hungry(this);
                endpoint.yieldIdle(pool);
                // A place that became free before this loop was noted would wake nobody.
                if (!endpoint.limit().tryConnect()) {
                    return;
                }
            }
            connectQueued(waiter);
        }
    }

    private void connectQueued(Waiter waiter) {
        waiting.unqueue(waiter, loop.nanos());
        connect(waiter);
    }
}
