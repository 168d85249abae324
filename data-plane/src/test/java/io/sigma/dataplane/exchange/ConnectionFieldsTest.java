package io.sigma.dataplane.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ConnectionFieldsTest {

    /** Counts how often somebody looks through all fields, which is what a look-up costs when all names collide. */
    private static final class CountingFields extends MapFields {

        private int passes;

        @Override
        public List<String> all(String name) {
            passes++;
            return super.all(name);
        }

        @Override
        public void removeIf(Predicate<String> test) {
            passes++;
            super.removeIf(test);
        }

        @Override
        public void forEach(BiConsumer<String, String> action) {
            passes++;
            super.forEach(action);
        }

        List<String> lines() {
            List<String> lines = new ArrayList<>();
            super.forEach((name, value) -> lines.add(name + ": " + value));
            return lines;
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
        assertThat(fields.lines()).containsExactly("X-Kept: 1");
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
        assertThat(fields.lines()).containsExactly("Content-Length: 0");
        assertThat(fields.passes).isLessThan(32);
    }

    @Test
    void keepAliveHidesNothingElseThatConnectionSays() {
        CountingFields fields = new CountingFields();
        fields.add("Connection", "Keep-Alive");
        fields.add("Keep-Alive", "timeout=5");
        fields.add("X-Named", "1");
        assertThat(ConnectionFields.isKeepAlive(fields)).isTrue();
        fields.add("Connection", "x-named");
        assertThat(ConnectionFields.isKeepAlive(fields)).isFalse();
        ConnectionFields.stripResponse(fields);
        assertThat(fields.lines()).isEmpty();
        fields.add("Connection", "keep-alive");
        fields.add("Keep-Alive", "timeout=5");
        fields.add("X-Named", "1");
        assertThat(ConnectionFields.stripRequest(fields, 10)).isNull();
        assertThat(fields.lines()).containsExactly("X-Named: 1");
    }
}
