package io.sigma.dataplane.upstream;

import org.jspecify.annotations.Nullable;

/** Those that wait on behalf of one client address, in their order. Used for one address after another. */
final class WaiterGroup {

    long client;
    int size;
    int queued;

    /** Neighbours among the groups, in the order in which they are served. */
    @Nullable
    WaiterGroup before;

    @Nullable
    WaiterGroup after;

    /** The next in the same bucket of the table, or among those that are not used. */
    @Nullable
    WaiterGroup chained;

    private @Nullable Waiter firstQueued;
    private @Nullable Waiter lastQueued;
    /** Those for which a connection is being opened. */
    private @Nullable Waiter firstConnecting;

    private @Nullable Waiter lastConnecting;

    void add(Waiter waiter) {
        waiter.group = this;
        size++;
        Waiter last = waiter.queued ? lastQueued : lastConnecting;
        waiter.before = last;
        if (waiter.queued) {
            queued++;
            lastQueued = waiter;
            firstQueued = last == null ? waiter : firstQueued;
        } else {
            lastConnecting = waiter;
            firstConnecting = last == null ? waiter : firstConnecting;
        }
        if (last != null) {
            last.after = waiter;
        }
    }

    void remove(Waiter waiter) {
        Waiter before = waiter.before;
        Waiter after = waiter.after;
        size--;
        if (before != null) {
            before.after = after;
        } else if (waiter.queued) {
            firstQueued = after;
        } else {
            firstConnecting = after;
        }
        if (after != null) {
            after.before = before;
        } else if (waiter.queued) {
            lastQueued = before;
        } else {
            lastConnecting = before;
        }
        if (waiter.queued) {
            queued--;
        }
        waiter.before = null;
        waiter.after = null;
        waiter.group = null;
    }

    /** Returns for how many a connection is being opened. */
    int connecting() {
        return size - queued;
    }

    @Nullable
    Waiter firstQueued() {
        return firstQueued;
    }

    /**
     * Returns the first that takes {@code connection}; those that have waited longest have a connection opened for
     * them.
     */
    @Nullable
    Waiter firstFor(PooledConnection connection) {
        Waiter waiter = firstConnecting;
        while (waiter != null && waiter.fresh && !connection.isNew()) {
            waiter = waiter.after;
        }
        return waiter == null ? firstQueued : waiter;
    }
}
