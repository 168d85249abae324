package io.sigma.dataplane.match;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Strings to values, looked up by a region of a longer string without cutting it out. Open addressing with linear
 * probing (Knuth, The Art of Computer Programming, volume 3, §6.4), at most half full. Immutable.
 */
final class RegionMap<V> {

    private static final RegionMap<?> NONE = new RegionMap<>(slots(0), 0);

    /** The characters of each key with the value behind them, so that a lookup reads one place of a large table. */
    private final @Nullable Object[] slots;

    private final int size;

    private final int mask;

    private RegionMap(@Nullable Object[] slots, int size) {
        this.slots = slots;
        this.size = size;
        mask = slots.length / 2 - 1;
    }

    /** Returns the map without any key. */
    @SuppressWarnings("unchecked")
    static <V> RegionMap<V> none() {
        return (RegionMap<V>) NONE;
    }

    /** Returns the map of {@code entries}, which are copied. */
    static <V> RegionMap<V> of(Map<String, V> entries) {
        return RegionMap.<V>none().with(entries);
    }

    /**
     * Returns this map with {@code edits}; what is null there is absent in it. It costs one copy of an array where the
     * keys stay the same, else a new place for each of them.
     */
    RegionMap<V> with(Map<String, ? extends @Nullable V> edits) {
        int after = size;
        boolean keysStay = true;
        BitSet edited = new BitSet();
        for (Map.Entry<String, ? extends @Nullable V> edit : edits.entrySet()) {
            String key = edit.getKey();
            int slot = slot(key, 0, key.length(), key.hashCode());
            boolean stays = edit.getValue() != null;
            if (slot >= 0) {
                edited.set(slot);
            }
            after += (stays ? 1 : 0) - (slot >= 0 ? 1 : 0);
            keysStay &= stays == (slot >= 0);
        }
        if (edits.isEmpty() || after == 0) {
            return edits.isEmpty() ? this : none();
        }
        @Nullable Object[] next = keysStay ? slots.clone() : slots(after);
        if (!keysStay) {
            for (int slot = 0; slot <= mask; slot++) {
                char[] key = (char[]) slots[2 * slot];
                if (key != null && !edited.get(slot)) {
                    put(next, key, slots[2 * slot + 1]);
                }
            }
        }
        edits.forEach((key, value) -> {
            if (value != null) {
                put(next, key.toCharArray(), value);
            }
        });
        return new RegionMap<>(next, after);
    }

    private static void put(@Nullable Object[] slots, char[] key, @Nullable Object value) {
        int mask = slots.length / 2 - 1;
        int hash = 0;
        for (char c : key) {
            hash = 31 * hash + c;
        }
        int slot = spread(hash) & mask;
        while (slots[2 * slot] != null && !Arrays.equals((char[]) slots[2 * slot], key)) {
            slot = slot + 1 & mask;
        }
        slots[2 * slot] = key;
        slots[2 * slot + 1] = value;
    }

    private static @Nullable Object[] slots(int size) {
        return new Object[8 * Integer.highestOneBit(Math.max(1, size))];
    }

    boolean isEmpty() {
        return size == 0;
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
        int slot = slot(text, start, end, hash);
        return slot < 0 ? null : (V) slots[2 * slot + 1];
    }

    /** Returns where the region is; less than 0 when it is nowhere. */
    private int slot(String text, int start, int end, int hash) {
        int slot = spread(hash) & mask;
        char[] key = (char[]) slots[2 * slot];
        while (key != null) {
            if (key.length == end - start && isAt(text, start, key)) {
                return slot;
            }
            slot = slot + 1 & mask;
            key = (char[]) slots[2 * slot];
        }
        return -1;
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
     * Returns the hash, that of {@link String#hashCode()}, of a text that goes on with
     * {@code text.substring(start, end)}.
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
