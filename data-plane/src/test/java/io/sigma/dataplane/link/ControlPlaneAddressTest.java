package io.sigma.dataplane.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ControlPlaneAddressTest {

    @ParameterizedTest
    @CsvSource({
        "cp-1, cp-1, 9090",
        "cp-1:9191, cp-1, 9191",
        "10.0.0.1:1, 10.0.0.1, 1",
        "[::1]:65535, ::1, 65535",
        "[fe80::1], fe80::1, 9090",
        "::1, ::1, 9090"
    })
    void anAddressIsAHostAndPerhapsAPort(String text, String host, int port) {
        assertThat(ControlPlaneAddress.parse(text)).isEqualTo(new ControlPlaneAddress(host, port));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ":9090", "cp:", "cp:0", "cp:65536", "cp:x", "http://cp:9090", "[::1", "a b"})
    void anythingElseIsRefusedWithWhatIsExpected(String text) {
        assertThatThrownBy(() -> ControlPlaneAddress.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("controlPlanes: \"" + text + "\" (expected: host[:port]");
    }

    @Test
    void gatewaysStartWithDifferentControlPlanes() {
        List<String> texts = List.of("a", "b", "c");

        assertThat(java.util.stream.IntStream.range(0, 50)
                        .mapToObj(seed -> ControlPlaneAddress.shuffled(texts, new Random(seed))
                                .getFirst()
                                .host()))
                .contains("a", "b", "c");
        assertThatThrownBy(() -> ControlPlaneAddress.shuffled(List.of(), new Random()))
                .hasMessageContaining("controlPlanes: empty");
    }
}
