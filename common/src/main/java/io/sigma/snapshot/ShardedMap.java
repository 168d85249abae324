package io.sigma.snapshot;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Values by key, in no order. A changed copy shares with its original every shard in which nothing changed, so it costs
 * what the change does, and so does finding out what changed. Immutable.
 */
public final class ShardedMap<K, V> extends AbstractMap<K, V> {

    /** The entries of a shard when shards are laid out. At twice as many they are laid out again. */
    private static final int ENTRIES = 32;

    /** Receives the changes of {@link #forEachChange}. */
    @FunctionalInterface
    public interface Change<K, V> {

        /**
         * @param before null when it was not there
         * @param after null when it is there no more
         */
        void accept(K key, @Nullable V before, @Nullable V after);
    }

    private static final ShardedMap<?, ?> EMPTY = new ShardedMap<>(shards(1), 0);

    // A power of two; neither it nor its elements are changed once the map is built.
    private final Map<K, V>[] shards;
    private final int size;

    private ShardedMap(Map<K, V>[] shards, int size) {
        this.shards = shards;
        this.size = size;
    }

    /** Returns the map without any entry. */
    @SuppressWarnings("unchecked")
    public static <K, V> ShardedMap<K, V> empty() {
        return (ShardedMap<K, V>) EMPTY;
    }

    @SuppressWarnings("unchecked")
    private static <K, V> Map<K, V>[] shards(int count) {
        Map<K, V>[] shards = (Map<K, V>[]) new Map<?, ?>[count];
        Arrays.fill(shards, Map.of());
        return shards;
    }

    /** Multiplied, because within a shard the lower bits of the hash must still differ. */
    private static int shard(Object key, int count) {
        int mixed = key.hashCode() * 0x9E3779B9;
        // Twice, because a shift by all 32 bits, for a single shard, would be none.
        return mixed >>> 1 >>> (31 - Integer.numberOfTrailingZeros(count));
    }

    /** Returns this map with {@code edits}; what is null there is absent in it. */
    public ShardedMap<K, V> with(Map<? extends K, ? extends @Nullable V> edits) {
        int most = size + edits.size();
        Map<K, V>[] copy;
        BitSet own = new BitSet();
        if (most > 2 * ENTRIES * shards.length) {
            copy = shards(Integer.highestOneBit(2 * Math.ceilDiv(most, ENTRIES) - 1));
            for (Map<K, V> one : shards) {
                one.forEach((key, value) -> writable(copy, own, key).put(key, value));
            }
        } else {
            copy = shards.clone();
        }
        int[] count = {size};
        edits.forEach((key, value) -> {
            Map<K, V> shard = writable(copy, own, key);
            V before = value == null ? shard.remove(key) : shard.put(key, value);
            count[0] += (value == null ? 0 : 1) - (before == null ? 0 : 1);
        });
        return new ShardedMap<>(copy, count[0]);
    }

    private static <K, V> Map<K, V> writable(Map<K, V>[] shards, BitSet own, K key) {
        int index = shard(key, shards.length);
        if (!own.get(index)) {
            own.set(index);
            shards[index] = new HashMap<>(shards[index]);
        }
        return shards[index];
    }

    /**
     * Calls {@code action} with each key that has another value in {@code after}, in no order. It costs what changed
     * where one map came from the other, and else a look at each entry.
     */
    @SuppressWarnings("ReferenceEquality") // An unchanged value is mostly the same object.
    public static <K, V> void forEachChange(ShardedMap<K, V> before, ShardedMap<K, V> after, Change<K, V> action) {
        boolean alike = before.shards.length == after.shards.length;
        if (!alike) {
            forEachChange((Map<K, V>) before, after, action);
            return;
        }
        for (int i = 0; i < after.shards.length; i++) {
            if (before.shards[i] != after.shards[i]) {
                forEachChange(before.shards[i], after.shards[i], action);
            }
        }
    }

    @SuppressWarnings("ReferenceEquality")
    private static <K, V> void forEachChange(Map<K, V> before, Map<K, V> after, Change<K, V> action) {
        after.forEach((key, value) -> {
            V known = before.get(key);
            if (known != value && !value.equals(known)) {
                action.accept(key, known, value);
            }
        });
        before.forEach((key, value) -> {
            if (!after.containsKey(key)) {
                action.accept(key, value, null);
            }
        });
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public @Nullable V get(Object key) {
        return shards[shard(key, shards.length)].get(key);
    }

    @Override
    public boolean containsKey(Object key) {
        return shards[shard(key, shards.length)].containsKey(key);
    }

    @Override
    public void forEach(BiConsumer<? super K, ? super V> action) {
        for (Map<K, V> shard : shards) {
            shard.forEach(action);
        }
    }

    @Override
    public Set<Entry<K, V>> entrySet() {
        return new AbstractSet<>() {

            @Override
            public Iterator<Entry<K, V>> iterator() {
                return new Entries();
            }

            @Override
            public int size() {
                return size;
            }
        };
    }

    private final class Entries implements Iterator<Entry<K, V>> {

        private int next;
        private Iterator<Entry<K, V>> shard = Collections.emptyIterator();

        @Override
        public boolean hasNext() {
            while (!shard.hasNext() && next < shards.length) {
                shard = shards[next++].entrySet().iterator();
            }
            return shard.hasNext();
        }

        @Override
        public Entry<K, V> next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            Entry<K, V> entry = shard.next();
            return Map.entry(entry.getKey(), entry.getValue());
        }
    }
}
