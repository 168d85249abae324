package io.sigma.dataplane.http2;

import static io.sigma.dataplane.testkit.GatewayHarness.eventually;
import static io.sigma.dataplane.testkit.RawHttp2.END_HEADERS;
import static io.sigma.dataplane.testkit.RawHttp2.END_STREAM;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.FrameNode;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.ServerHttp2;
import io.sigma.model.ServerLimits;
import io.sigma.snapshot.ResourceType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The gateway's answers to clients whose frames break RFC 9113 or RFC 9218, where h2spec has no case. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class Http2ClientFramesTest extends Http2ClientFramesContract {

    private static final int REFUSED_STREAM = 7;

    private static final int HEAD_BYTES_MAX = 8_192;

    private static final int CANCEL = 8;

    private static final int PRIORITY_FRAME = 2;

    @Test
    void prioritiesAreReadAndTheirFieldReachesTheNode() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                byte[] urgent = ByteBuffer.allocate(7)
                        .putInt(1)
                        .put("u=0".getBytes(StandardCharsets.US_ASCII))
                        .array();
                client.send(RawHttp2.SETTINGS, 0, 0, setting(9, 1));
                client.send(PRIORITY_UPDATE, 0, 0, urgent);
                client.send(PRIORITY_FRAME, 0, 1, octets(0, 0, 0, 3, 1));
                client.send(RawHttp2.HEADERS, WHOLE, 1, RawHttp2.head("priority", "u=9, i=?0, x=1, u"));
                assertThat(client.status(client.next())).isEqualTo("200");
                assertThat(client.next().type()).isEqualTo(RawHttp2.DATA);
                client.send(PRIORITY_UPDATE, 0, 0, urgent);
                client.send(RawHttp2.HEADERS, WHOLE, 3, RawHttp2.head());
                assertThat(client.status(client.next())).isEqualTo("200");
            }
            assertThat(node.received().getFirst().all("priority")).containsExactly("u=9, i=?0, x=1, u");
        }
    }

    @Test
    void settingsOfTheGatewayComeFirstAndAllowNoPush() throws Exception {
        gateway().apply(forwarding("http://127.0.0.1:" + Config.freePort()));
        try (RawHttp2 client = RawHttp2.connect(port())) {
            List<RawHttp2.Frame> frames = client.frames(3);
            assertThat(frames.getFirst().type()).isEqualTo(RawHttp2.SETTINGS);
            assertThat(frames.getFirst().flags()).isZero();
            assertThat(frames).allMatch(frame -> frame.stream() == 0);
            assertThat(frames).anyMatch(frame -> frame.type() == RawHttp2.SETTINGS && frame.flags() == 1);
        }
        try (RawHttp2 client = RawHttp2.connect(port())) {
            Map<Integer, Integer> settings = client.nextSettings();
            assertThat(settings).doesNotContainEntry(2, 1).doesNotContainKeys(1, 5);
        }
    }

    /** Nobody else counts what is kept to compress fields, and a client may allow 4 GiB of it. */
    @ParameterizedTest
    @ValueSource(longs = {4_097, 65_536, 0xffff_ffffL})
    void tableOfFieldsStaysSmallHoweverLargeAClientAllowsItToBe(long size) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(RawHttp2.SETTINGS, 0, 0, setting(1, size));
                for (int stream = 1; stream < 9; stream += 2) {
                    client.send(RawHttp2.HEADERS, WHOLE, stream, RawHttp2.head());
                    // Its decoder takes no table over 4096.
                    assertThat(client.status(client.next())).isEqualTo("200");
                    assertThat(client.next().type()).isEqualTo(RawHttp2.DATA);
                }
            }
        }
    }

    /** RFC 7541 §4.2: the smallest size that was allowed between two heads is said in the second one. */
    @Test
    void tableThatAClientMakesSmallerIsEmptiedAndSaidToBe() throws Exception {
        try (TestNode node = TestNode.start((request, connection) ->
                connection.send("HTTP/1.1 200 OK\r\nX-Sum: 42\r\nContent-Length: 0\r\n\r\n"))) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(true, 8_192);
                client.send(RawHttp2.HEADERS, WHOLE, 1, RawHttp2.head());
                assertThat(decode(decoder, client.next())).contains("x-sum: 42");
                client.send(RawHttp2.SETTINGS, 0, 0, setting(1, 0));
                client.send(RawHttp2.SETTINGS, 0, 0, setting(1, 200));
                client.send(RawHttp2.HEADERS, WHOLE, 3, RawHttp2.head());
                RawHttp2.Frame head = client.next();
                assertThat(head.payload()).startsWith(0x20, 0x3f, 0xa9, 0x01);
                assertThat(decode(decoder, head)).contains("x-sum: 42");
            }
        }
    }

    /** What such a head adds to the table of the connection, later ones refer to. */
    @ParameterizedTest
    @MethodSource("headsThatAreRefused")
    void refusedHeadIsDecompressed(byte[] block, int code) throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        try (TestNode node = TestNode.start((request, connection) -> {
            if (request.target().equals("/slow")) {
                answered.await(10, TimeUnit.SECONDS);
            }
            connection.ok("ok");
        })) {
            gateway()
                    .apply(forwarding(node.url())
                            .with(
                                    ResourceType.PROXY_SERVER,
                                    "web",
                                    server -> server.toBuilder()
                                            .http2(ServerHttp2.builder()
                                                    .streamsMax(1)
                                                    .build())
                                            .limits(ServerLimits.builder()
                                                    .headBytesMax(HEAD_BYTES_MAX)
                                                    .build())
                                            .build()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.nextSettings();
                client.send(RawHttp2.SETTINGS, 1, 0);
                int stream = 1;
                if (code == REFUSED_STREAM) {
                    client.send(
                            RawHttp2.HEADERS,
                            WHOLE,
                            stream,
                            RawHttp2.fields(":method", "GET", ":scheme", "http", ":path", "/slow", ":authority", "a"));
                    eventually(() -> node.received().size() == 1);
                    stream += 2;
                }
                client.send(RawHttp2.HEADERS, WHOLE, stream, block);
                RawHttp2.Frame refusal = client.next();
                if (code < 0) {
                    assertThat(client.status(refusal)).isEqualTo("431");
                } else {
                    assertThat(refusal.error()).isEqualTo(code);
                }
                answered.countDown();
                while (code == REFUSED_STREAM && (client.next().flags() & END_STREAM) == 0) {
                    // The answer to the slow one.
                }
                client.send(RawHttp2.HEADERS, WHOLE, stream + 2, behindHead(0xbe));
                RawHttp2.Frame answer = client.next();
                while (answer.stream() != stream + 2) {
                    answer = client.next();
                }
                assertThat(answer.type()).isEqualTo(RawHttp2.HEADERS);
            }
            assertThat(node.last().field("x-a")).isEqualTo("42");
        }
    }

    @Test
    void streamThatIsResetGetsNothingMoreAndNoReset() throws Exception {
        CountDownLatch reset = new CountDownLatch(1);
        try (TestNode node = TestNode.start((request, connection) -> {
            if (request.target().equals("/")) {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\n" + "x".repeat(100_000));
                reset.await(10, TimeUnit.SECONDS);
                connection.send("x".repeat(100_000));
            } else {
                connection.ok("ok");
            }
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(RawHttp2.HEADERS, WHOLE, 1, RawHttp2.head());
                int octets = 0;
                while (octets < 65_535) {
                    octets += client.next().type() == RawHttp2.DATA ? 1 : 0;
                    if (octets == 3) {
                        break;
                    }
                }
                client.send(RawHttp2.RST_STREAM, 0, 1, number(0x5555));
                client.send(RawHttp2.PING, 0, 0, new byte[8]);
                client.untilPing();
                reset.countDown();
                client.send(RawHttp2.WINDOW_UPDATE, 0, 0, number(1 << 20));
                client.send(RawHttp2.WINDOW_UPDATE, 0, 1, number(1 << 20));
                client.send(RawHttp2.RST_STREAM, 0, 1, number(CANCEL));
                client.send(
                        RawHttp2.HEADERS,
                        WHOLE,
                        3,
                        RawHttp2.fields(":method", "GET", ":scheme", "http", ":path", "/b", ":authority", "a"));
                assertThat(client.next().stream()).isEqualTo(3);
                assertThat(client.next().stream()).isEqualTo(3);
            }
        }
    }

    /** RFC 9113 §5.4.2: data that waited for the window is dropped in silence. */
    @Test
    void streamThatIsResetWhileItsDataWaitsForTheWindowGetsNoReset() throws Exception {
        try (TestNode node = TestNode.start(
                (request, connection) -> connection.ok(request.target().equals("/") ? "x".repeat(200_000) : "ok"))) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(RawHttp2.HEADERS, WHOLE, 1, RawHttp2.head());
                for (int octets = 0; octets < 65_535; ) {
                    RawHttp2.Frame frame = client.next();
                    octets += frame.type() == RawHttp2.DATA ? frame.payload().length : 0;
                }
                client.send(RawHttp2.PING, 0, 0, new byte[8]);
                client.untilPing();
                client.send(RawHttp2.RST_STREAM, 0, 1, number(CANCEL));
                client.send(RawHttp2.WINDOW_UPDATE, 0, 0, number(1 << 20));
                client.send(
                        RawHttp2.HEADERS,
                        WHOLE,
                        3,
                        RawHttp2.fields(":method", "GET", ":scheme", "http", ":path", "/b", ":authority", "a"));
                assertThat(client.next().stream()).isEqualTo(3);
                assertThat(client.next().stream()).isEqualTo(3);
            }
        }
    }

    /** What comes behind the last stream that is served may change the table of the connection. */
    @Test
    void headBehindTheLastStreamIsDecompressed() throws Exception {
        try (FrameNode node = FrameNode.start((request, connection) -> {
            if (request.end()) {
                connection.ok(request.stream());
            }
        })) {
            gateway().apply(forwarding(node.url()).overHttp2());
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(RawHttp2.HEADERS, END_HEADERS, 1, RawHttp2.head());
                eventually(() -> node.heads().size() == 1);
                Thread closing = Thread.ofVirtual().start(() -> gateway().apply(new Config()));
                RawHttp2.Frame told = client.next();
                while (told.type() != RawHttp2.GOAWAY || told.payload()[3] != 1) {
                    told = client.next();
                }
                client.send(
                        RawHttp2.HEADERS,
                        WHOLE,
                        3,
                        joined(RawHttp2.head(), octets(0x40, 0x03, 'x', '-', 'a', 0x02, '4', '2')));
                client.send(RawHttp2.HEADERS, WHOLE, 1, octets(0xbe));
                RawHttp2.Frame answer = client.next();
                while (answer.stream() != 1) {
                    answer = client.next();
                }
                assertThat(client.status(answer)).isEqualTo("200");
                closing.join();
            }
            assertThat(node.heads()).hasSize(2);
            assertThat(node.heads().getLast().fields()).containsExactly("x-a: 42");
        }
    }

    @Test
    void cookiesThatWereSplitAreJoined() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(
                        RawHttp2.HEADERS, WHOLE, 1, RawHttp2.head("cookie", "a=b", "x-a", "1", "cookie", "c=d; e=f"));
                assertThat(client.status(client.next())).isEqualTo("200");
            }
            assertThat(node.last().all("cookie")).containsExactly("a=b; c=d; e=f");
        }
    }

    @Test
    void namesLeaveInLowerCase() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> connection.send(
                "HTTP/1.1 200 OK\r\nX-Mixed-CASE: Value \r\nConnection: X-Own, keep-alive\r\nX-Own: 1\r\n"
                        + "Keep-Alive: timeout=5\r\nProxy-Connection: keep-alive\r\nContent-Length: 0\r\n\r\n"))) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(RawHttp2.HEADERS, WHOLE, 1, RawHttp2.head());
                assertThat(client.decoded(client.next()))
                        .startsWith(":status: 200")
                        .contains("x-mixed-case: Value")
                        .noneMatch(field -> field.matches(
                                "(?i)(connection|x-own|keep-alive|proxy-connection|transfer-encoding|upgrade):.*"));
            }
        }
    }

    /** A client may send again what it was told was refused (RFC 9113 §8.7). */
    @Test
    void responseThatItsNodeBreaksOffIsNotCalledRefused() throws Exception {
        try (FrameNode node = FrameNode.start((request, connection) -> connection
                .head(request.stream(), ":status", "200")
                .send(RawHttp2.DATA, 0, request.stream(), octets('a'))
                .reset(request.stream(), REFUSED_STREAM))) {
            gateway().apply(forwarding(node.url()).overHttp2().patient("pass"));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(RawHttp2.HEADERS, WHOLE, 1, RawHttp2.head());
                RawHttp2.Frame frame = client.next();
                while (frame.type() != RawHttp2.RST_STREAM && frame.type() != RawHttp2.HEADERS) {
                    frame = client.next();
                }
                if (frame.type() == RawHttp2.HEADERS) {
                    // Nothing of it had left yet.
                    assertThat(client.status(frame)).isIn("200", "502");
                    frame = client.next();
                }
                while (frame.type() == RawHttp2.DATA && (frame.flags() & END_STREAM) == 0) {
                    frame = client.next();
                }
                assertThat(frame.error()).isNotEqualTo(REFUSED_STREAM);
            }
        }
    }

    private static List<String> decode(DefaultHttp2HeadersDecoder decoder, RawHttp2.Frame head) throws Exception {
        ByteBuf block = Unpooled.wrappedBuffer(head.payload());
        List<String> fields = new ArrayList<>();
        decoder.decodeHeaders(head.stream(), block)
                .forEach(field -> fields.add(field.getKey() + ": " + field.getValue()));
        return fields;
    }

    private static Stream<Arguments> headsThatAreRefused() {
        byte[] indexed = octets(0x40, 0x03, 'x', '-', 'a', 0x02, '4', '2');
        return Stream.of(
                Arguments.argumentSet("malformed", joined(RawHttp2.head("A", "b"), indexed), 1),
                Arguments.argumentSet("no method that there is", joined(RawHttp2.fields(":method", "G T"), indexed), 1),
                Arguments.argumentSet(
                        "too long for an answer", joined(RawHttp2.head("x", "y".repeat(HEAD_BYTES_MAX)), indexed), -1),
                Arguments.argumentSet("one stream too many", joined(RawHttp2.head(), indexed), REFUSED_STREAM));
    }

    private static byte[] joined(byte[] first, byte[] second) {
        return ByteBuffer.allocate(first.length + second.length)
                .put(first)
                .put(second)
                .array();
    }
}
