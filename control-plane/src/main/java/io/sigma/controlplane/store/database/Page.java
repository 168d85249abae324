package io.sigma.controlplane.store.database;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some of many items.
 *
 * @param last the key of the last item when more follow; null when none do
 */
public record Page<K, T>(List<T> items, @Nullable K last) {

    public Page {
        items = List.copyOf(items);
    }
}
