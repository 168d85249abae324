package io.sigma.dataplane.engine.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class Http2FieldsTest {

    private static List<String> lines(Http2Fields fields) {
        List<String> lines = new ArrayList<>();
        fields.forEach((name, value) -> lines.add(name + ": " + value));
        return lines;
    }

    @Test
    void namesAreFoundWithoutRegardToCaseAndWrittenInLowerCase() {
        Http2Fields fields = new Http2Fields();
        fields.add("X-One", "1");
        fields.received("x-two", "2");
        fields.add("x-ONE", "3");
        assertThat(fields.get("X-TWO")).isEqualTo("2");
        assertThat(fields.all("x-one")).containsExactly("1", "3");
        assertThat(fields.contains("x-three")).isFalse();
        assertThat(lines(fields)).containsExactly("x-one: 1", "x-two: 2", "x-one: 3");
    }

    @Test
    void setReplacesEveryFieldOfTheName() {
        Http2Fields fields = new Http2Fields();
        for (int i = 0; i < 40; i++) {
            fields.add("x-" + i % 2, String.valueOf(i));
        }
        fields.set("X-1", "last");
        assertThat(fields.size()).isEqualTo(21);
        assertThat(fields.all("x-1")).containsExactly("last");
        fields.removeIf("x-0"::equals);
        assertThat(lines(fields)).containsExactly("x-1: last");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\rb", "a\nb", "a\0b", "\u0100"})
    void fieldThatCannotBeWrittenIsRefused(String value) {
        Http2Fields fields = new Http2Fields();
        assertThatThrownBy(() -> fields.add("x-a", value)).isInstanceOf(IllegalArgumentException.class);
        assertThat(fields.size()).isZero();
    }
}
