package io.sigma.dataplane;

import static io.sigma.dataplane.RawHttp2.fields;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Headers;
import io.sigma.model.ServerHttp2;
import io.sigma.snapshot.ResourceType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What HTTP/2 clients may not do: nothing of it reaches a node. */
@SuppressWarnings("try") // A connection is closed early so that its sender ends.
final class Http2RulesTest extends EngineContract {

    private static final int PROTOCOL_ERROR = 1;
    private static final int ENHANCE_YOUR_CALM = 11;
    private static final int FLOOD = 20_000;

    private static byte[] head(String... more) {
        List<String> all = new ArrayList<>(
                List.of(":method", "GET", ":scheme", "http", ":path", "/", ":authority", "shop.example.com"));
        all.addAll(Arrays.asList(more));
        return fields(all.toArray(String[]::new));
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
                arguments("a duplicate pseudo-field", head(":path", "/other")),
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
                RawHttp2.Frame answer = client.next();
                assertThat(answer.type()).isEqualTo(RawHttp2.HEADERS);
                Http2Headers decoded =
                        new DefaultHttp2HeadersDecoder().decodeHeaders(1, Unpooled.wrappedBuffer(answer.payload()));
                assertThat(decoded.status()).hasToString("431");
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
        try (TestNode node = TestNode.start(
                (request, connection) -> connection.socket().getInputStream().read())) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
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
