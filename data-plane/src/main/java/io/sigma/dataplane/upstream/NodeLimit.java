package io.sigma.dataplane.upstream;

import io.sigma.model.Pool;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The bounds of one node over all event loops. Its counters are touched when a connection opens or closes and when a
 * request has to wait, not by a request that finds an idle connection. Thread-safe.
 */
final class NodeLimit {

    private final int connectionsMax;
    private final int queueMax;
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger queued = new AtomicInteger();
    private final ConcurrentLinkedQueue<NodePool> hungry = new ConcurrentLinkedQueue<>();
    private final AtomicInteger hungryCount = new AtomicInteger();

    NodeLimit(Pool pool) {
        this.connectionsMax = pool.connectionsMax();
        this.queueMax = pool.queueMax();
    }

    boolean tryConnect() {
        return increment(connections, connectionsMax);
    }

    /** Gives a connection's place back: to a loop that waits for one, rather another one than {@code by}, if there is. */
    @SuppressWarnings("ReferenceEquality") // A pool is one object.
    void disconnected(NodePool by) {
        NodePool next = hungry.poll();
        if (next == by) {
            NodePool other = hungry.poll();
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

    /** Notes that {@code pool} has waiting requests and no place for a connection; it must not be noted already. */
    void hungry(NodePool pool) {
        hungryCount.incrementAndGet();
        hungry.add(pool);
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
