package io.sigma.dataplane.filter.chain;

import io.sigma.snapshot.ShardedMap;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Values by key with how often each is used; what is used no more is gone. Confined to one thread until it is complete.
 */
final class UseCounts<K, V> {

    /** @param uses 1 or more */
    private record Used<V>(V value, int uses) {}

    private ShardedMap<K, Used<V>> base;
    private final Map<K, @Nullable Used<V>> edits = new HashMap<>();

    UseCounts() {
        base = ShardedMap.empty();
    }

    /** Begins with the uses of {@code before}, which is complete. */
    UseCounts(UseCounts<K, V> before) {
        base = before.base;
    }

    /** Returns the value of a key; null when it is not used. */
    @Nullable
    V get(K key) {
        Used<V> found = used(key);
        return found == null ? null : found.value();
    }

    private @Nullable Used<V> used(K key) {
        return edits.containsKey(key) ? edits.get(key) : base.get(key);
    }

    /** Notes one use more. */
    void add(K key, V value) {
        Used<V> found = used(key);
        edits.put(key, new Used<>(value, found == null ? 1 : found.uses() + 1));
    }

    /** Notes one use less and returns the value if that was the last one, else null. */
    @Nullable
    V remove(K key) {
        Used<V> found = used(key);
        if (found == null) {
            return null;
        }
        edits.put(key, found.uses() == 1 ? null : new Used<>(found.value(), found.uses() - 1));
        return found.uses() == 1 ? found.value() : null;
    }

    /** To be called once there is nothing more to note; from then on any thread may read. */
    void complete() {
        if (!edits.isEmpty()) {
            base = base.with(edits);
            edits.clear();
        }
    }

    /**
     * Calls {@code action} with each key and its value that {@code other}, complete as this one, has not for the same
     * key.
     */
    @SuppressWarnings("ReferenceEquality") // A carried-over value is the same object.
    void forEachMissingIn(UseCounts<K, V> other, BiConsumer<K, V> action) {
        ShardedMap.forEachChange(other.base, base, (key, there, here) -> {
            if (here != null && (there == null || there.value() != here.value())) {
                action.accept(key, here.value());
            }
        });
    }
}
