package io.sigma.dataplane;

import static io.sigma.dataplane.RawHttp2.fields;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.sigma.model.Protocol;
import io.sigma.model.ServerHttp2;
import io.sigma.model.ServerTls;
import io.sigma.snapshot.ResourceType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What HTTP/2 clients may not do: nothing of it reaches a node. */
@SuppressWarnings("try") // A connection is closed early so that its sender ends.
final class Http2RulesTest extends EngineContract {

    private static final int PROTOCOL_ERROR = 1;
    private static final int ENHANCE_YOUR_CALM = 11;
    private static final int PRIORITY_FLAG = 0x20;
    private static final int FLOOD = 20_000;

    private static byte[] head(String... more) {
        List<String> all = new ArrayList<>(
                List.of(":method", "GET", ":scheme", "http", ":path", "/", ":authority", "shop.example.com"));
        all.addAll(Arrays.asList(more));
        return fields(all.toArray(String[]::new));
    }

    private static byte[] pseudo(String method, String scheme, String path, String authority) {
        return fields(":method", method, ":scheme", scheme, ":path", path, ":authority", authority);
    }

    static Stream<Arguments> malformed() {
        return Stream.of(
                arguments("upper case in a name", head("X-Upper", "1")),
                arguments("a control byte in a name", head("x\u0001y", "1")),
                arguments("a space in a name", head("x y", "1")),
                arguments("an empty name", head("", "1")),
                arguments("CR in a value", head("x-a", "1\r2")),
                arguments("LF in a value", head("x-a", "1\n2")),
                arguments("NUL in a value", head("x-a", "1\0002")),
                arguments("connection", head("connection", "close")),
                arguments("keep-alive", head("keep-alive", "timeout=5")),
                arguments("proxy-connection", head("proxy-connection", "close")),
                arguments("transfer-encoding", head("transfer-encoding", "chunked")),
                arguments("upgrade", head("upgrade", "websocket")),
                arguments("te other than trailers", head("te", "gzip")),
                arguments("Host that differs from :authority", head("host", "other.example.com")),
                arguments("an unknown pseudo-field", head(":secret", "1")),
                arguments("a pseudo-field of a response", head(":status", "200")),
                arguments(
                        "a late pseudo-field",
                        fields(":method", "GET", ":scheme", "http", ":authority", "a", "x-a", "1", ":path", "/")),
                arguments("a duplicate path", head(":path", "/other")),
                arguments("a duplicate method", head(":method", "GET")),
                arguments("a duplicate scheme", head(":scheme", "http")),
                arguments("a duplicate authority", head(":authority", "shop.example.com")),
                arguments("DEL in a value", head("x-a", "1\u007f2")),
                arguments("DEL in a name", head("x\u007fa", "1")),
                arguments("a byte beyond ASCII in a name", head("x\u00e9", "1")),
                arguments("two Hosts", head("host", "shop.example.com", "host", "shop.example.com")),
                arguments("te with more than trailers", head("te", "trailers, gzip")),
                arguments("two lengths", head("content-length", "1", "content-length", "2")),
                arguments("a length with a sign", head("content-length", "+1")),
                arguments("a length that is too long", head("content-length", "99999999999999999999")),
                arguments("a length without a body", head("content-length", "5")),
                arguments("a path without a slash", pseudo("GET", "http", "x", "a")),
                arguments("a path with a fragment's control byte", pseudo("GET", "http", "/\u0001", "a")),
                arguments("a method that is no token", pseudo("G T", "http", "/", "a")),
                arguments("an authority with user information", pseudo("GET", "http", "/", "user@a")),
                arguments("an authority with a space", pseudo("GET", "http", "/", "a b")),
                arguments("an empty path", fields(":method", "GET", ":scheme", "http", ":path", "", ":authority", "a")),
                arguments(
                        "a path with a space",
                        fields(":method", "GET", ":scheme", "http", ":path", "/a b", ":authority", "a")),
                arguments("no path", fields(":method", "GET", ":scheme", "http", ":authority", "a")),
                arguments("no method", fields(":path", "/", ":scheme", "http", ":authority", "a")),
                arguments("no scheme", fields(":method", "GET", ":path", "/", ":authority", "a")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("malformed")
    void malformedHeadIsAStreamErrorAndIsNotForwarded(String what, byte[] block) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(RawHttp2.HEADERS, RawHttp2.END_STREAM | RawHttp2.END_HEADERS, 1, block);
                assertThat(client.next().error()).as(what).isEqualTo(PROTOCOL_ERROR);
            }
            assertThat(node.received()).isEmpty();
        }
    }

    @Test
    void bodyThatIsNotAsLongAsItSaidIsAStreamError() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, head("content-length", "5"));
                client.send(RawHttp2.DATA, RawHttp2.END_STREAM, 1, new byte[3]);
                assertThat(client.next().error()).isEqualTo(PROTOCOL_ERROR);
                client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 3, head("content-length", "2"));
                client.send(RawHttp2.DATA, RawHttp2.END_STREAM, 3, new byte[3]);
                assertThat(client.next().error()).isEqualTo(PROTOCOL_ERROR);
            }
            assertThat(node.received()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {":status", "X-Upper", "connection"})
    void malformedTrailersAreAStreamErrorAndEndNoRequest(String name) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, head());
                client.send(RawHttp2.DATA, 0, 1, new byte[3]);
                client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS | RawHttp2.END_STREAM, 1, fields(name, "1"));
                assertThat(client.next().error()).isEqualTo(PROTOCOL_ERROR);
            }
            assertThat(node.received()).isEmpty();
        }
    }

    @Test
    void malformedHeadEndsItsStreamOnly() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, head("content-length", "2"));
                int all = RawHttp2.END_STREAM | RawHttp2.END_HEADERS;
                client.send(RawHttp2.HEADERS, all, 3, pseudo("G T", "http", "/", "a"));
                assertThat(client.next().error()).isEqualTo(PROTOCOL_ERROR);
                client.send(RawHttp2.HEADERS, all, 5, head("X-Upper", "1"));
                assertThat(client.next().error()).isEqualTo(PROTOCOL_ERROR);
                client.send(RawHttp2.DATA, RawHttp2.END_STREAM, 1, new byte[2]);
                RawHttp2.Frame answer = client.next();
                assertThat(answer.stream()).isEqualTo(1);
                assertThat(status(answer)).isEqualTo("200");
            }
        }
    }

    @Test
    void hostThatIsTheAuthorityIsTaken() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(
                        RawHttp2.HEADERS,
                        RawHttp2.END_STREAM | RawHttp2.END_HEADERS,
                        1,
                        head("host", "shop.example.com", "te", "trailers"));
                assertThat(status(client.next())).isEqualTo("200");
            }
            assertThat(node.last().all("host")).containsExactly("shop.example.com");
        }
    }

    @Test
    void headFarBeyondItsLimitEndsTheConnection() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                byte[] block = head("x-long", "a".repeat(100_000));
                client.send(RawHttp2.HEADERS, RawHttp2.END_STREAM, 1, Arrays.copyOf(block, 16_384));
                for (int at = 16_384; at < block.length; at += 16_384) {
                    int end = Math.min(block.length, at + 16_384);
                    client.send(
                            RawHttp2.CONTINUATION,
                            end == block.length ? RawHttp2.END_HEADERS : 0,
                            1,
                            Arrays.copyOfRange(block, at, end));
                }
                assertThat(client.goAway()).isIn(PROTOCOL_ERROR, ENHANCE_YOUR_CALM);
            }
            assertThat(node.received()).isEmpty();
        }
    }

    @Test
    void tooManyFieldsAreAnswered431() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            String[] many = new String[1000];
            for (int i = 0; i < many.length; i += 2) {
                many[i] = "x-" + i;
                many[i + 1] = "1";
            }
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(RawHttp2.HEADERS, RawHttp2.END_STREAM | RawHttp2.END_HEADERS, 1, head(many));
                assertThat(status(client.next())).isEqualTo("431");
            }
            assertThat(node.received()).isEmpty();
        }
    }

    private static String status(RawHttp2.Frame answer) throws Exception {
        assertThat(answer.type()).isEqualTo(RawHttp2.HEADERS);
        int priority = (answer.flags() & PRIORITY_FLAG) == 0 ? 0 : 5;
        byte[] block = Arrays.copyOfRange(answer.payload(), priority, answer.payload().length);
        return String.valueOf(new DefaultHttp2HeadersDecoder()
                .decodeHeaders(1, Unpooled.wrappedBuffer(block))
                .status());
    }

    @Test
    void headThatIsTooLongIsAnswered431() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                byte[] block = head("x-long", "a".repeat(34_000));
                byte[] first = Arrays.copyOf(block, 16_384);
                client.send(RawHttp2.HEADERS, RawHttp2.END_STREAM, 1, first);
                client.send(RawHttp2.CONTINUATION, 0, 1, Arrays.copyOfRange(block, 16_384, 32_768));
                client.send(
                        RawHttp2.CONTINUATION,
                        RawHttp2.END_HEADERS,
                        1,
                        Arrays.copyOfRange(block, 32_768, block.length));
                assertThat(status(client.next())).isEqualTo("431");
            }
            assertThat(node.received()).isEmpty();
        }
    }

    /** What a flood sends again and again; it is given the number of the round. */
    @FunctionalInterface
    interface Round {
        void send(RawHttp2 client, int round) throws Exception;
    }

    private static int stream(int round) {
        return 2 * round + 1;
    }

    static Stream<Arguments> floods() {
        return Stream.of(
                arguments("rapid reset", (Round) (client, round) -> {
                    client.send(RawHttp2.HEADERS, RawHttp2.END_STREAM | RawHttp2.END_HEADERS, stream(round), head());
                    client.send(RawHttp2.RST_STREAM, 0, stream(round), new byte[] {0, 0, 0, 8});
                }),
                arguments("streams that the gateway must reset", (Round) (client, round) -> {
                    client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, stream(round), head("content-length", "1"));
                    client.send(RawHttp2.WINDOW_UPDATE, 0, stream(round), new byte[4]);
                }),
                arguments("streams that the gateway must reset, by windows that overflow", (Round) (client, round) -> {
                    client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, stream(round), head("content-length", "1"));
                    client.send(RawHttp2.WINDOW_UPDATE, 0, stream(round), (byte) 0x7f, (byte) -1, (byte) -1, (byte) -1);
                }),
                arguments("streams that the gateway must reset, by malformed heads", (Round)
                        (client, round) -> client.send(
                                RawHttp2.HEADERS,
                                RawHttp2.END_STREAM | RawHttp2.END_HEADERS,
                                stream(round),
                                head("X-Upper", "1"))),
                arguments("streams that the gateway must reset, by bodies that are too long", (Round)
                        (client, round) -> {
                            client.send(
                                    RawHttp2.HEADERS, RawHttp2.END_HEADERS, stream(round), head("content-length", "1"));
                            client.send(RawHttp2.DATA, RawHttp2.END_STREAM, stream(round), new byte[2]);
                        }),
                arguments("priorities", (Round) (client, round) -> client.send(2, 0, 1, new byte[] {0, 0, 0, 0, 1})),
                arguments("acknowledged settings", (Round) (client, round) -> client.send(RawHttp2.SETTINGS, 1, 0)),
                arguments(
                        "acknowledged pings", (Round) (client, round) -> client.send(RawHttp2.PING, 1, 0, new byte[8])),
                arguments("settings", (Round) (client, round) -> client.send(RawHttp2.SETTINGS, 0, 0)),
                arguments("pings", (Round) (client, round) -> client.send(RawHttp2.PING, 0, 0, new byte[8])),
                arguments("empty data", (Round) (client, round) -> {
                    if (round == 0) {
                        client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, head());
                    }
                    client.send(RawHttp2.DATA, 0, 1);
                }),
                arguments("continuations", (Round) (client, round) -> {
                    if (round == 0) {
                        client.send(RawHttp2.HEADERS, 0, 1, head());
                    }
                    client.send(RawHttp2.CONTINUATION, 0, 1);
                }));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("floods")
    void floodIsToldToCalmDown(String what, Round round) throws Exception {
        flood(what, round, null);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("floods")
    void floodOnTlsIsToldToCalmDown(String what, Round round) throws Exception {
        flood(what, round, TestTls.create("localhost"));
    }

    private RawHttp2 client(@Nullable TestTls tls) throws Exception {
        if (tls == null) {
            return RawHttp2.connect(port());
        }
        SSLSocket socket = (SSLSocket) tls.context().getSocketFactory().createSocket("127.0.0.1", port());
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2"});
        socket.setSSLParameters(parameters);
        return RawHttp2.on(socket);
    }

    private Config listening(String node, @Nullable TestTls tls) {
        Config config = forwarding(node);
        return tls == null
                ? config
                : config.certificate(tls.resource("own"))
                        .with(
                                ResourceType.PROXY_SERVER,
                                "web",
                                server -> server.toBuilder()
                                        .protocol(Protocol.HTTPS)
                                        .tls(ServerTls.builder().build())
                                        .build());
    }

    private void flood(String what, Round round, @Nullable TestTls tls) throws Exception {
        try (TestNode node = TestNode.start(
                (request, connection) -> connection.socket().getInputStream().read())) {
            gateway().apply(listening(node.url(), tls));
            try (RawHttp2 client = client(tls)) {
                Thread reader = Thread.currentThread();
                Thread sender = Thread.ofVirtual().start(() -> {
                    try {
                        for (int i = 0; i < FLOOD && reader.isAlive(); i++) {
                            round.send(client, i);
                        }
                    } catch (Exception e) {
                        // The gateway has had enough.
                    }
                });
                assertThat(client.goAway()).as(what).isEqualTo(ENHANCE_YOUR_CALM);
                client.close();
                sender.join();
            }
        }
    }

    /** A connection that is closed with something unread is reset, and what it said last may be lost (RFC 9112 §9.6). */
    @Test
    void whatFollowsAnErrorIsReadSoThatTheClientLearnsOfIt() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(RawHttp2.DATA, 0, 1, new byte[1]);
                for (int i = 0; i < 32; i++) {
                    client.send(RawHttp2.DATA, 0, 1, new byte[16_384]);
                }
                assertThat(client.goAway()).isEqualTo(PROTOCOL_ERROR);
                assertThat(client.isEnded()).isTrue();
            }
        }
    }

    @Test
    void clientThatGoesOnAfterAnErrorIsCutOff() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(RawHttp2.DATA, 0, 1, new byte[1]);
                assertThat(client.goAway()).isEqualTo(PROTOCOL_ERROR);
                boolean cutOff = false;
                for (int i = 0; i < 4096 && !cutOff; i++) {
                    cutOff = client.isCutOff();
                }
                assertThat(cutOff).isTrue();
            }
        }
    }

    @Test
    void listenerThatSpeaksHttp2OnlyRefusesEverythingElse() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(forwarding(node.url())
                            .with(
                                    ResourceType.PROXY_SERVER,
                                    "web",
                                    server -> server.toBuilder()
                                            .http2(ServerHttp2.builder()
                                                    .only(true)
                                                    .build())
                                            .build()));
            assertThat(Http2Client.exchange(port(), "GET", "/", null).body()).isEqualTo("ok");
            try (RawClient client = RawClient.connect(port())) {
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                byte[] said = client.in().readAllBytes();
                assertThat(said[said.length - 1]).isEqualTo((byte) PROTOCOL_ERROR);
            }
        }
    }

    @Test
    void listenerWithoutHttp2DoesNotSpeakIt() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(forwarding(node.url())
                            .with(
                                    ResourceType.PROXY_SERVER,
                                    "web",
                                    server -> server.toBuilder()
                                            .http2(ServerHttp2.builder()
                                                    .enabled(false)
                                                    .build())
                                            .build()));
            assertThat(get("/").text()).isEqualTo("ok");
            assertThat(RawClient.exchange(port(), "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
                            .status())
                    .isBetween(400, 505);
            assertThat(node.received()).hasSize(1);
        }
    }
}
