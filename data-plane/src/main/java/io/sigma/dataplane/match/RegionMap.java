package io.sigma.dataplane.match;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Strings to values, looked up by a region of a longer string without cutting it out. Open addressing with linear probing
 * (Knuth, The Art of Computer Programming, volume 3, §6.4), at most half full. Immutable.
 */
final class RegionMap<V> {

    private final String[] keys;
    private final Object[] values;
    private final int mask;

    @SuppressWarnings("NullAway") // Unused slots hold null.
    RegionMap(Map<String, V> entries) {
        int capacity = Integer.highestOneBit(Math.max(1, entries.size())) * 4;
        keys = new String[capacity];
        values = new Object[capacity];
        mask = capacity - 1;
        entries.forEach((key, value) -> {
            int slot = spread(hash(0, key, 0, key.length())) & mask;
            while (keys[slot] != null) {
                slot = slot + 1 & mask;
            }
            keys[slot] = key;
            values[slot] = value;
        });
    }

    /** Returns the value of {@code text.substring(start, end)}, null when there is none. */
    @Nullable
    V get(String text, int start, int end) {
        return get(text, start, end, hash(0, text, start, end));
    }

    /**
     * Returns the same.
     *
     * @param hash that of the region, by {@link #hash}
     */
    @SuppressWarnings("unchecked")
    @Nullable
    V get(String text, int start, int end, int hash) {
        int slot = spread(hash) & mask;
        String key = keys[slot];
        while (key != null) {
            if (key.length() == end - start && text.startsWith(key, start)) {
                return (V) values[slot];
            }
            slot = slot + 1 & mask;
            key = keys[slot];
        }
        return null;
    }

    /**
     * Returns the hash of a text that goes on with {@code text.substring(start, end)}.
     *
     * @param before that of what comes before; 0 when nothing does
     */
    static int hash(int before, String text, int start, int end) {
        int hash = before;
        for (int i = start; i < end; i++) {
            hash = 31 * hash + text.charAt(i);
        }
        return hash;
    }

    private static int spread(int hash) {
        int mixed = hash * 0x9E3779B9;
        return mixed ^ mixed >>> 16;
    }
}
