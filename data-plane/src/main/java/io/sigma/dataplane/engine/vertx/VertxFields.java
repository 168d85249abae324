package io.sigma.dataplane.engine.vertx;

import io.sigma.dataplane.exchange.Fields;
import io.vertx.core.MultiMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Header fields over what Vert.x parsed. Confined to the event loop of its message. */
final class VertxFields implements Fields {

    private final MultiMap map;

    VertxFields(MultiMap map) {
        this.map = map;
    }

    MultiMap map() {
        return map;
    }

    @Override
    public @Nullable String get(String name) {
        return map.get(name);
    }

    @Override
    public List<String> all(String name) {
        return map.getAll(name);
    }

    @Override
    public boolean contains(String name) {
        return map.contains(name);
    }

    @Override
    public void set(String name, String value) {
        map.set(name, value);
    }

    @Override
    public void add(String name, String value) {
        map.add(name, value);
    }

    @Override
    public void remove(String name) {
        map.remove(name);
    }

    @Override
    public void removeIf(Predicate<String> test) {
        List<Map.Entry<String, String>> kept = new ArrayList<>();
        int removed = 0;
        for (Map.Entry<String, String> field : map) {
            if (test.test(field.getKey())) {
                removed++;
            } else {
                kept.add(Map.entry(field.getKey(), field.getValue()));
            }
        }
        if (removed > 0) {
            map.clear();
            kept.forEach(field -> map.add(field.getKey(), field.getValue()));
        }
    }

    @Override
    public void forEach(BiConsumer<String, String> action) {
        for (Map.Entry<String, String> field : map) {
            action.accept(field.getKey(), field.getValue());
        }
    }
}
