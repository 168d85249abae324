package io.sigma.dataplane.http2;

import static io.sigma.dataplane.testkit.GatewayHarness.eventually;
import static io.sigma.dataplane.testkit.RawHttp2.END_HEADERS;
import static io.sigma.dataplane.testkit.RawHttp2.END_STREAM;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.FrameNode;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestSettings;
import io.sigma.model.ServerHttp2;
import io.sigma.model.ServerLimits;
import io.sigma.snapshot.ResourceType;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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

/** What the gateway says to clients whose frames break RFC 9113 or RFC 9218, where h2spec does not ask. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class Http2ClientFramesTest extends EngineContract {

    private static final int PRIORITY_FRAME = 2;
    private static final int PUSH_PROMISE = 5;
    private static final int PRIORITY_UPDATE = 0x10;

    private static final int PADDED = 8;
    private static final int WHOLE = END_HEADERS | END_STREAM;

    private static final int STREAMS_MAX = 250;
    private static final int HEAD_BYTES_MAX = 8_192;

    private static final int FLOW_CONTROL_ERROR = 3;
    private static final int FRAME_SIZE_ERROR = 6;
    private static final int REFUSED_STREAM = 7;
    private static final int CANCEL = 8;
    private static final int COMPRESSION_ERROR = 9;

    @FunctionalInterface
    interface Sending {
        void send(RawHttp2 client) throws Exception;
    }

    @Override
    protected GatewaySettings settings(Path dataDir) {
        return TestSettings.of(dataDir).loops(1).build();
    }

    private static byte[] octets(int... values) {
        byte[] all = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            all[i] = (byte) values[i];
        }
        return all;
    }

    private static byte[] number(long value) {
        return ByteBuffer.allocate(4).putInt((int) value).array();
    }

    private static byte[] setting(int id, long value) {
        return ByteBuffer.allocate(6).putShort((short) id).putInt((int) value).array();
    }

    /** Returns a block that has these octets behind those of a request. */
    private static byte[] behindHead(int... octets) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        block.writeBytes(RawHttp2.head());
        block.writeBytes(octets(octets));
        return block.toByteArray();
    }

    private static Arguments error(int code, String what, Sending sending) {
        return Arguments.argumentSet(what, code, sending);
    }

    private static Arguments frame(int code, String what, int type, int flags, int stream, byte... payload) {
        return error(code, what, client -> client.send(type, flags, stream, payload));
    }

    static Stream<Arguments> framesThatEndTheConnection() {
        return Stream.of(idle(), settings(), priorities(), compression()).flatMap(each -> each);
    }

    /** Streams that no request has opened, and those that no client may open. */
    private static Stream<Arguments> idle() {
        int protocol = RawHttp2.PROTOCOL_ERROR;
        return Stream.concat(
                Stream.of(2, 101)
                        .flatMap(id -> Stream.of(
                                frame(protocol, "DATA on " + id, RawHttp2.DATA, 0, id, octets(1)),
                                frame(protocol, "padding on " + id, RawHttp2.DATA, PADDED, id),
                                frame(protocol, "RST_STREAM on " + id, RawHttp2.RST_STREAM, 0, id, number(8)),
                                frame(protocol, "WINDOW_UPDATE on " + id, RawHttp2.WINDOW_UPDATE, 0, id, number(1)),
                                frame(protocol, "no room on " + id, RawHttp2.WINDOW_UPDATE, 0, id, number(0)))),
                Stream.of(
                        frame(protocol, "HEADERS on 2", RawHttp2.HEADERS, WHOLE, 2, RawHttp2.head()),
                        frame(protocol, "malformed HEADERS on 2", RawHttp2.HEADERS, WHOLE, 2, RawHttp2.head("A", "b")),
                        frame(protocol, "a push", PUSH_PROMISE, END_HEADERS, 1, number(2))));
    }

    private static Stream<Arguments> settings() {
        return Stream.of(
                frame(RawHttp2.PROTOCOL_ERROR, "extended CONNECT of 2", RawHttp2.SETTINGS, 0, 0, setting(8, 2)),
                frame(RawHttp2.PROTOCOL_ERROR, "priorities of 2", RawHttp2.SETTINGS, 0, 0, setting(9, 2)),
                error(
                        FLOW_CONTROL_ERROR,
                        "a window beyond all of a stream",
                        client -> client.send(RawHttp2.HEADERS, END_HEADERS, 1, RawHttp2.head())
                                .send(RawHttp2.WINDOW_UPDATE, 0, 1, number(Integer.MAX_VALUE - 65_535))
                                .send(RawHttp2.SETTINGS, 0, 0, setting(4, 65_536))));
    }

    private static Stream<Arguments> priorities() {
        int protocol = RawHttp2.PROTOCOL_ERROR;
        return Stream.of(
                frame(protocol, "PRIORITY_UPDATE on a stream", PRIORITY_UPDATE, 0, 1, number(1)),
                error(
                        protocol,
                        "PRIORITY_UPDATE on an open stream",
                        client -> client.send(RawHttp2.HEADERS, END_HEADERS, 1, RawHttp2.head())
                                .send(PRIORITY_UPDATE, 0, 1, number(1))),
                frame(protocol, "PRIORITY_UPDATE of no stream", PRIORITY_UPDATE, 0, 0, number(0)),
                frame(protocol, "PRIORITY_UPDATE of a push", PRIORITY_UPDATE, 0, 0, number(2)),
                frame(FRAME_SIZE_ERROR, "a short PRIORITY_UPDATE", PRIORITY_UPDATE, 0, 0, octets(0, 0, 1)),
                error(protocol, "PRIORITY_UPDATE of too many streams", client -> {
                    client.nextSettings();
                    client.send(RawHttp2.SETTINGS, 1, 0);
                    for (int i = 0; i <= STREAMS_MAX; i++) {
                        client.send(PRIORITY_UPDATE, 0, 0, number(2 * i + 1));
                    }
                }));
    }

    /** RFC 7541: what no decoder may take. */
    private static Stream<Arguments> compression() {
        return Stream.of(
                block("index 0", 0x80),
                block("an index beyond the table", 0xbf),
                block("an integer that is too large", 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f),
                block("a length that is too large", 0x00, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f),
                block("a table that changes behind a field", 0x20),
                block("a literal that is cut short", 0x00, 0x05, 'a'),
                block("a name without a value", 0x00, 0x01, 'a'),
                block("the end within a string", 0x00, 0x01, 'a', 0x84, 0xff, 0xff, 0xff, 0xff),
                block("padding that is none", 0x00, 0x01, 'a', 0x81, 0x18),
                block("padding of an octet", 0x00, 0x01, 'a', 0x82, 0x1f, 0xff),
                frame(
                        COMPRESSION_ERROR,
                        "a table over its limit",
                        RawHttp2.HEADERS,
                        WHOLE,
                        1,
                        octets(0x3f, 0xe2, 0x1f, 0x82, 0x84, 0x86)));
    }

    private static Arguments block(String what, int... octets) {
        return frame(COMPRESSION_ERROR, what, RawHttp2.HEADERS, WHOLE, 1, behindHead(octets));
    }

    @ParameterizedTest
    @MethodSource("framesThatEndTheConnection")
    void frameEndsTheConnectionWithItsError(int code, Sending sending) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                sending.send(client);
                assertThat(client.goAway()).isEqualTo(code);
                assertThat(client.isEnded()).isTrue();
            }
            assertThat(node.received()).noneMatch(request -> request.line().contains("HTTP/2"));
        }
    }

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

    // --- What the gateway says

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

    private static List<String> decode(DefaultHttp2HeadersDecoder decoder, RawHttp2.Frame head) throws Exception {
        ByteBuf block = Unpooled.wrappedBuffer(head.payload());
        List<String> fields = new ArrayList<>();
        decoder.decodeHeaders(head.stream(), block)
                .forEach(field -> fields.add(field.getKey() + ": " + field.getValue()));
        return fields;
    }

    // --- Heads of which nothing becomes

    static Stream<Arguments> headsThatAreRefused() {
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

    // --- What is translated

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

    // --- What nodes say

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
}
