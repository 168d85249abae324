package io.sigma.dataplane.engine.http1;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class TextsTest {

    private final Texts texts = new Texts();

    private String of(String text) {
        byte[] octets = (" " + text + " ").getBytes(StandardCharsets.ISO_8859_1);
        return texts.of(octets, 1, octets.length - 1);
    }

    @Test
    void equalOctetsAreOneText() {
        String first = of("shop.example.com");
        assertThat(first).isEqualTo("shop.example.com");
        assertThat(of("shop.example.com")).isSameAs(first);
        assertThat(of("")).isEmpty();
        assertThat(of("\u00e4\u00ff")).isEqualTo("\u00e4\u00ff");
    }

    @Test
    void everyTextIsItselfHoweverManyThereAre() {
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 20_000; i++) {
                assertThat(of("value-" + i)).isEqualTo("value-" + i);
            }
        }
    }

    @Test
    void longTextsAreNotKept() {
        String text = "x".repeat(257);
        assertThat(of(text)).isEqualTo(text).isNotSameAs(of(text));
    }
}
