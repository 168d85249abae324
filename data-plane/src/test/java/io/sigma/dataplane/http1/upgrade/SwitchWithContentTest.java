package io.sigma.dataplane.http1.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.FrameNode;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Protocol switches of requests with content (RFC 9110 §7.8), as clients of Docker send them. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class SwitchWithContentTest extends EngineContract {

    private static final String ASK =
            "POST /exec/1/start HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n";
    private static final String SWITCH = "HTTP/1.1 101 UPGRADED\r\nContent-Type: application/vnd.docker.raw-stream\r\n"
            + "Connection: Upgrade\r\nUpgrade: tcp\r\n\r\n";

    private static String text(RawClient client, int length) throws Exception {
        return new String(client.in().readNBytes(length), StandardCharsets.US_ASCII);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 11\r\n\r\n{\"Tty\":true}",
                "Content-Length: 12\r\nExpect: 100-continue\r\n\r\n{\"Tty\":true}",
                "Transfer-Encoding: chunked\r\n\r\n6\r\n{\"Tty\"\r\n6\r\n:true}\r\n0\r\n\r\n"
            })
    void otherProtocolBeginsBehindTheContent(String content) throws Exception {
        // The first one is an octet short: the last octet is of the other protocol.
        boolean early = content.startsWith("Content-Length: 11");
        try (TestNode node = TestNode.start((request, connection) -> {
            connection.send(SWITCH + "welcome");
            connection.out().write(connection.in().readNBytes(early ? 6 : 5));
            connection.out().flush();
            connection.in().read();
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send(ASK + content);
                RawClient.Answer answer = client.read();
                if (answer.status() == 100) {
                    answer = client.read();
                }
                assertThat(answer.status()).isEqualTo(101);
                assertThat(answer.all("upgrade")).containsExactly("tcp");
                assertThat(text(client, 7)).isEqualTo("welcome");
                client.send("hello");
                assertThat(text(client, early ? 6 : 5)).isEqualTo(early ? "}hello" : "hello");
            }
            assertThat(node.last().all("upgrade")).containsExactly("tcp");
            assertThat(node.last().text()).isEqualTo(early ? "{\"Tty\":true" : "{\"Tty\":true}");
        }
    }

    @Test
    void longContentArrivesBeforeTheSwitch() throws Exception {
        String content = "x".repeat(1_000_000);
        try (TestNode node = TestNode.start((request, connection) -> {
            connection.send(SWITCH);
            connection.out().write(connection.in().readNBytes(5));
            connection.out().flush();
            connection.in().read();
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send(ASK + "Content-Length: 1000000\r\n\r\n" + content);
                assertThat(client.read().status()).isEqualTo(101);
                client.send("hello");
                assertThat(text(client, 5)).isEqualTo("hello");
            }
            assertThat(node.last().text()).isEqualTo(content);
        }
    }

    /** The rest of the content would be taken for the other protocol. */
    @Test
    void switchBeforeTheEndOfTheContentIsABadResponse() throws Exception {
        try (TestNode node = TestNode.startHeadsOnly((request, connection) -> {
            connection.send(SWITCH);
            connection.in().read();
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send(ASK + "Transfer-Encoding: chunked\r\n\r\n6\r\n{\"Tty\"\r\n");
                assertThat(client.read().status()).isEqualTo(502);
            }
        }
    }

    @Test
    void nodeThatDoesNotSwitchAnswersAsUsual() throws Exception {
        try (TestNode node = TestNode.named("plain");
                FrameNode framed = FrameNode.start((request, connection) -> connection.ok(request.stream()))) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                for (int i = 0; i < 2; i++) {
                    client.send(ASK + "Content-Length: 4\r\n\r\nbody");
                    assertThat(client.read().text()).isEqualTo("plain");
                    assertThat(node.last().text()).isEqualTo("body");
                }
            }
            // HTTP/2 switches to no other protocol: such a node never sees the wish.
            gateway().apply(forwarding(framed.url()).overHttp2());
            assertThat(exchange(ASK + "Content-Length: 4\r\n\r\nbody").status()).isEqualTo(200);
            assertThat(framed.heads().getLast().fields()).noneMatch(field -> field.startsWith("upgrade"));
        }
    }
}
