package io.sigma.dataplane.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ConnectionFieldsTest {

    /** Counts how often somebody looks through all fields, which is what a look-up costs when all names collide. */
    private static final class CountingFields implements Fields {

        private final List<Map.Entry<String, String>> entries = new ArrayList<>();
        private int passes;

        @Override
        public @Nullable String get(String name) {
            List<String> all = all(name);
            return all.isEmpty() ? null : all.getFirst();
        }

        @Override
        public List<String> all(String name) {
            passes++;
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
        public void set(String name, String value) {
            remove(name);
            add(name, value);
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
            passes++;
            entries.removeIf(entry -> test.test(entry.getKey()));
        }

        @Override
        public void forEach(BiConsumer<String, String> action) {
            passes++;
            entries.forEach(entry -> action.accept(entry.getKey(), entry.getValue()));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 10_000})
    void headIsLookedThroughAsOftenWhateverNamesItIsFullOf(int names) {
        CountingFields fields = new CountingFields();
        fields.add("X-Kept", "1");
        StringBuilder connection = new StringBuilder("close");
        for (int i = 0; i < names; i++) {
            fields.add("under_" + i, "1");
            fields.add("Named-" + i, "1");
            connection.append(", named-").append(i);
        }
        fields.add("Connection", connection.toString());
        assertThat(ConnectionFields.stripRequest(fields, 30_000)).isNull();
        assertThat(fields.entries).containsExactly(Map.entry("X-Kept", "1"));
        assertThat(fields.passes).isLessThan(32);
    }

    @Test
    void answersAreLookedThroughAsOftenToo() {
        CountingFields fields = new CountingFields();
        StringBuilder connection = new StringBuilder("close, content-length");
        for (int i = 0; i < 10_000; i++) {
            fields.add("Named-" + i, "1");
            connection.append(", named-").append(i);
        }
        fields.add("Connection", connection.toString());
        fields.add("Content-Length", "0");
        ConnectionFields.stripResponse(fields);
        assertThat(fields.entries).containsExactly(Map.entry("Content-Length", "0"));
        assertThat(fields.passes).isLessThan(32);
    }
}
