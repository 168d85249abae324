package io.sigma.json;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_32BE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class Utf8Test {

    private static final String TEXT = "{\"a\":\"%s\"}";

    /** Overlong forms, surrogates, above U+10FFFF, a lone byte, other encodings. */
    static Stream<byte[]> others() {
        return Stream.of(
                TEXT.formatted("\u00c0\u00af").getBytes(ISO_8859_1),
                TEXT.formatted("\u00e0\u0080\u00af").getBytes(ISO_8859_1),
                TEXT.formatted("\u00f0\u0080\u0080\u00af").getBytes(ISO_8859_1),
                TEXT.formatted("\u00ed\u00a0\u0080").getBytes(ISO_8859_1),
                TEXT.formatted("\u00f4\u0090\u0080\u0080").getBytes(ISO_8859_1),
                TEXT.formatted("\u00e9").getBytes(ISO_8859_1),
                TEXT.formatted("b").getBytes(UTF_16),
                TEXT.formatted("b").getBytes(UTF_16LE),
                TEXT.formatted("b").getBytes(UTF_32BE));
    }

    @ParameterizedTest
    @MethodSource("others")
    void whatIsNotUtf8IsMalformed(byte[] bytes) {
        assertThatThrownBy(() -> Json.read(bytes, bytesOfTree -> true)).isInstanceOf(JsonProcessingException.class);
        assertThatThrownBy(() -> Yaml.read(bytes)).isInstanceOf(JsonProcessingException.class);
    }

    @Test
    void everyCharacterOfUnicodeIsRead() throws Exception {
        String text = "\ufeff" + TEXT.formatted("a\u00e9\u20ac\ud83d\ude00".repeat(3_000));

        assertThat(Json.read(text.getBytes(UTF_8), bytesOfTree -> true)
                        .path("a")
                        .asText())
                .hasSize(15_000);
    }
}
