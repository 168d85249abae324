package io.sigma.dataplane.filter;

import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * Bounds the entries of all {@link RecentMap}s of a process together: each has a bound of its own, and a configuration
 * may have any number of them. Maps that nobody uses any more do not count. Thread-safe.
 */
final class EntryBudget {

    /** A key of up to 128 characters, a small value, and what a map needs for both. */
    private static final int ENTRY_BYTES = 256;

    private static final int HEAP_PART = 8;

    /** That of the process, because the heap is. */
    static final EntryBudget OF_PROCESS = new EntryBudget(Runtime.getRuntime().maxMemory() / HEAP_PART / ENTRY_BYTES);

    private final long entriesMax;
    private final Set<RecentMap<?>> maps = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    /** @param entriesMax of all maps */
    EntryBudget(long entriesMax) {
        this.entriesMax = entriesMax;
    }

    void add(RecentMap<?> map) {
        maps.add(map);
    }

    /** Returns whether the maps have more entries than they may. */
    boolean isSpent() {
        long entries = 0;
        synchronized (maps) {
            for (RecentMap<?> map : maps) {
                entries += map.size();
            }
        }
        return entries > entriesMax;
    }
}
