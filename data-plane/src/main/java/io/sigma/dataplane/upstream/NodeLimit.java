package io.sigma.dataplane.upstream;

import io.sigma.dataplane.exchange.ClientKey;
import io.sigma.dataplane.upstream.pool.AddressShares;
import io.sigma.dataplane.upstream.pool.Places;
import io.sigma.model.Pool;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The bounds of one node over all event loops. Its counters are touched when a connection opens or closes and when a
 * request has to wait, not by a request that finds an idle connection. Thread-safe.
 */
final class NodeLimit {

    /** The time for which several client addresses are remembered, and the interval of noting them, in milliseconds. */
    private static final long SEVERAL_MILLIS = 60_000;

    private static final long NOTED_MILLIS = 1_000;

    private final int connectionsMax;
    private final int queueMax;
    private final int tunnelsMax;
    private final AddressShares tunnels = new AddressShares();
    private final Places rests;
    private final Places pauses;
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger queued = new AtomicInteger();
    private final ConcurrentLinkedQueue<Opener> hungry = new ConcurrentLinkedQueue<>();
    private final AtomicInteger hungryCount = new AtomicInteger();
    private final AtomicInteger abandoned = new AtomicInteger();
    /** The client that asked last for a connection that had to be opened. */
    private volatile long lastClient = ClientKey.NOBODY;
    /** When several addresses were seen, by {@link System#nanoTime()} in milliseconds. */
    private volatile long severalMillis = Long.MIN_VALUE / 2;

    NodeLimit(Pool pool) {
        this.connectionsMax = pool.connectionsMax();
        this.queueMax = pool.queueMax();
        this.tunnelsMax = pool.tunnelsMax();
        // Half of the streams, and of the connections, are for others.
        this.rests = new Places((int) Math.min(tunnelsMax, (long) connectionsMax * pool.streamsMax() / 2));
        this.pauses = new Places(connectionsMax / 2);
    }

    boolean tryConnect() {
        return increment(connections, connectionsMax);
    }

    /**
     * Gives a connection's place back: to a loop that waits for one, rather another one than {@code by}, if there is.
     */
    @SuppressWarnings("ReferenceEquality") // An opener is one object.
    void disconnected(Opener by) {
        Opener next = hungry.poll();
        if (next == by) {
            Opener other = hungry.poll();
            if (other != null) {
                hungry.add(by);
                next = other;
            }
        }
        if (next == null) {
            connections.decrementAndGet();
        } else {
            hungryCount.decrementAndGet();
            next.grantLater();
        }
    }

    boolean tryQueue() {
        return increment(queued, queueMax);
    }

    void unqueued() {
        queued.decrementAndGet();
    }

    /**
     * Notes that the loop of {@code opener} has waiting requests and no place for a connection; it must not be noted
     * already.
     */
    void hungry(Opener opener) {
        hungryCount.incrementAndGet();
        hungry.add(opener);
    }

    /** Returns how many connections may still be opened. */
    int free() {
        return connectionsMax - connections.get();
    }

    /** Takes a place for a connection that stays with one request; false when there is none for {@code client}. */
    boolean tryTunnel(long client) {
        return tunnels.tryTake(client, tunnelsMax);
    }

    void tunnelEnded(long client) {
        tunnels.giveBack(client);
    }

    int tunnels() {
        return tunnels.total();
    }

    Places rests() {
        return rests;
    }

    Places pauses() {
        return pauses;
    }

    void abandoned(int more) {
        abandoned.addAndGet(more);
    }

    /** Returns how many requests the node has that nobody waits for any more. */
    int abandonedNow() {
        return abandoned.get();
    }

    /** Notes that a connection is wanted for {@code client}. */
    void wantedFor(long client, long nowMillis) {
        long last = lastClient;
        if (last != client) {
            lastClient = client;
            if (last != ClientKey.NOBODY) {
                several(nowMillis);
            }
        }
    }

    /** Notes that requests of several client addresses come. */
    void several(long nowMillis) {
        if (nowMillis - severalMillis >= NOTED_MILLIS) {
            severalMillis = nowMillis;
        }
    }

    /** Returns whether requests of several client addresses came lately. */
    boolean hasSeveral(long nowMillis) {
        return nowMillis - severalMillis < SEVERAL_MILLIS;
    }

    /** Returns how many loops wait for a place. */
    int hungryLoops() {
        return hungryCount.get();
    }

    /** Returns how many connections a loop may keep while another one waits. */
    int share(int loops) {
        return Math.max(1, connectionsMax / loops);
    }

    int connections() {
        return connections.get();
    }

    int queuedNow() {
        return queued.get();
    }

    private static boolean increment(AtomicInteger counter, int max) {
        int current = counter.get();
        while (current < max) {
            if (counter.compareAndSet(current, current + 1)) {
                return true;
            }
            current = counter.get();
        }
        return false;
    }
}
