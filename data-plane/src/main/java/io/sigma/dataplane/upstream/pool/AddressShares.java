package io.sigma.dataplane.upstream.pool;

import io.sigma.dataplane.exchange.ClientKey;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * Places that client addresses share: one address takes another place while it holds less than {@value #PART} times as
 * many as are free (the dynamic thresholds of Choudhury and Hahne). However few addresses take however much, some
 * places are left for a newcomer. Knows only addresses that hold a place. Thread-safe.
 */
public final class AddressShares {

    /** An address that is alone gets four of five places. */
    private static final int PART = 4;

    private final Map<Long, Integer> held = new HashMap<>();
    private final LongAdder refused = new LongAdder();
    private int total;

    /**
     * Takes a place for {@code client}.
     *
     * @param client {@link ClientKey#NOBODY} for one that has no share, but may have all
     * @param max how many places there are
     * @return false when there is none for this address
     */
    public boolean tryTake(long client, int max) {
        return tryTake(client, max, Integer.MAX_VALUE);
    }

    /**
     * As {@link #tryTake(long, int)}.
     *
     * @param eachMax how many places an address has at most
     */
    public synchronized boolean tryTake(long client, int max, int eachMax) {
        int free = max - total;
        if (free <= 0) {
            return false;
        }
        if (client != ClientKey.NOBODY) {
            int mine = held.getOrDefault(client, 0);
            if (mine >= eachMax || mine >= (long) PART * free) {
                refused.increment();
                return false;
            }
            held.put(client, mine + 1);
        }
        total++;
        return true;
    }

    /** Returns how often a place was free, but not for the address that wanted it. */
    public long refused() {
        return refused.sum();
    }

    /** Gives a place back that was taken. */
    public synchronized void giveBack(long client) {
        total--;
        held.computeIfPresent(client, (key, count) -> count == 1 ? null : count - 1);
    }

    /** Returns how many places are taken. */
    public synchronized int total() {
        return total;
    }
}
