package io.sigma.dataplane.upstream;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * What waits for a connection of a pool, in its order: each either for a connection that is being opened on its behalf, or
 * queued, which the limit of the node counts. Confined to the event loop of the pool.
 */
final class WaiterQueue {

    private final ArrayDeque<Waiter> waiters = new ArrayDeque<>();
    private final NodeLimit limit;

    WaiterQueue(NodeLimit limit) {
        this.limit = limit;
    }

    boolean isEmpty() {
        return waiters.isEmpty();
    }

    int size() {
        return waiters.size();
    }

    /**
     * @param queued whether the limit has granted it a place in the queue
     */
    void add(Waiter waiter, boolean queued) {
        waiter.waiting = true;
        waiter.queued = queued;
        waiters.add(waiter);
    }

    /** Takes out one that is waiting. */
    void remove(Waiter waiter) {
        waiters.remove(waiter);
        waiter.waiting = false;
        waiter.waits++;
        waiter.fresh = false;
        if (waiter.queued) {
            waiter.queued = false;
            limit.unqueued();
        }
    }

    /** From now on a connection is being opened on its behalf. */
    void unqueue(Waiter waiter) {
        waiter.queued = false;
        limit.unqueued();
    }

    @Nullable
    Waiter firstQueued() {
        for (Waiter waiter : waiters) {
            if (waiter.queued) {
                return waiter;
            }
        }
        return null;
    }

    /** Returns the first that takes {@code connection}. */
    @Nullable
    Waiter firstFor(PooledConnection connection) {
        for (Waiter waiter : waiters) {
            if (waiter.queued || !waiter.fresh || connection.isNew()) {
                return waiter;
            }
        }
        return null;
    }
}
