package io.sigma.dataplane.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.FrameNode;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestSettings;
import io.sigma.dataplane.testkit.TestTls;
import io.sigma.dataplane.testkit.TlsContract;
import io.sigma.dataplane.testkit.WebSocketAccept;
import io.sigma.model.ClientTls;
import io.sigma.model.Pool;
import io.sigma.model.ServerLimits;
import io.sigma.model.ServerTls;
import io.sigma.snapshot.ResourceType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** WebSockets on streams of HTTP/2 (RFC 8441), of clients and to nodes. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class WebSocketStreamsTest extends TlsContract {

    private static final int CONNECT_PROTOCOL = 8;
    private static final int REFUSED_STREAM = 7;
    private static final int CANCEL = 8;
    private static final int REFUSED_STREAM = 7;
    private static final long BYTES_TAKEN_MAX = 16L * 1024 * 1024;
    private static final String KEY = "dGhlIHNhbXBsZSBub25jZQ==";
    private static final String ACCEPT = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";
    private static final String ASK = "GET /chat HTTP/1.1\r\nHost: shop.example.com\r\nConnection: Upgrade\r\n"
            + "Upgrade: websocket\r\nSec-WebSocket-Key: " + KEY
            + "\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: chat\r\n\r\n";

    private static byte[] connect(String... more) {
        List<String> all = new ArrayList<>(List.of(
                ":method",
                "CONNECT",
                ":protocol",
                "websocket",
                ":scheme",
                "http",
                ":path",
                "/chat?a=b",
                ":authority",
                "shop.example.com",
                "sec-websocket-version",
                "13",
                "sec-websocket-protocol",
                "chat",
                "origin",
                "http://shop.example.com"));
        all.addAll(Arrays.asList(more));
        return RawHttp2.fields(all.toArray(String[]::new));
    }

    private static RawHttp2 open(RawHttp2 client) throws IOException {
        client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, connect());
        return client;
    }

    private RawHttp2 open() throws IOException {
        return open(RawHttp2.connect(port()));
    }

    private static void send(RawHttp2 client, String text) throws IOException {
        client.send(RawHttp2.DATA, 0, 1, text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Returns what comes on the stream, as text, until there is so much of it. */
    private static String text(RawHttp2 client, int length) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        while (all.size() < length) {
            RawHttp2.Frame frame = client.next();
            assertThat(frame.type()).isEqualTo(RawHttp2.DATA);
            all.write(frame.payload());
        }
        return all.toString(StandardCharsets.US_ASCII);
    }

    /** Reads to the end of the stream, which may come with the last piece or behind it. */
    private static String textToEnd(RawHttp2 client) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        RawHttp2.Frame frame;
        do {
            frame = client.next();
            assertThat(frame.type()).isEqualTo(RawHttp2.DATA);
            all.write(frame.payload());
        } while ((frame.flags() & RawHttp2.END_STREAM) == 0);
        return all.toString(StandardCharsets.US_ASCII);
    }

    private static void switchTo(TestNode.Received request, TestNode.Connection connection) throws Exception {
        connection.send("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                + "Sec-WebSocket-Protocol: chat\r\nSec-WebSocket-Accept: "
                + WebSocketAccept.of(String.valueOf(request.field("sec-websocket-key"))) + "\r\n\r\n");
    }

    /** Sends back what comes, and "bye" when nothing more does. */
    private static TestNode echo() {
        return TestNode.start((request, connection) -> {
            switchTo(request, connection);
            byte[] piece = new byte[65_536];
            for (int n = connection.in().read(piece);
                    n >= 0;
                    n = connection.in().read(piece)) {
                connection.out().write(piece, 0, n);
                connection.out().flush();
            }
            connection.send("bye");
            connection.socket().close();
        });
    }

    // --- Clients on HTTP/2

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

    @Test
    void clientThatResetsItsStreamEndsTheWebSocket() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        try (TestNode node = TestNode.start((request, connection) -> {
            switchTo(request, connection);
            if (connection.in().read() < 0) {
                ended.countDown();
            }
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = open()) {
                assertThat(client.status(client.next())).isEqualTo("200");
                client.send(RawHttp2.RST_STREAM, 0, 1, (byte) 0, (byte) 0, (byte) 0, (byte) CANCEL);
                assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
            }
            GatewayHarness.eventually(() -> node.openNow() == 0);
        }
    }

    /** Nothing follows the head of CONNECT but octets (RFC 9113 §8.5). */
    @Test
    void trailersOfAClientAreAStreamErrorAndEndTheWebSocket() throws Exception {
        try (TestNode node = echo()) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = open()) {
                assertThat(client.status(client.next())).isEqualTo("200");
                client.send(
                        RawHttp2.HEADERS,
                        RawHttp2.END_HEADERS | RawHttp2.END_STREAM,
                        1,
                        RawHttp2.fields("x-sum", "42"));
                RawHttp2.Frame frame = client.next();
                assertThat(frame.type()).isEqualTo(RawHttp2.RST_STREAM);
                assertThat(frame.error()).isEqualTo(RawHttp2.PROTOCOL_ERROR);
            }
            GatewayHarness.eventually(() -> node.openNow() == 0);
        }
    }

    @Test
    void endOfTheNodeEndsOneDirectionOfTheStream() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> {
            switchTo(request, connection);
            connection.send("bye");
            connection.socket().shutdownOutput();
            assertThat(connection.in().readAllBytes()).hasSize(4);
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = open()) {
                assertThat(client.status(client.next())).isEqualTo("200");
                assertThat(textToEnd(client)).isEqualTo("bye");
                client.send(RawHttp2.DATA, RawHttp2.END_STREAM, 1, "late".getBytes(StandardCharsets.US_ASCII));
                GatewayHarness.eventually(() -> node.openNow() == 0);
            }
        }
    }

    /** Browsers end their stream with the close frame; the node's close frame must reach them all the same. */
    @Test
    void nodeOnTlsAnswersAClientThatHasEndedItsStream() throws Exception {
        try (TestNode node = TestNode.startTls(TestTls.create("node").context(), (request, connection) -> {
            switchTo(request, connection);
            assertThat(connection.in().read()).isEqualTo('!');
            Thread.sleep(100);
            connection.send("bye");
            connection.socket().close();
        })) {
            gateway().apply(onTls(node));
            try (RawHttp2 client = open()) {
                assertThat(client.status(client.next())).isEqualTo("200");
                client.send(RawHttp2.DATA, RawHttp2.END_STREAM, 1, (byte) '!');
                assertThat(textToEnd(client)).isEqualTo("bye");
            }
            GatewayHarness.eventually(() -> node.openNow() == 0);
        }
    }

    @Test
    void nodeOnTlsThatDoesNotAnswerTheEndOfAStreamIsLeft() throws Exception {
        try (TestNode node = TestNode.startTls(TestTls.create("node").context(), (request, connection) -> {
            switchTo(request, connection);
            connection.in().readAllBytes();
        })) {
            gateway().apply(onTls(node));
            try (RawHttp2 client = open()) {
                assertThat(client.status(client.next())).isEqualTo("200");
                client.send(RawHttp2.DATA, RawHttp2.END_STREAM, 1, (byte) '!');
                assertThat(textToEnd(client)).isEmpty();
            }
            GatewayHarness.eventually(() -> node.openNow() == 0);
        }
    }

    private Config onTls(TestNode node) {
        return forwarding("https://127.0.0.1:" + node.port())
                .nodeTls("nodes", ClientTls.builder().verify(false).build());
    }

    private static TestNode goodbye() {
        return TestNode.startTls(TestTls.create("node").context(), (request, connection) -> {
            switchTo(request, connection);
            connection.send("bye");
            connection.socket().close();
        });
    }

    /** RST_STREAM right behind END_STREAM would make a failure of an orderly end. */
    @Test
    void clientHasTimeToEndATunnelThatTheNodeHasEnded() throws Exception {
        try (TestNode node = goodbye()) {
            gateway().apply(onTls(node));
            try (RawHttp2 client = open()) {
                assertThat(client.status(client.next())).isEqualTo("200");
                assertThat(textToEnd(client)).isEqualTo("bye");
                GatewayHarness.eventually(() -> node.openNow() == 0);
                client.send(RawHttp2.DATA, RawHttp2.END_STREAM, 1, new byte[0]);
                client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS | RawHttp2.END_STREAM, 3, RawHttp2.head());
                assertThat(client.next().stream()).isEqualTo(3);
            }
        }
    }

    /** The engine of the JDK ends directions one by one: the client's goes on. */
    @Test
    @DisabledIfSystemProperty(named = "sigma.test.tls", matches = "jdk")
    void tunnelThatTheNodeHasEndedIsNotKeptForAClientThatDoesNotEndIt() throws Exception {
        try (TestNode node = goodbye()) {
            gateway().apply(onTls(node));
            try (RawHttp2 client = open()) {
                assertThat(client.status(client.next())).isEqualTo("200");
                assertThat(textToEnd(client)).isEqualTo("bye");
                long started = System.nanoTime();
                RawHttp2.Frame reset = client.next();
                assertThat(reset.type()).isEqualTo(RawHttp2.RST_STREAM);
                assertThat(reset.payload()[3]).isEqualTo((byte) CANCEL);
                assertThat(System.nanoTime() - started).isGreaterThan(TimeUnit.SECONDS.toNanos(2));
            }
        }
    }

    // --- Bounds

    @Test
    void clientThatOpensNoWindowStopsTheNode() throws Exception {
        AtomicLong taken = new AtomicLong();
        try (TestNode node = TestNode.start((request, connection) -> {
            switchTo(request, connection);
            byte[] block = new byte[64 * 1024];
            while (taken.get() < 4 * BYTES_TAKEN_MAX) {
                connection.out().write(block);
                taken.addAndGet(block.length);
            }
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = open()) {
                assertThat(client.status(client.next())).isEqualTo("200");
                assertThat(settled(taken)).isPositive().isLessThan(BYTES_TAKEN_MAX);
            }
        }
    }

    @Test
    void nodeThatDoesNotReadGetsNoMoreThanTheWindowOfTheStream() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        AtomicLong taken = new AtomicLong();
        try (TestNode node = TestNode.start((request, connection) -> {
            switchTo(request, connection);
            done.await(30, TimeUnit.SECONDS);
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = open()) {
                Thread.ofVirtual().start(() -> flood(client, taken));
                assertThat(settled(taken)).isPositive().isLessThan(BYTES_TAKEN_MAX);
            }
            done.countDown();
        }
    }

    /** Sends as much as the window of the stream lets pass. */
    private static void flood(RawHttp2 client, AtomicLong taken) {
        try {
            int room = 65_535;
            while (taken.get() < 4 * BYTES_TAKEN_MAX) {
                for (int left = room; left > 0; left -= 16_384) {
                    client.send(RawHttp2.DATA, 0, 1, new byte[Math.min(left, 16_384)]);
                }
                taken.addAndGet(room);
                room = client.nextWindow(1);
            }
        } catch (IOException e) {
            // The test is over.
        }
    }

    private static long settled(AtomicLong taken) {
        long[] last = {-1, System.nanoTime()};
        GatewayHarness.eventually(() -> {
            long now = taken.get();
            if (now != last[0]) {
                last[0] = now;
                last[1] = System.nanoTime();
            }
            return now > 0 && System.nanoTime() - last[1] > 1_000_000_000L;
        });
        return last[0];
    }

    @Test
    void tunnelsOfStreamsHaveTheBoundOfAllTunnels() throws Exception {
        try (TestNode node = echo()) {
            gateway()
                    .apply(forwarding(node.url())
                            .with(
                                    ResourceType.UPSTREAM,
                                    "nodes",
                                    upstream -> upstream.toBuilder()
                                            .pool(Pool.builder().tunnelsMax(1).build())
                                            .build()));
            try (RawHttp2 first = open();
                    RawHttp2 second = RawHttp2.connect(port())) {
                assertThat(first.status(first.next())).isEqualTo("200");
                second.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, connect());
                assertThat(second.status(second.next())).isEqualTo("503");
            }
            GatewayHarness.eventually(() -> {
                try (RawHttp2 third = open()) {
                    return third.status(third.next()).equals("200");
                } catch (Exception e) {
                    return false;
                }
            });
        }
    }

    @Test
    void tunnelThatRestsForTooLongEnds() throws Exception {
        try (TestNode node = echo()) {
            gateway()
                    .apply(forwarding(node.url())
                            .with(
                                    ResourceType.PROXY_SERVER,
                                    "web",
                                    server -> server.toBuilder()
                                            .limits(ServerLimits.builder()
                                                    .streamIdleTimeoutMillis(1000)
                                                    .build())
                                            .build()));
            try (RawHttp2 client = open()) {
                assertThat(client.status(client.next())).isEqualTo("200");
                // Others keep the connection busy, not the tunnel.
                for (int stream = 3; stream < 9; stream += 2) {
                    client.send(RawHttp2.PING, 0, 0, new byte[8]);
                    Thread.sleep(300);
                }
                RawHttp2.Frame frame = client.next();
                assertThat(frame.stream()).isLessThanOrEqualTo(1);
            }
            GatewayHarness.eventually(() -> node.openNow() == 0);
        }
    }

    // --- Nodes on HTTP/2

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
        try (FrameNode node = FrameNode.startConnecting(late ? 300 : 0, WebSocketStreamsTest::echo)) {
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
    void webSocketThatANodeRefusesToBeginIsAskedForOnceMoreWithItsKey() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        try (FrameNode node = FrameNode.startConnecting(0, (request, connection) -> {
            if (asked.getAndIncrement() == 0) {
                connection.reset(request.stream(), REFUSED_STREAM);
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
            }
            assertThat(asked.get()).isEqualTo(2);
        }
    }

    @Test
    void streamOfAClientBecomesAStreamToANode() throws Exception {
        try (FrameNode node = FrameNode.startConnecting(0, WebSocketStreamsTest::echo)) {
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

    @Override
    protected GatewaySettings settings(Path dataDir) {
        return TestSettings.of(dataDir).loops(1).build();
    }
}
