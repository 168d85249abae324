package io.sigma.dataplane.exchange;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Fields that belong to no message of an engine, such as a copy that outlives the one it came with. Not thread-safe.
 */
public final class FieldList implements Fields {

    /** The objects of two texts and their places, in bytes. */
    private static final int FIELD_BYTES = 128;

    private final List<String> names = new ArrayList<>();
    private final List<String> values = new ArrayList<>();

    public FieldList() {}

    /** Copies {@code source}. */
    public FieldList(Fields source) {
        source.forEach(this::add);
    }

    /** Returns about how much memory the fields take, in bytes. */
    public long memory() {
        long bytes = 0;
        for (int i = 0; i < names.size(); i++) {
            bytes += FIELD_BYTES + names.get(i).length() + values.get(i).length();
        }
        return bytes;
    }

    @Override
    public @Nullable String get(String name) {
        int index = find(name, 0);
        return index < 0 ? null : values.get(index);
    }

    @Override
    public List<String> all(String name) {
        List<String> all = new ArrayList<>();
        for (int i = find(name, 0); i >= 0; i = find(name, i + 1)) {
            all.add(values.get(i));
        }
        return all;
    }

    @Override
    public boolean contains(String name) {
        return find(name, 0) >= 0;
    }

    @Override
    public void add(String name, String value) {
        names.add(name);
        values.add(value);
    }

    @Override
    public void remove(String name) {
        for (int i = find(name, 0); i >= 0; i = find(name, i)) {
            names.remove(i);
            values.remove(i);
        }
    }

    @Override
    public void forEach(BiConsumer<String, String> action) {
        for (int i = 0; i < names.size(); i++) {
            action.accept(names.get(i), values.get(i));
        }
    }

    private int find(String name, int from) {
        for (int i = from; i < names.size(); i++) {
            if (names.get(i).equalsIgnoreCase(name)) {
                return i;
            }
        }
        return -1;
    }
}
