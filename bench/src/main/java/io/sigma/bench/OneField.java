package io.sigma.bench;

import io.sigma.dataplane.exchange.Fields;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The fields of a request that has at most one, so that a benchmark measures nothing of them. Immutable. */
final class OneField implements Fields {

    private final String name;
    private final List<String> values;

    /**
     * @param field name in lower case and value, or nothing
     */
    OneField(String... field) {
        name = field.length == 0 ? "" : field[0];
        values = field.length == 0 ? List.of() : List.of(field[1]);
    }

    @Override
    public @Nullable String get(String asked) {
        return contains(asked) ? values.getFirst() : null;
    }

    @Override
    public List<String> all(String asked) {
        return name.equals(asked) ? values : List.of();
    }

    @Override
    public boolean contains(String asked) {
        return name.equals(asked);
    }

    @Override
    public void set(String asked, String value) {
        throw new UnsupportedOperationException("immutable");
    }

    @Override
    public void add(String asked, String value) {
        throw new UnsupportedOperationException("immutable");
    }

    @Override
    public void remove(String asked) {
        throw new UnsupportedOperationException("immutable");
    }

    @Override
    public void forEach(BiConsumer<String, String> action) {
        values.forEach(value -> action.accept(name, value));
    }
}
