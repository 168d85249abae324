package io.sigma.dataplane.http1.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.FrameNode;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.RawHttp2;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** WebSockets of clients to nodes on HTTP/2, where they are streams (RFC 8441). */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class WebSocketNodeStreamsTest extends WebSocketStreamsContract {

    private static final String ASK = "GET /chat HTTP/1.1\r\nHost: shop.example.com\r\nConnection: Upgrade\r\n"
            + "Upgrade: websocket\r\nSec-WebSocket-Key: " + KEY
            + "\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: chat\r\n\r\n";

    private static final int REFUSED_STREAM = 7;

    /** Sends back what comes on the stream of the request, and ends it when the gateway does. */
    private static void echo(FrameNode.Head request, FrameNode.Connection connection) throws Exception {
        connection.head(request.stream(), ":status", "200", "sec-websocket-protocol", "chat");
        while (true) {
            RawHttp2.Frame frame = connection.next();
            if (frame.type() == RawHttp2.RST_STREAM) {
                return;
            }
            if (frame.type() == RawHttp2.DATA && frame.stream() == request.stream()) {
                connection.send(RawHttp2.WINDOW_UPDATE, 0, 0, new byte[] {0, 0, 64, 0});
                connection.send(RawHttp2.DATA, frame.flags(), frame.stream(), frame.payload());
                if ((frame.flags() & RawHttp2.END_STREAM) != 0) {
                    return;
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void webSocketOfAClientBecomesAStreamToANode(boolean late) throws Exception {
        try (FrameNode node = FrameNode.startConnecting(late ? 300 : 0, WebSocketNodeStreamsTest::echo)) {
            gateway().apply(forwarding(node.url()).overHttp2());
            try (RawClient client = RawClient.connect(port())) {
                client.send(ASK);
                RawClient.Answer answer = client.read();
                assertThat(answer.status()).isEqualTo(101);
                assertThat(answer.all("upgrade")).containsExactly("websocket");
                assertThat(answer.all("connection")).containsExactly("Upgrade");
                assertThat(answer.all("sec-websocket-accept")).containsExactly(ACCEPT);
                assertThat(answer.all("sec-websocket-protocol")).containsExactly("chat");
                assertThat(answer.all("content-length")).isEmpty();
                client.send("hello");
                assertThat(client.in().readNBytes(5))
                        .asString(StandardCharsets.US_ASCII)
                        .isEqualTo("hello");
                client.send("!");
                client.socket().shutdownOutput();
                assertThat(client.in().readAllBytes())
                        .asString(StandardCharsets.US_ASCII)
                        .isEqualTo("!");
            }
            FrameNode.Head request = node.heads().getLast();
            assertThat(request.end()).isFalse();
            assertThat(request.fields())
                    .contains(
                            ":method: CONNECT",
                            ":protocol: websocket",
                            ":scheme: http",
                            ":path: /chat",
                            "sec-websocket-version: 13",
                            "sec-websocket-protocol: chat")
                    .noneMatch(field -> field.startsWith("sec-websocket-key")
                            || field.startsWith("upgrade")
                            || field.startsWith("connection"));
            assertThat(request.fields().subList(0, 5)).allMatch(field -> field.startsWith(":"));
        }
    }

    @Test
    void streamOfAClientBecomesAStreamToANode() throws Exception {
        try (FrameNode node = FrameNode.startConnecting(0, WebSocketNodeStreamsTest::echo)) {
            gateway().apply(forwarding(node.url()).overHttp2());
            try (RawHttp2 client = open()) {
                assertThat(client.status(client.next())).isEqualTo("200");
                send(client, "hello");
                assertThat(text(client, 5)).isEqualTo("hello");
                client.send(RawHttp2.DATA, RawHttp2.END_STREAM, 1, (byte) '!');
                StringBuilder rest = new StringBuilder();
                RawHttp2.Frame frame = client.next();
                while ((frame.flags() & RawHttp2.END_STREAM) == 0) {
                    rest.append(new String(frame.payload(), StandardCharsets.US_ASCII));
                    frame = client.next();
                }
                assertThat(rest.append(new String(frame.payload(), StandardCharsets.US_ASCII)))
                        .hasToString("!");
            }
        }
    }

    /** The key of the client is no part of what is sent, and is answered whenever the node takes the request. */
    @ParameterizedTest
    @ValueSource(strings = {"refused stream", "GOAWAY below the stream"})
    void requestThatIsSentAgainKeepsItsKey(String how) throws Exception {
        AtomicLong tries = new AtomicLong();
        try (FrameNode node = FrameNode.startConnecting(0, (request, connection) -> {
            if (tries.incrementAndGet() < 3) {
                if (how.equals("refused stream")) {
                    connection.reset(request.stream(), REFUSED_STREAM);
                } else {
                    connection.goAway(request.stream() - 2, 0).close();
                }
            } else {
                echo(request, connection);
            }
        })) {
            gateway().apply(forwarding(node.url()).overHttp2());
            try (RawClient client = RawClient.connect(port())) {
                client.send(ASK);
                RawClient.Answer answer = client.read();
                assertThat(answer.status()).isEqualTo(101);
                assertThat(answer.all("sec-websocket-accept")).containsExactly(ACCEPT);
                client.send("hello");
                assertThat(client.in().readNBytes(5))
                        .asString(StandardCharsets.US_ASCII)
                        .isEqualTo("hello");
            }
            assertThat(node.heads())
                    .hasSize(3)
                    .allSatisfy(head -> assertThat(head.fields())
                            .contains(":protocol: websocket", "sec-websocket-protocol: chat")
                            .noneMatch(field -> field.startsWith("sec-websocket-key")));
        }
    }

    @Test
    void nodeThatTakesNoExtendedConnectIsAskedForNone() throws Exception {
        try (FrameNode node = FrameNode.start((request, connection) -> connection.ok(request.stream()))) {
            gateway().apply(forwarding(node.url()).overHttp2());
            for (int i = 0; i < 2; i++) {
                assertThat(exchange(ASK).status()).isEqualTo(501);
                try (RawHttp2 client = open()) {
                    assertThat(client.status(client.next())).isEqualTo("501");
                }
                assertThat(get("/").text()).isEqualTo("ok");
            }
            assertThat(node.heads()).hasSize(2);
        }
    }

    @Test
    void refusalOfANodeOnHttp2ReachesTheClient() throws Exception {
        try (FrameNode node = FrameNode.startConnecting(
                0, (request, connection) -> connection.lastHead(request.stream(), ":status", "403"))) {
            gateway().apply(forwarding(node.url()).overHttp2());
            assertThat(exchange(ASK).status()).isEqualTo(403);
            try (RawHttp2 client = open()) {
                assertThat(client.status(client.next())).isEqualTo("403");
            }
        }
    }

    @Test
    void trailersOfANodeAreAStreamErrorAndEndTheWebSocket() throws Exception {
        try (FrameNode node = FrameNode.startConnecting(
                0,
                (request, connection) -> connection
                        .head(request.stream(), ":status", "200")
                        .lastHead(request.stream(), "x-sum", "42"))) {
            gateway().apply(forwarding(node.url()).overHttp2());
            try (RawClient client = RawClient.connect(port())) {
                client.send(ASK);
                assertThat(client.read().status()).isEqualTo(101);
                assertThat(client.in().readAllBytes()).isEmpty();
            }
            GatewayHarness.eventually(() -> node.frames().stream()
                    .anyMatch(
                            frame -> frame.type() == RawHttp2.RST_STREAM && frame.error() == RawHttp2.PROTOCOL_ERROR));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "3"})
    void lengthThatANodeSaysOfATunnelMeansNothing(String length) throws Exception {
        try (FrameNode node = FrameNode.startConnecting(
                0,
                (request, connection) -> connection
                        .head(request.stream(), ":status", "200", "content-length", length)
                        .send(RawHttp2.DATA, 0, request.stream(), (byte) 'h', (byte) 'e', (byte) 'l', (byte) 'l')
                        .send(RawHttp2.DATA, RawHttp2.END_STREAM, request.stream(), (byte) 'o'))) {
            gateway().apply(forwarding(node.url()).overHttp2());
            try (RawClient client = RawClient.connect(port())) {
                client.send(ASK);
                RawClient.Answer answer = client.read();
                assertThat(answer.status()).isEqualTo(101);
                assertThat(answer.all("content-length")).isEmpty();
                assertThat(client.in().readNBytes(5))
                        .asString(StandardCharsets.US_ASCII)
                        .isEqualTo("hello");
            }
        }
    }

    @Test
    void resetOfTheNodeEndsTheTunnel() throws Exception {
        try (FrameNode node = FrameNode.startConnecting(
                0,
                (request, connection) -> connection
                        .head(request.stream(), ":status", "200")
                        .send(RawHttp2.DATA, 0, request.stream(), (byte) 'x')
                        .reset(request.stream(), CANCEL))) {
            gateway().apply(forwarding(node.url()).overHttp2());
            try (RawClient client = RawClient.connect(port())) {
                client.send(ASK);
                assertThat(client.read().status()).isEqualTo(101);
                assertThat(client.in().readAllBytes()).hasSizeLessThanOrEqualTo(1);
            }
        }
    }
}
