package io.sigma.dataplane.upstream;

import io.sigma.dataplane.exchange.ClientKey;
import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.upstream.pool.ClientCounts;
import io.sigma.dataplane.upstream.proxied.NodePoolsOfClients;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop to one node. One that carries several requests at a time is shared by as many as it
 * takes before another one is opened ({@link Opener}). The bound on connections is exact over all loops: a loop that
 * has requests waiting and no place for a connection gets one that another loop gives up, an idle one at once, a busy
 * one when its response is over and that loop holds more than its share. Confined to its event loop.
 */
public final class NodePool {

    /** A loop that holds no more than its share passes a connection on after so many responses. */
    private static final int TURNS_MAX = 16;

    private final NodeEndpoint endpoint;
    private final Loop loop;
    private final ArrayDeque<PooledConnection> idle = new ArrayDeque<>();
    /** In use, with room for more requests. */
    private final ArrayDeque<PooledConnection> sharing = new ArrayDeque<>(0);

    /** While there are other clients, an address may hold at most this many times the number of free connections. */
    private static final int ROOM_PART = 4;

    private final ClientCounts clients = new ClientCounts();
    private long lastClient = ClientKey.NOBODY;
    private final WaiterQueue waiting;
    private final Opener opener;
    /** Null where no unused connections are wanted. */
    private final @Nullable Spares spares;

    private final @Nullable PriorKnowledge knowledge;
    /** Those of other clients, where its connections belong to one client; null where they are for all. */
    private final @Nullable NodePoolsOfClients others;

    private int turns;
    private boolean retired;
    private boolean sweeping;

    NodePool(NodeEndpoint endpoint, Loop loop) {
        this(endpoint, loop, endpoint.connector(), Math.min(endpoint.pool().idleMin(), endpoint.share()), null, null);
    }

    /**
     * Makes one that keeps no connections ready.
     *
     * @param connector opens its connections
     * @param knowledge whether the node speaks HTTP/2, without which there are no connections; null where it need not
     * @param others those of other clients, where it belongs to one; null where it is for all
     */
    NodePool(
            NodeEndpoint endpoint,
            Loop loop,
            Connector connector,
            @Nullable PriorKnowledge knowledge,
            @Nullable NodePoolsOfClients others) {
        this(endpoint, loop, connector, 0, knowledge, others);
    }

    private NodePool(
            NodeEndpoint endpoint,
            Loop loop,
            Connector connector,
            int wanted,
            @Nullable PriorKnowledge knowledge,
            @Nullable NodePoolsOfClients others) {
        this.endpoint = endpoint;
        this.others = others;
        this.loop = loop;
        this.waiting = new WaiterQueue(endpoint.limit(), clients);
        this.spares = wanted == 0 ? null : new Spares(this, endpoint, loop, wanted);
        this.knowledge = knowledge;
        this.opener = new Opener(this, endpoint, loop, connector, waiting, spares, knowledge);
    }

    /** Returns whether it is not known yet that the node speaks the protocol of the connections. */
    public boolean isTrial() {
        return knowledge != null && !knowledge.isHttp2();
    }

    /** Calls {@code waiter} back with a connection, or with the reason why there is none; maybe before returning. */
    public void acquire(Waiter waiter) {
        if (sharing.isEmpty() && !idle.isEmpty() && mustLeaveRoom(waiter.client())) {
            opener.queue(waiter);
            return;
        }
        PooledConnection connection = sharing.isEmpty() ? pollIdle() : sharing.peek();
        if (connection != null) {
            lease(waiter, connection);
            refill();
        } else {
            opener.openFor(waiter);
        }
    }

    /**
     * Calls {@code waiter} back as {@link #acquire} does, but with no connection that was unused for a while: the node
     * has just closed one of those.
     */
    public void acquireFresh(Waiter waiter) {
        if (!idle.isEmpty()) {
            // Its place is for the new one; it has waited longest.
            closeIdle(idle.removeLast());
        }
        waiter.fresh = true;
        opener.openFor(waiter);
    }

    /** Forgets {@code waiter}, which is not called back any more. */
    public void cancel(Waiter waiter) {
        if (waiter.waiting) {
            waiting.remove(waiter);
        }
    }

    /**
     * Returns whether the connections that are left are not for {@code client}: it holds far more than are left, and
     * requests of other addresses come as well. It is served when one of its own requests is over.
     */
    boolean mustLeaveRoom(long client) {
        return mustLeaveRoom(client, 0);
    }

    /**
     * @param more connections that are left beside idle ones and those that may be opened
     */
    private boolean mustLeaveRoom(long client, int more) {
        if (others != null) {
            // Whatever is left is left to other pools, which take their turns.
            return false;
        }
        long left = (long) idle.size() + endpoint.limit().free() + more;
        long room = ROOM_PART * left * opener.streams();
        return clients.total() + waiting.connecting() > room
                && clients.of(client) + waiting.connectingFor(client) > room
                && endpoint.limit().hasSeveral(nowMillis());
    }

    /** A request of {@code client} is over that had a connection, which may be closed. */
    void forget(long client) {
        clients.remove(client);
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
        boolean settled = connection.settling;
        opener.settled(connection);
        if (connection.isUnused()) {
            connection.close();
        }
        if (settled) {
            // It was counted on for those that wait.
            opener.feed();
        }
    }

    void onStreamsChanged(PooledConnection connection) {
        opener.settled(connection);
        if (!connection.hasRoom()) {
            unshare(connection);
        } else if (!connection.idle) {
            give(connection);
        }
        opener.feed();
    }

    /** It carries a request that lasts: its place is for others. */
    void onTunnel(PooledConnection connection) {
        connection.tunnel = true;
        clients.remove(connection.client());
        connection.draining = true;
        unlist(connection);
        opener.onLeft();
    }

    void onClosed(PooledConnection connection) {
        unlist(connection);
        opener.settled(connection);
        if (connection.tunnel) {
            endpoint.limit().tunnelEnded(connection.client());
            return;
        }
        opener.onLeft();
        if (spares != null) {
            spares.onClosed(connection.isNew(), nowMillis() - connection.bornMillis);
        }
    }

    /** Closes idle connections now and every other one when its response is over; waiting requests are still served. */
    public void retire() {
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
        return opener.openSpare();
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

    /** Returns whether it has a connection that no request uses. */
    public boolean hasIdle() {
        return !idle.isEmpty();
    }

    /** Lets go of an idle connection because another pool has none. */
    public void yieldIdle() {
        if (endpoint.limit().hungryLoops() > 0 && waiting.isEmpty() && !idle.isEmpty()) {
            closeIdle(idle.removeLast());
        }
    }

    /**
     * A connection is open.
     *
     * @param taker that was waiting for this one; null where nobody is any more
     */
    void onOpened(PooledConnection connection, @Nullable Waiter taker) {
        connection.pool = this;
        connection.home = this;
        connection.bornMillis = nowMillis();
        if (taker != null) {
            lease(taker, connection);
            give(connection);
        } else if (retired && waiting.isEmpty()) {
            connection.close();
        } else {
            give(connection);
        }
    }

    /** Serves waiting requests with {@code connection} and keeps it for others. */
    private void give(PooledConnection connection) {
        Waiter next = nextFor(connection);
        while (next != null && !mustLeaveRoom(next.client(), 1)) {
            waiting.serve(next, loop.nanos());
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
        return !connection.idle && connection.hasRoom() ? waiting.firstFor(connection) : null;
    }

    private void keep(PooledConnection connection) {
        connection.idle = true;
        connection.kept = true;
        connection.idleSinceMillis = nowMillis();
        idle.push(connection);
        if (others != null) {
            others.rested(this);
        }
        if (!sweeping) {
            sweeping = true;
            loop.scheduler().schedule(this::sweep, endpoint.pool().idleTimeoutMillis());
        }
    }

    private void lease(Waiter waiter, PooledConnection connection) {
        long client = waiter.client();
        if (client != lastClient) {
            if (lastClient != ClientKey.NOBODY) {
                endpoint.limit().several(nowMillis());
            }
            lastClient = client;
        }
        clients.add(client);
        connection.lease(client);
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
            boolean late = nowMillis() - connection.idleSinceMillis >= connection.idleMillisMax;
            if (connection.hasRoom() && !late && !isExpired(connection)) {
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

    private boolean mustYield() {
        if (endpoint.limit().hungryLoops() <= (opener.isHungry() ? 1 : 0)) {
            return false;
        }
        return waiting.isEmpty() || opener.places() > endpoint.share() || ++turns % TURNS_MAX == 0;
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
