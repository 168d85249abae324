package io.sigma.dataplane.engine.http2;

import io.sigma.dataplane.exchange.FieldLine;
import io.sigma.dataplane.exchange.FieldNames;
import io.sigma.dataplane.exchange.Fields;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Fields in the order in which they came, with names in lower case (RFC 9113 §8.2). Confined to the event loop. */
public final class Http2Fields implements Fields {

    private static final int FIELDS_INITIAL = 16;

    private @Nullable String[] names = new @Nullable String[FIELDS_INITIAL];
    private @Nullable String[] values = new @Nullable String[FIELDS_INITIAL];
    private int count;
    private boolean underscored;
    /** Names of fields that no table of compression may hold. */
    private Set<String> neverIndexed = Set.of();

    /** Adds a field that was checked, whose name is in lower case. */
    void received(String name, String value) {
        if (count == names.length) {
            names = Arrays.copyOf(names, count * 2);
            values = Arrays.copyOf(values, count * 2);
        }
        names[count] = name;
        values[count] = value;
        count++;
    }

    /** Notes that the name of a field that was received has an underscore. */
    void underscored() {
        underscored = true;
    }

    /** Notes that a field of that name was received as one that no table of compression may hold. */
    void neverIndexed(String name) {
        if (neverIndexed.isEmpty()) {
            neverIndexed = new HashSet<>();
        }
        neverIndexed.add(name);
    }

    @Override
    public boolean isNeverIndexed(String name) {
        return !neverIndexed.isEmpty() && neverIndexed.contains(FieldNames.lower(name));
    }

    @Override
    public int size() {
        return count;
    }

    @Override
    public boolean mayHaveOddNames() {
        return underscored;
    }

    private int find(String key, int from) {
        for (int i = from; i < count; i++) {
            if (key.equals(names[i])) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public @Nullable String get(String name) {
        int index = find(FieldNames.lower(name), 0);
        return index < 0 ? null : values[index];
    }

    @Override
    public List<String> all(String name) {
        String key = FieldNames.lower(name);
        int index = find(key, 0);
        if (index < 0) {
            return List.of();
        }
        List<String> all = new ArrayList<>(2);
        for (; index >= 0; index = find(key, index + 1)) {
            all.add(value(index));
        }
        return all;
    }

    private String name(int index) {
        String name = names[index];
        return name == null ? "" : name;
    }

    private String value(int index) {
        String value = values[index];
        return value == null ? "" : value;
    }

    @Override
    public int count(String name) {
        String key = FieldNames.lower(name);
        int found = 0;
        for (int i = find(key, 0); i >= 0; i = find(key, i + 1)) {
            found++;
        }
        return found;
    }

    @Override
    public boolean contains(String name) {
        return find(FieldNames.lower(name), 0) >= 0;
    }

    @Override
    public boolean contains(String name, String text) {
        String key = FieldNames.lower(name);
        for (int i = find(key, 0); i >= 0; i = find(key, i + 1)) {
            if (value(i).contains(text)) {
                return true;
            }
        }
        return false;
    }

    /**
     * @throws IllegalArgumentException when the field cannot be written
     */
    @Override
    public void add(String name, String value) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a field that cannot be written: without a name");
        }
        FieldLine.check(name, value);
        received(FieldNames.lower(name), value);
    }

    @Override
    public void remove(String name) {
        String key = FieldNames.lower(name);
        if (find(key, 0) >= 0) {
            removeIf(key::equals);
        }
    }

    @Override
    public void removeIf(Predicate<String> test) {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (!test.test(name(i))) {
                names[kept] = names[i];
                values[kept] = values[i];
                kept++;
            }
        }
        Arrays.fill(names, kept, count, null);
        Arrays.fill(values, kept, count, null);
        count = kept;
    }

    @Override
    public void forEach(BiConsumer<String, String> action) {
        for (int i = 0; i < count; i++) {
            action.accept(name(i), value(i));
        }
    }
}
