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
    private final ConcurrentLinkedQueue<Opener> hungry = new ConcurrentLinkedQueue<>();
    private final AtomicInteger hungryCount = new AtomicInteger();

    NodeLimit(Pool pool) {
        this.connectionsMax = pool.connectionsMax();
        this.queueMax = pool.queueMax();
    }

    boolean tryConnect() {
        return increment(connections, connectionsMax);
    }

    /** Gives a connection's place back: to a loop that waits for one, rather another one than {@code by}, if there is. */
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

    /** Notes that the loop of {@code opener} has waiting requests and no place for a connection; it must not be noted already. */
    void hungry(Opener opener) {
        hungryCount.incrementAndGet();
        hungry.add(opener);
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
