package io.sigma.dataplane.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FieldLineTest {

    @Test
    void lineIsEncodedWithItsEnd() {
        FieldLine line = new FieldLine("X-Name", "v \u00e4");
        assertThat(new String(line.octets(), StandardCharsets.ISO_8859_1)).isEqualTo("X-Name: v \u00e4\r\n");
        assertThat(line.hash()).isEqualTo("x-name".hashCode());
    }

    @ParameterizedTest
    @CsvSource({"'a\rb', v", "'a\nb', v", "a:b, v", "a, 'v\r\nb: c'", "a, 'v\u0000'", "a, '\u010d'"})
    void fieldThatWouldEndElsewhereIsRefused(String name, String value) {
        assertThatThrownBy(() -> new FieldLine(name, value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot be written");
    }
}
