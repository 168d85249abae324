package io.sigma.dataplane.http1.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.ServerTls;
import java.util.Base64;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** WebSockets on streams of HTTP/2 (RFC 8441), of clients and to nodes. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class WebSocketStreamsTest extends WebSocketStreamsContract {

    private static final int CONNECT_PROTOCOL = 8;

    @Test
    void gatewaySaysThatItTakesExtendedConnect() throws Exception {
        gateway().apply(forwarding("http://127.0.0.1:" + Config.freePort()));
        try (RawHttp2 client = RawHttp2.connect(port())) {
            assertThat(client.nextSettings()).containsEntry(CONNECT_PROTOCOL, 1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void streamOfAClientBecomesAWebSocketOfANode(boolean tls) throws Exception {
        try (TestNode node = echo()) {
            gateway().apply(tls ? encrypted(ServerTls.builder().build(), node.url()) : forwarding(node.url()));
            try (RawHttp2 client = open(
                    tls ? RawHttp2.on(connect(client(null), "shop.example.com", "h2")) : RawHttp2.connect(port()))) {
                RawHttp2.Frame head = client.next();
                assertThat(head.flags() & RawHttp2.END_STREAM).isZero();
                assertThat(client.decoded(head))
                        .contains(":status: 200", "sec-websocket-protocol: chat")
                        .noneMatch(field -> field.startsWith("sec-websocket-accept")
                                || field.startsWith("upgrade")
                                || field.startsWith("connection"));
                send(client, "hello");
                assertThat(text(client, 5)).isEqualTo("hello");
                client.send(RawHttp2.DATA, RawHttp2.END_STREAM, 1, (byte) '!');
                assertThat(textToEnd(client)).isEqualTo("!bye");
            }
            TestNode.Received request = node.last();
            assertThat(request.line()).isEqualTo("GET /chat?a=b HTTP/1.1");
            assertThat(request.all("upgrade")).containsExactly("websocket");
            assertThat(request.all("connection")).containsExactly("Upgrade");
            assertThat(request.field("sec-websocket-version")).isEqualTo("13");
            assertThat(Base64.getDecoder().decode(request.field("sec-websocket-key")))
                    .hasSize(16);
            assertThat(request.fields()).noneMatch(field -> field.startsWith(":"));
            GatewayHarness.eventually(() -> node.openNow() == 0);
        }
    }

    @Test
    void whatTheClientSendsBeforeTheAnswerArrives() throws Exception {
        CountDownLatch sent = new CountDownLatch(1);
        try (TestNode node = TestNode.start((request, connection) -> {
            sent.await(10, TimeUnit.SECONDS);
            switchTo(request, connection);
            connection.out().write(connection.in().readNBytes(60_000));
            connection.out().flush();
            connection.in().read();
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = open()) {
                for (int i = 0; i < 6; i++) {
                    send(client, "early".repeat(2_000));
                }
                sent.countDown();
                assertThat(client.status(client.next())).isEqualTo("200");
                assertThat(text(client, 60_000)).isEqualTo("early".repeat(12_000));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"403, 403", "302, 302", "426, 426", "200, 501", "204, 501", "101, 502"})
    void refusalOfTheNodeIsOneForTheClient(int status, String answered) throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> connection.send("HTTP/1.1 " + status
                + " x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " + ACCEPT
                + "\r\n" + (status < 205 ? "" : "Content-Length: 0\r\n") + "\r\n"))) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = open()) {
                assertThat(client.status(client.next())).isEqualTo(answered);
            }
        }
    }

    @Test
    void otherProtocolsAreNotImplemented() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(
                        RawHttp2.HEADERS,
                        RawHttp2.END_HEADERS,
                        1,
                        RawHttp2.fields(
                                ":method",
                                "CONNECT",
                                ":protocol",
                                "connect-udp",
                                ":scheme",
                                "http",
                                ":path",
                                "/",
                                ":authority",
                                "a"));
                assertThat(client.status(client.next())).isEqualTo("501");
            }
            assertThat(node.received()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ":method GET :protocol websocket :scheme http :path / :authority a",
                ":method CONNECT :scheme http :path / :authority a",
                ":method CONNECT :protocol websocket :scheme http :authority a",
                ":method CONNECT :protocol websocket :path / :authority a",
                ":method CONNECT :protocol websocket :protocol websocket :scheme http :path / :authority a",
                ":method CONNECT :authority a:443",
            })
    void malformedConnectIsAStreamError(String fields) throws Exception {
        gateway().apply(forwarding("http://127.0.0.1:" + Config.freePort()));
        try (RawHttp2 client = RawHttp2.connect(port())) {
            client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, RawHttp2.fields(fields.split(" ", -1)));
            RawHttp2.Frame frame = client.next();
            assertThat(frame.type()).isEqualTo(RawHttp2.RST_STREAM);
            assertThat(frame.error()).isEqualTo(RawHttp2.PROTOCOL_ERROR);
        }
    }

    @Test
    void otherStreamsGoOnBesideATunnel() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> {
            if (request.field("upgrade") == null) {
                connection.ok("ok");
            } else {
                switchTo(request, connection);
                connection.in().read();
            }
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = open()) {
                assertThat(client.status(client.next())).isEqualTo("200");
                client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS | RawHttp2.END_STREAM, 3, RawHttp2.head());
                assertThat(client.next().stream()).isEqualTo(3);
            }
        }
    }
}
