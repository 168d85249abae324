package io.sigma.dataplane.upstream;

import io.sigma.dataplane.upstream.pool.ClientCounts;
import io.sigma.dataplane.upstream.pool.WaitEstimate;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The calls that wait for a connection of a pool. Each waits for a connection that is being opened on its behalf, or is
 * queued; the limit of the node counts the queued calls. The client address that holds the fewest connections is served
 * first, and among equals the one that was served longest ago (max-min fairness); requests of one address keep their
 * order. Confined to the event loop of the pool.
 */
final class WaiterQueue {

    private static final int BUCKETS = 16;
    private static final int SPARES_MAX = 1024;
    /** Of the time that a request may wait. */
    private static final int PATIENCE_PART = 6;
    /** Nobody is expected to be served when nobody was for this part of the time. */
    private static final int STALL_PART = 2;

    private final NodeLimit limit;
    private final ClientCounts held;
    private final WaitEstimate estimate = new WaitEstimate();
    /** So that nobody can choose addresses that meet in one bucket. */
    private final long factor = ThreadLocalRandom.current().nextLong() | 1;

    private @Nullable WaiterGroup[] buckets = new @Nullable WaiterGroup[BUCKETS];
    private @Nullable WaiterGroup first;
    private @Nullable WaiterGroup last;
    private @Nullable WaiterGroup unused;
    private int spares;
    private int groups;
    private int size;
    private int queued;

    /**
     * @param held how many requests of each client address hold a connection of the pool
     */
    WaiterQueue(NodeLimit limit, ClientCounts held) {
        this.limit = limit;
        this.held = held;
    }

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    /** Returns for how many a connection is being opened. */
    int connecting() {
        return size - queued;
    }

    /** Returns for how many of {@code client} a connection is being opened. */
    int connectingFor(long client) {
        WaiterGroup group = find(client);
        return group == null ? 0 : group.connecting();
    }

    private int holds(WaiterGroup group) {
        return held.of(group.client) + group.connecting();
    }

    /**
     * Returns whether {@code waiter} would wait for longer than a sixth of the time that it may: by then its client is
     * likely to be gone, or would be before the answer.
     */
    boolean isTooLong(Waiter waiter, long now) {
        return queued > 0
                && isTooLong(ahead(waiter.client()), waiter, now)
                && isTooLong(aheadByShares(waiter.client()), waiter, now);
    }

    private boolean isTooLong(int ahead, Waiter waiter, long now) {
        long patience = waiter.waitMillisMax() * 1_000_000L;
        return ahead > 0 && estimate.nanos(ahead, now, patience / STALL_PART) > patience / PATIENCE_PART;
    }

    /** Returns how many are served before one of {@code client} that would be queued now, if each holds as many. */
    private int ahead(long client) {
        WaiterGroup group = find(client);
        long turns = group == null ? groups + 1L : (group.queued + 1L) * groups;
        return (int) Math.min(queued, turns - 1);
    }

    /**
     * Returns how many are served before one of {@code client} that would be queued now, if connections are held for
     * long: those of other addresses until they hold as many.
     */
    private int aheadByShares(long client) {
        WaiterGroup own = find(client);
        int before = own == null ? 0 : own.queued;
        int holdsThen = before + (own == null ? held.of(client) : holds(own));
        long ahead = before;
        for (WaiterGroup group = first; group != null; group = group.after) {
            if (group.client != client) {
                ahead += Math.clamp(holdsThen - holds(group) + 1L, 0, group.queued);
            }
        }
        return (int) ahead;
    }

    /**
     * @param asQueued whether the limit has granted it a place in the queue
     */
    void add(Waiter waiter, boolean asQueued, long now) {
        if (asQueued && queued == 0) {
            estimate.begin(now);
        }
        waiter.waiting = true;
        waiter.queued = asQueued;
        waiter.sinceNanos = now;
        waiter.unqueuedLate = false;
        size++;
        queued += asQueued ? 1 : 0;
        long client = waiter.client();
        WaiterGroup group = find(client);
        if (group == null) {
            group = begin(client);
        }
        group.add(waiter);
    }

    /** Takes out one that is waiting. */
    void remove(Waiter waiter) {
        WaiterGroup group = unlist(waiter);
        if (group.size == 0) {
            end(group);
        }
        waiter.waiting = false;
        waiter.waits++;
        waiter.fresh = false;
        if (waiter.queued) {
            waiter.queued = false;
            limit.unqueued();
        }
    }

    /** Takes out one that gets a connection: its client is served again after the others. */
    void serve(Waiter waiter, long now) {
        WaiterGroup group = waiter.group;
        if (waiter.queued) {
            estimate.served(now);
        }
        remove(waiter);
        if (group != null && group.size > 0) {
            unlink(group);
            link(group);
        }
    }

    private WaiterGroup unlist(Waiter waiter) {
        WaiterGroup group = waiter.group;
        if (group == null) {
            throw new IllegalStateException("it does not wait here");
        }
        size--;
        queued -= waiter.queued ? 1 : 0;
        group.remove(waiter);
        return group;
    }

    /** From now on a connection is being opened on its behalf. */
    void unqueue(Waiter waiter, long now) {
        WaiterGroup group = unlist(waiter);
        waiter.queued = false;
        waiter.unqueuedLate = now - waiter.sinceNanos > waiter.waitMillisMax() * 1_000_000L / 2;
        size++;
        group.add(waiter);
        limit.unqueued();
    }

    /** Returns the queued one that is served next. */
    @Nullable
    Waiter firstQueued() {
        Waiter best = null;
        int least = Integer.MAX_VALUE;
        for (WaiterGroup group = queued == 0 ? null : first; group != null && least > 0; group = group.after) {
            Waiter waiter = group.firstQueued();
            int holds = waiter == null ? Integer.MAX_VALUE : holds(group);
            if (holds < least) {
                least = holds;
                best = waiter;
            }
        }
        return best;
    }

    /** Returns the next that takes {@code connection}. */
    @Nullable
    Waiter firstFor(PooledConnection connection) {
        Waiter best = null;
        int least = Integer.MAX_VALUE;
        // No more clients hold a connection than the pool has connections, so the search ends soon.
        for (WaiterGroup group = first; group != null && least > 0; group = group.after) {
            Waiter waiter = group.firstFor(connection);
            int holds = waiter == null ? Integer.MAX_VALUE : holds(group);
            if (holds < least) {
                least = holds;
                best = waiter;
            }
        }
        return best;
    }

    private int bucket(long client) {
        long mixed = client * factor;
        return (int) (mixed ^ mixed >>> 32) & buckets.length - 1;
    }

    private @Nullable WaiterGroup find(long client) {
        WaiterGroup group = buckets[bucket(client)];
        while (group != null && group.client != client) {
            group = group.chained;
        }
        return group;
    }

    private WaiterGroup begin(long client) {
        WaiterGroup group = unused;
        if (group == null) {
            group = new WaiterGroup();
        } else {
            unused = group.chained;
            spares--;
        }
        group.client = client;
        if (++groups > buckets.length) {
            grow();
        }
        int bucket = bucket(client);
        group.chained = buckets[bucket];
        buckets[bucket] = group;
        link(group);
        return group;
    }

    private void end(WaiterGroup group) {
        groups--;
        unlink(group);
        int bucket = bucket(group.client);
        WaiterGroup before = null;
        for (WaiterGroup each = buckets[bucket]; each != group && each != null; each = each.chained) {
            before = each;
        }
        if (before == null) {
            buckets[bucket] = group.chained;
        } else {
            before.chained = group.chained;
        }
        group.chained = null;
        if (spares < SPARES_MAX) {
            spares++;
            group.chained = unused;
            unused = group;
        }
    }

    private void link(WaiterGroup group) {
        group.before = last;
        group.after = null;
        if (last == null) {
            first = group;
        } else {
            last.after = group;
        }
        last = group;
    }

    private void unlink(WaiterGroup group) {
        if (group.before == null) {
            first = group.after;
        } else {
            group.before.after = group.after;
        }
        if (group.after == null) {
            last = group.before;
        } else {
            group.after.before = group.before;
        }
    }

    private void grow() {
        buckets = new @Nullable WaiterGroup[2 * buckets.length];
        for (WaiterGroup group = first; group != null; group = group.after) {
            int bucket = bucket(group.client);
            group.chained = buckets[bucket];
            buckets[bucket] = group;
        }
    }
}
