package io.sigma.dataplane.engine.http1;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class HeadBufferTest {

    private final HeadBuffer head = new HeadBuffer();

    private String text() {
        return new String(head.octets(), 0, head.length(), StandardCharsets.ISO_8859_1);
    }

    @Test
    void headIsWhatWasPut() {
        head.begin()
                .put("GET")
                .put(' ')
                .put("/\u00e4")
                .crlf()
                .field("Host", "a")
                .put(new byte[] {'x', 'y', 'z'}, 1, 2);
        assertThat(text()).isEqualTo("GET /\u00e4\r\nHost: a\r\nyz");
        head.begin();
        assertThat(head.length()).isZero();
    }

    @Test
    void noCharacterBecomesALineEnd() {
        for (int times = 0; times < 3; times++) {
            head.begin().put("<").put("\u010a\u010d\uff0a").put(">");
            assertThat(text()).isEqualTo("<???>");
        }
    }

    @Test
    void headsOfAnyLengthHaveRoom() {
        String value = "v".repeat(100_000);
        head.begin().field("A", value);
        assertThat(text()).isEqualTo("A: " + value + "\r\n");
        head.begin().field("B", "1");
        assertThat(text()).isEqualTo("B: 1\r\n");
    }
}
