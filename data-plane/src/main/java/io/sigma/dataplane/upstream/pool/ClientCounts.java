package io.sigma.dataplane.upstream.pool;

import java.util.concurrent.ThreadLocalRandom;

/**
 * The number of requests of each client address that hold a connection of a pool. At most as large as the pool;
 * counting allocates only when the table grows. Confined to the event loop of the pool.
 */
public final class ClientCounts {

    private static final int SLOTS = 16;

    /** So that nobody can choose addresses that meet in one slot. */
    private final long factor = ThreadLocalRandom.current().nextLong() | 1;

    private long[] keys = new long[SLOTS];
    private int[] counts = new int[SLOTS];
    private int used;
    private int total;

    /** Returns how many requests of all addresses there are. */
    public int total() {
        return total;
    }

    /** Returns how many requests of {@code client} there are. */
    public int of(long client) {
        return counts[slot(client)];
    }

    public void add(long client) {
        int slot = slot(client);
        total++;
        if (counts[slot]++ == 0) {
            keys[slot] = client;
            if (++used * 2 > keys.length) {
                grow();
            }
        }
    }

    public void remove(long client) {
        int slot = slot(client);
        if (counts[slot] == 0) {
            throw new IllegalStateException("a request that was not counted");
        }
        total--;
        if (--counts[slot] == 0) {
            used--;
            close(slot);
        }
    }

    /** Returns where {@code client} is, or would be. */
    private int slot(long client) {
        int slot = home(client);
        while (counts[slot] != 0 && keys[slot] != client) {
            slot = slot + 1 & keys.length - 1;
        }
        return slot;
    }

    private int home(long client) {
        long mixed = client * factor;
        return (int) (mixed ^ mixed >>> 32) & keys.length - 1;
    }

    /** Moves what follows into the gap, unless it would come before its home (Knuth, algorithm 6.4 R). */
    private void close(int emptied) {
        int gap = emptied;
        int mask = keys.length - 1;
        for (int slot = gap + 1 & mask; counts[slot] != 0; slot = slot + 1 & mask) {
            int home = home(keys[slot]);
            if ((slot - home & mask) >= (slot - gap & mask)) {
                keys[gap] = keys[slot];
                counts[gap] = counts[slot];
                counts[slot] = 0;
                gap = slot;
            }
        }
    }

    private void grow() {
        long[] oldKeys = keys;
        int[] oldCounts = counts;
        keys = new long[2 * oldKeys.length];
        counts = new int[2 * oldKeys.length];
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldCounts[i] != 0) {
                int slot = slot(oldKeys[i]);
                keys[slot] = oldKeys[i];
                counts[slot] = oldCounts[i];
            }
        }
    }
}
