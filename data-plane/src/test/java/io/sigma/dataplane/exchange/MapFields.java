package io.sigma.dataplane.exchange;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Header fields without an engine. Each look at all of them goes through {@link #all}, {@link #removeIf} or
 * {@link #forEach}.
 */
public class MapFields implements Fields {

    private final List<Map.Entry<String, String>> entries = new ArrayList<>();

    public static MapFields of(String... namesAndValues) {
        MapFields fields = new MapFields();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.add(namesAndValues[i], namesAndValues[i + 1]);
        }
        return fields;
    }

    @Override
    public @Nullable String get(String name) {
        List<String> all = all(name);
        return all.isEmpty() ? null : all.getFirst();
    }

    @Override
    public List<String> all(String name) {
        return entries.stream()
                .filter(entry -> entry.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .toList();
    }

    @Override
    public boolean contains(String name) {
        return get(name) != null;
    }

    @Override
    public void add(String name, String value) {
        entries.add(Map.entry(name, value));
    }

    @Override
    public void remove(String name) {
        removeIf(name::equalsIgnoreCase);
    }

    @Override
    public void removeIf(Predicate<String> test) {
        entries.removeIf(entry -> test.test(entry.getKey()));
    }

    @Override
    public void forEach(BiConsumer<String, String> action) {
        entries.forEach(entry -> action.accept(entry.getKey(), entry.getValue()));
    }
}
