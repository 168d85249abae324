package io.sigma.dataplane.match;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Strings to values, looked up by a region of a longer string without cutting it out. Open addressing with linear probing
 * (Knuth, The Art of Computer Programming, volume 3, §6.4), at most half full. Immutable.
 */
final class RegionMap<V> {

    private static final RegionMap<?> NONE = new RegionMap<>(slots(0), Map.of());

    /** The characters of each key with the value behind them, so that a lookup reads one place of a large table. */
    private final @Nullable Object[] slots;

    private final int mask;

    private RegionMap(@Nullable Object[] slots, Map<String, V> entries) {
        this.slots = slots;
        mask = slots.length / 2 - 1;
        entries.forEach((key, value) -> {
            char[] text = key.toCharArray();
            int slot = spread(key.hashCode()) & mask;
            while (slots[2 * slot] != null && !Arrays.equals((char[]) slots[2 * slot], text)) {
                slot = slot + 1 & mask;
            }
            slots[2 * slot] = text;
            slots[2 * slot + 1] = value;
        });
    }

    /** Returns the map of {@code entries}, which are copied. */
    @SuppressWarnings("unchecked")
    static <V> RegionMap<V> of(Map<String, V> entries) {
        return entries.isEmpty() ? (RegionMap<V>) NONE : new RegionMap<>(slots(entries.size()), entries);
    }

    private static @Nullable Object[] slots(int size) {
        return new Object[8 * Integer.highestOneBit(Math.max(1, size))];
    }

    /**
     * Returns this map with other values in the place of some, at the cost of one copy of an array.
     *
     * @param values by keys that are all in this map: others would fill it up
     */
    RegionMap<V> replacing(Map<String, V> values) {
        return values.isEmpty() ? this : new RegionMap<>(slots.clone(), values);
    }

    /** Calls {@code action} with each value. */
    @SuppressWarnings("unchecked")
    void forEachValue(Consumer<V> action) {
        for (int slot = 0; slot <= mask; slot++) {
            V value = (V) slots[2 * slot + 1];
            if (value != null) {
                action.accept(value);
            }
        }
    }

    /** Returns the value of all of {@code text}, null when there is none. */
    @Nullable
    V get(String text) {
        return get(text, 0, text.length(), text.hashCode());
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
        char[] key = (char[]) slots[2 * slot];
        while (key != null) {
            if (key.length == end - start && isAt(text, start, key)) {
                return (V) slots[2 * slot + 1];
            }
            slot = slot + 1 & mask;
            key = (char[]) slots[2 * slot];
        }
        return null;
    }

    private static boolean isAt(String text, int start, char[] key) {
        for (int i = 0; i < key.length; i++) {
            if (text.charAt(start + i) != key[i]) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the hash, that of {@link String#hashCode()}, of a text that goes on with {@code text.substring(start, end)}.
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
