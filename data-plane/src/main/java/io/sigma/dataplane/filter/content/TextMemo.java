package io.sigma.dataplane.filter.content;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A cache of values made from texts, for field values that nearly all messages share. Bounded; thread-safe without
 * locks: at worst a value is made twice.
 */
final class TextMemo<V> {

    private static final int SLOTS = 32;
    private static final int LENGTH_MAX = 256;

    private record Made<V>(String text, V value) {}

    private final AtomicReferenceArray<@Nullable Made<V>> slots = new AtomicReferenceArray<>(SLOTS);
    private final Function<String, V> maker;

    /**
     * @param maker pure; what it returns is shared
     */
    TextMemo(Function<String, V> maker) {
        this.maker = maker;
    }

    /** Returns what is made of {@code text}. */
    V of(String text) {
        int hash = text.hashCode();
        int slot = (hash ^ hash >>> 16) & (SLOTS - 1);
        Made<V> known = slots.get(slot);
        if (known != null && known.text.equals(text)) {
            return known.value;
        }
        V value = maker.apply(text);
        if (text.length() <= LENGTH_MAX) {
            slots.set(slot, new Made<>(text, value));
        }
        return value;
    }
}
