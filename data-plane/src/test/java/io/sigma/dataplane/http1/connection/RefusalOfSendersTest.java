package io.sigma.dataplane.http1.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.RefusalContract;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Clients that still send when a head of theirs is refused: they can read why (RFC 9112 §9.6). */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class RefusalOfSendersTest extends RefusalContract {

    private static final int PIECE_BYTES = 50_000;
    private static final int PIECES = 6;

    @BeforeEach
    void needsTheCodecOfTheGateway() {}

    static Stream<Arguments> refused() {
        return Stream.of(
                Arguments.of(400, postWith("Content-Length: 5\r\n" + TE, "")),
                Arguments.of(400, "GET / HTTP/1.1\nHost: a\r\n\r\n"),
                Arguments.of(414, "GET /" + "a".repeat(PIECE_BYTES)),
                Arguments.of(431, "GET / HTTP/1.1\r\nHost: a\r\nX: " + "a".repeat(PIECE_BYTES)),
                Arguments.of(501, postWith("Transfer-Encoding: gzip, chunked\r\n", "")),
                Arguments.of(505, "GET / HTTP/2.0\r\nHost: a\r\n\r\n"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refused")
    void answerAndTheEndArriveInOrder(int status, String head) throws Exception {
        gateway().apply(forwarding("http://127.0.0.1:" + Config.freePort()));
        try (RawClient client = RawClient.connect(port())) {
            client.send(head);
            for (int i = 0; i < PIECES; i++) {
                Thread.sleep(20);
                client.send("a".repeat(PIECE_BYTES));
            }
            assertThat(client.read().status()).isEqualTo(status);
            assertThat(client.in().read()).isEqualTo(-1);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refused")
    void whoSendsForEverIsNotHeardForEver(int status, String head) throws Exception {
        gateway().apply(forwarding("http://127.0.0.1:" + Config.freePort()));
        try (RawClient client = RawClient.connect(port())) {
            client.send(head);
            assertThat(client.read().status()).isEqualTo(status);
            GatewayHarness.eventually(() -> {
                try {
                    client.send("a");
                    return false;
                } catch (java.io.IOException e) {
                    return true;
                }
            });
        }
    }
}
