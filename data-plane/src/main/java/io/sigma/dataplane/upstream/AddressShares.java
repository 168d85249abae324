package io.sigma.dataplane.upstream;

import java.util.HashMap;
import java.util.Map;

/**
 * Places that client addresses share: one address takes another place while it holds less than {@value #PART} times as many as
 * are free (the dynamic thresholds of Choudhury and Hahne). However few addresses take however much, some places are left for a
 * newcomer. Knows only addresses that hold a place. Thread-safe.
 */
public final class AddressShares {

    /** An address that is alone gets four of five places. */
    private static final int PART = 4;

    private final Map<Long, Integer> held = new HashMap<>();
    private int total;

    /**
     * Takes a place for {@code client}.
     *
     * @param max how many places there are
     * @return false when there is none for this address
     */
    public synchronized boolean tryTake(long client, int max) {
        int free = max - total;
        int mine = held.getOrDefault(client, 0);
        if (free <= 0 || mine > (long) PART * (free - 1)) {
            return false;
        }
        held.put(client, mine + 1);
        total++;
        return true;
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
