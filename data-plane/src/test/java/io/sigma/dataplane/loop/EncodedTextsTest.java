package io.sigma.dataplane.loop;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class EncodedTextsTest {

    private static final byte[] LINE = "<one>".getBytes(US_ASCII);

    private final EncodedTexts texts = new EncodedTexts();

    private void encode(String text) {
        texts.encoded(text, LINE, 1, 4);
    }

    @Test
    void octetsAreKeptWhenATextComesForTheSecondTime() {
        String text = "text";
        assertThat(texts.of(text)).isNull();
        encode(text);
        assertThat(texts.of(text)).isNull();
        encode(text);
        assertThat(texts.of(text)).isEqualTo("one".getBytes(US_ASCII));
    }

    @Test
    void octetsThatAreKeptAreACopy() {
        byte[] line = LINE.clone();
        texts.encoded("text", line, 1, 4);
        texts.encoded("text", line, 1, 4);
        line[1] = 'x';
        assertThat(texts.of("text")).isEqualTo("one".getBytes(US_ASCII));
    }

    @Test
    @SuppressWarnings("StringOperationCanBeSimplified") // Another object that says the same.
    void anotherObjectIsAnotherText() {
        String text = "text";
        encode(text);
        encode(text);
        String other = new String(text);
        assertThat(texts.of(other)).isNull();
        encode(other);
        assertThat(texts.of(text)).isNull();
        assertThat(texts.of(other)).isNull();
    }

    @Test
    void ofTwoTextsOfOneSlotTheLaterStays() {
        // The classic pair of one hash.
        String one = "Aa";
        String other = "BB";
        assertThat(one).hasSameHashCodeAs(other);
        encode(one);
        encode(one);
        encode(other);
        encode(other);
        assertThat(texts.of(one)).isNull();
        assertThat(texts.of(other)).isNotNull();
    }

    @Test
    void longTextsAreNotKept() {
        String longest = "x".repeat(256);
        String longer = "x".repeat(257);
        for (int i = 0; i < 2; i++) {
            encode(longest);
            encode(longer);
        }
        assertThat(texts.of(longest)).isNotNull();
        assertThat(texts.of(longer)).isNull();
    }
}
