package io.sigma.dataplane.http2;

import static io.sigma.dataplane.testkit.GatewayHarness.eventually;
import static io.sigma.dataplane.testkit.RawHttp2.END_HEADERS;
import static io.sigma.dataplane.testkit.RawHttp2.END_STREAM;
import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.FrameNode;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestSettings;
import io.sigma.model.Pool;
import io.sigma.snapshot.ResourceType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the gateway says to a node whose frames break RFC 9113, as h2spec asks of servers what they say to clients. */
final class Http2NodeFramesTest extends EngineContract {

    private static final int PRIORITY_FRAME = 2;
    private static final int PUSH_PROMISE = 5;
    private static final int PRIORITY_UPDATE = 0x10;
    private static final int UNKNOWN = 0x55;

    private static final int ACK = 1;
    private static final int PADDED = 8;

    private static final int PROTOCOL_ERROR = 1;
    private static final int FLOW_CONTROL_ERROR = 3;
    private static final int STREAM_CLOSED = 5;
    private static final int FRAME_SIZE_ERROR = 6;
    private static final int COMPRESSION_ERROR = 9;

    /** What a node sends where its answer is asked for. */
    @FunctionalInterface
    interface Sending {
        void send(int stream, FrameNode.Connection node) throws Exception;
    }

    @Override
    protected GatewaySettings settings(Path dataDir) {
        return TestSettings.of(dataDir).loops(1).build();
    }

    private void serve(FrameNode node) {
        gateway()
                .apply(forwarding(node.url())
                        .overHttp2()
                        .with(
                                ResourceType.UPSTREAM,
                                "nodes",
                                upstream -> upstream.toBuilder()
                                        .pool(Pool.builder().connectionsMax(1).build())
                                        .build())
                        .patient("pass"));
    }

    private static byte[] octets(int... values) {
        byte[] all = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            all[i] = (byte) values[i];
        }
        return all;
    }

    private static byte[] setting(int id, long value) {
        return octets(id >> 8, id, (int) (value >> 24), (int) (value >> 16), (int) (value >> 8), (int) value);
    }

    private static byte[] number(long value) {
        return octets((int) (value >> 24), (int) (value >> 16), (int) (value >> 8), (int) value);
    }

    private static byte[] joined(byte[]... parts) {
        byte[] all = new byte[Arrays.stream(parts).mapToInt(part -> part.length).sum()];
        int at = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, all, at, part.length);
            at += part.length;
        }
        return all;
    }

    /** Ends the connection with {@code code} whatever its flags and stream are. */
    private static Arguments error(int code, String what, Sending sending) {
        return Arguments.argumentSet(what, code, sending);
    }

    private static Arguments frame(int code, String what, int type, int flags, int stream, byte... payload) {
        return error(code, what, (ignored, node) -> node.send(type, flags, stream, payload));
    }

    /** A head that the compression of the connection cannot read. */
    private static Arguments block(String what, int... block) {
        return error(
                COMPRESSION_ERROR,
                what,
                (stream, node) -> node.send(RawHttp2.HEADERS, END_HEADERS | END_STREAM, stream, octets(block)));
    }

    static Stream<Arguments> framesThatEndTheConnection() {
        byte[] ok = octets(0x88);
        return Stream.of(
                        streamless(),
                        idle(ok),
                        sizes(),
                        settings(),
                        Stream.of(error(
                                PROTOCOL_ERROR,
                                "a push",
                                (stream, node) -> node.send(
                                        PUSH_PROMISE, END_HEADERS, stream, joined(number(2), RawHttp2.head())))),
                        blocks(ok),
                        compression(),
                        Stream.of(
                                error(
                                        PROTOCOL_ERROR,
                                        "a last stream that increases",
                                        (stream, node) -> node.goAway(stream, 0).goAway(stream + 2, 0)),
                                frame(PROTOCOL_ERROR, "no more room", RawHttp2.WINDOW_UPDATE, 0, 0, number(0)),
                                frame(
                                        FLOW_CONTROL_ERROR,
                                        "too large a window",
                                        RawHttp2.WINDOW_UPDATE,
                                        0,
                                        0,
                                        number(Integer.MAX_VALUE)),
                                frame(PROTOCOL_ERROR, "PRIORITY_UPDATE", PRIORITY_UPDATE, 0, 0, number(1))))
                .flatMap(each -> each);
    }

    private static Stream<Arguments> streamless() {
        return Stream.concat(
                Stream.of(
                        frame(PROTOCOL_ERROR, "DATA without a stream", RawHttp2.DATA, 0, 0, octets(1)),
                        frame(
                                PROTOCOL_ERROR,
                                "HEADERS without a stream",
                                RawHttp2.HEADERS,
                                END_HEADERS,
                                0,
                                octets(0x88)),
                        frame(PROTOCOL_ERROR, "PRIORITY without a stream", PRIORITY_FRAME, 0, 0, new byte[5]),
                        frame(PROTOCOL_ERROR, "RST_STREAM without a stream", RawHttp2.RST_STREAM, 0, 0, number(8)),
                        frame(PROTOCOL_ERROR, "CONTINUATION without a stream", RawHttp2.CONTINUATION, END_HEADERS, 0),
                        frame(
                                PROTOCOL_ERROR,
                                "PUSH_PROMISE without a stream",
                                PUSH_PROMISE,
                                END_HEADERS,
                                0,
                                joined(number(2), RawHttp2.head()))),
                Stream.of(
                        error(
                                PROTOCOL_ERROR,
                                "SETTINGS on a stream",
                                (stream, node) -> node.send(RawHttp2.SETTINGS, 0, stream)),
                        error(
                                PROTOCOL_ERROR,
                                "PING on a stream",
                                (stream, node) -> node.send(RawHttp2.PING, 0, stream, new byte[8])),
                        error(
                                PROTOCOL_ERROR,
                                "GOAWAY on a stream",
                                (stream, node) -> node.send(RawHttp2.GOAWAY, 0, stream, new byte[8]))));
    }

    /** Streams that the gateway has not opened, and those that only a node could open, by push alone. */
    private static Stream<Arguments> idle(byte[] ok) {
        byte[] malformed = RawHttp2.fields(":status", "200", "Upper", "1");
        return Stream.of(2, 101)
                .flatMap(id -> Stream.of(
                        frame(PROTOCOL_ERROR, "HEADERS on " + id, RawHttp2.HEADERS, END_HEADERS, id, ok),
                        frame(PROTOCOL_ERROR, "malformed on " + id, RawHttp2.HEADERS, END_HEADERS, id, malformed),
                        frame(PROTOCOL_ERROR, "DATA on " + id, RawHttp2.DATA, 0, id, octets(1)),
                        frame(PROTOCOL_ERROR, "RST_STREAM on " + id, RawHttp2.RST_STREAM, 0, id, number(8)),
                        frame(PROTOCOL_ERROR, "WINDOW_UPDATE on " + id, RawHttp2.WINDOW_UPDATE, 0, id, number(1)),
                        frame(PROTOCOL_ERROR, "no room on " + id, RawHttp2.WINDOW_UPDATE, 0, id, number(0))));
    }

    private static Stream<Arguments> sizes() {
        return Stream.of(
                error(
                        FRAME_SIZE_ERROR,
                        "a short RST_STREAM",
                        (stream, node) -> node.send(RawHttp2.RST_STREAM, 0, stream, new byte[3])),
                frame(FRAME_SIZE_ERROR, "a short PING", RawHttp2.PING, 0, 0, new byte[7]),
                frame(FRAME_SIZE_ERROR, "a short GOAWAY", RawHttp2.GOAWAY, 0, 0, new byte[7]),
                frame(FRAME_SIZE_ERROR, "a short WINDOW_UPDATE", RawHttp2.WINDOW_UPDATE, 0, 0, new byte[3]),
                frame(FRAME_SIZE_ERROR, "part of a setting", RawHttp2.SETTINGS, 0, 0, new byte[5]),
                frame(FRAME_SIZE_ERROR, "an acknowledgement with settings", RawHttp2.SETTINGS, ACK, 0, new byte[6]),
                error(
                        FRAME_SIZE_ERROR,
                        "HEADERS without their priority",
                        (stream, node) ->
                                node.send(RawHttp2.HEADERS, END_HEADERS | RawHttp2.PRIORITY, stream, new byte[4])),
                error(
                        FRAME_SIZE_ERROR,
                        "DATA over the largest frame",
                        (stream, node) -> node.send(RawHttp2.DATA, 0, stream, new byte[16_385])),
                error(
                        FRAME_SIZE_ERROR,
                        "HEADERS over the largest frame",
                        (stream, node) -> node.send(RawHttp2.HEADERS, END_HEADERS, stream, new byte[16_385])),
                error(
                        PROTOCOL_ERROR,
                        "DATA of less than its padding",
                        (stream, node) ->
                                node.head(stream, ":status", "200").send(RawHttp2.DATA, PADDED, stream, octets(2, 0))),
                error(
                        PROTOCOL_ERROR,
                        "HEADERS of less than their padding",
                        (stream, node) -> node.send(RawHttp2.HEADERS, END_HEADERS | PADDED, stream, octets(3, 0x88))));
    }

    private static Stream<Arguments> settings() {
        return Stream.of(
                frame(PROTOCOL_ERROR, "push", RawHttp2.SETTINGS, 0, 0, setting(2, 1)),
                frame(PROTOCOL_ERROR, "no answer to push", RawHttp2.SETTINGS, 0, 0, setting(2, 2)),
                frame(FLOW_CONTROL_ERROR, "a window beyond all", RawHttp2.SETTINGS, 0, 0, setting(4, 1L << 31)),
                frame(PROTOCOL_ERROR, "frames that are too small", RawHttp2.SETTINGS, 0, 0, setting(5, 16_383)),
                frame(PROTOCOL_ERROR, "frames that are too large", RawHttp2.SETTINGS, 0, 0, setting(5, 1 << 24)),
                frame(PROTOCOL_ERROR, "extended CONNECT of 2", RawHttp2.SETTINGS, 0, 0, setting(8, 2)),
                frame(PROTOCOL_ERROR, "priorities of 2", RawHttp2.SETTINGS, 0, 0, setting(9, 2)),
                error(
                        FLOW_CONTROL_ERROR,
                        "a window beyond all of a stream",
                        (stream, node) -> node.send(
                                        RawHttp2.WINDOW_UPDATE, 0, stream, number(Integer.MAX_VALUE - 65_535))
                                .send(RawHttp2.SETTINGS, 0, 0, setting(4, 65_536))));
    }

    private static Stream<Arguments> blocks(byte[] ok) {
        return Stream.of(
                error(
                        PROTOCOL_ERROR,
                        "CONTINUATION of nothing",
                        (stream, node) -> node.send(RawHttp2.CONTINUATION, END_HEADERS, stream, ok)),
                error(
                        PROTOCOL_ERROR,
                        "CONTINUATION of a whole head",
                        (stream, node) ->
                                node.head(stream, ":status", "200").send(RawHttp2.CONTINUATION, END_HEADERS, stream)),
                error(
                        PROTOCOL_ERROR,
                        "DATA within a head",
                        (stream, node) ->
                                node.send(RawHttp2.HEADERS, 0, stream, ok).send(RawHttp2.DATA, 0, stream)),
                error(
                        PROTOCOL_ERROR,
                        "HEADERS within a head",
                        (stream, node) ->
                                node.send(RawHttp2.HEADERS, 0, stream, ok).send(RawHttp2.HEADERS, END_HEADERS, stream)),
                error(
                        PROTOCOL_ERROR,
                        "PING within a head",
                        (stream, node) ->
                                node.send(RawHttp2.HEADERS, 0, stream, ok).send(RawHttp2.PING, 0, 0, new byte[8])),
                error(
                        PROTOCOL_ERROR,
                        "an unknown frame within a head",
                        (stream, node) ->
                                node.send(RawHttp2.HEADERS, 0, stream, ok).send(UNKNOWN, 0, stream)),
                error(
                        PROTOCOL_ERROR,
                        "CONTINUATION of another stream",
                        (stream, node) -> node.send(RawHttp2.HEADERS, 0, stream, ok)
                                .send(RawHttp2.CONTINUATION, END_HEADERS, stream + 2)));
    }

    /** RFC 7541: what no decoder may take. */
    private static Stream<Arguments> compression() {
        return Stream.of(
                block("index 0", 0x80),
                block("an index beyond the table", 0x88, 0xbf),
                block("an integer that is too large", 0x88, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f),
                block("a length that is too large", 0x88, 0x00, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f),
                block("a table over its limit", 0x3f, 0xe2, 0x1f, 0x88),
                block("a table that changes behind a field", 0x88, 0x20),
                block("a literal that is cut short", 0x88, 0x00, 0x05, 'a'),
                block("a name without a value", 0x88, 0x00, 0x01, 'a'),
                // 0xff 0xff 0xff 0xff begins with the thirty ones that end a string.
                block("the end within a string", 0x88, 0x00, 0x01, 'a', 0x84, 0xff, 0xff, 0xff, 0xff),
                // 'a' is 00011, and what follows in an octet may only be the first ones of that end.
                block("padding that is none", 0x88, 0x00, 0x01, 'a', 0x81, 0x18),
                block("padding of an octet", 0x88, 0x00, 0x01, 'a', 0x82, 0x1f, 0xff));
    }

    @ParameterizedTest
    @MethodSource("framesThatEndTheConnection")
    void frameEndsTheConnectionWithItsError(int code, Sending sending) throws Exception {
        AtomicInteger requests = new AtomicInteger();
        try (FrameNode node = FrameNode.start((request, connection) -> {
            if (requests.getAndIncrement() > 0) {
                connection.ok(request.stream());
                return;
            }
            sending.send(request.stream(), connection);
            connection.readBody(Integer.MAX_VALUE);
        })) {
            serve(node);
            Thread.ofVirtual().start(() -> {
                try {
                    get("/");
                } catch (Exception e) {
                    // It is about what the node is told.
                }
            });
            eventually(() -> node.ended() == 1);
            assertThat(node.frames().stream().filter(frame -> frame.type() == RawHttp2.GOAWAY))
                    .isNotEmpty()
                    .allMatch(frame -> frame.error() == code);
            assertThat(get("/").text()).isEqualTo("ok");
        }
    }

    static Stream<Arguments> framesThatEndTheStream() {
        return Stream.of(
                error(
                        PROTOCOL_ERROR,
                        "no more room",
                        (stream, node) -> node.send(RawHttp2.WINDOW_UPDATE, 0, stream, number(0))),
                error(
                        FLOW_CONTROL_ERROR,
                        "too large a window",
                        (stream, node) -> node.send(RawHttp2.WINDOW_UPDATE, 0, stream, number(Integer.MAX_VALUE))),
                error(
                        FRAME_SIZE_ERROR,
                        "a short PRIORITY",
                        (stream, node) -> node.send(PRIORITY_FRAME, 0, stream, new byte[4])),
                error(
                        FRAME_SIZE_ERROR,
                        "padding without its length",
                        (stream, node) -> node.send(RawHttp2.DATA, PADDED, stream)),
                error(
                        PROTOCOL_ERROR,
                        "trailers with a status",
                        (stream, node) -> node.head(stream, ":status", "200").lastHead(stream, ":status", "200")),
                error(
                        PROTOCOL_ERROR,
                        "trailers with a path",
                        (stream, node) -> node.head(stream, ":status", "200").lastHead(stream, ":path", "/")),
                error(
                        PROTOCOL_ERROR,
                        "trailers with a field of a connection",
                        (stream, node) -> node.head(stream, ":status", "200").lastHead(stream, "connection", "close")),
                error(
                        PROTOCOL_ERROR,
                        "trailers before the end",
                        (stream, node) -> node.head(stream, ":status", "200").head(stream, "x-sum", "42")),
                error(
                        PROTOCOL_ERROR,
                        "an interim response behind the last one",
                        (stream, node) -> node.head(stream, ":status", "200").lastHead(stream, ":status", "103")),
                error(
                        PROTOCOL_ERROR,
                        "white space before a value",
                        (stream, node) -> node.head(stream, ":status", "200", "x-a", " 1")),
                error(
                        PROTOCOL_ERROR,
                        "white space behind a value",
                        (stream, node) -> node.head(stream, ":status", "200", "x-a", "1 ")),
                error(
                        PROTOCOL_ERROR,
                        "a tab behind a value",
                        (stream, node) -> node.head(stream, ":status", "200", "x-a", "1\t")),
                error(
                        STREAM_CLOSED,
                        "DATA behind the end",
                        (stream, node) ->
                                node.lastHead(stream, ":status", "200").send(RawHttp2.DATA, 0, stream, octets(1))),
                error(
                        STREAM_CLOSED,
                        "HEADERS behind the end",
                        (stream, node) ->
                                node.lastHead(stream, ":status", "200").lastHead(stream, "x-sum", "42")),
                error(
                        PROTOCOL_ERROR,
                        "no status in an interim response",
                        (stream, node) -> node.head(stream, "a", "b").lastHead(stream, ":status", "200")));
    }

    /** It concerns nobody else on the connection. */
    @ParameterizedTest
    @MethodSource("framesThatEndTheStream")
    void frameEndsItsStreamWithItsError(int code, Sending sending) throws Exception {
        AtomicInteger requests = new AtomicInteger();
        try (FrameNode node = FrameNode.start((request, connection) -> {
            if (requests.getAndIncrement() > 0) {
                connection.ok(request.stream());
                return;
            }
            sending.send(request.stream(), connection);
        })) {
            serve(node);
            Thread.ofVirtual().start(() -> {
                try {
                    get("/");
                } catch (Exception e) {
                    // It is about what the node is told.
                }
            });
            eventually(() -> resets(node).size() == 1);
            assertThat(resets(node)).allMatch(frame -> frame.error() == code);
            assertThat(get("/").text()).isEqualTo("ok");
            assertThat(node.connections()).hasSize(1);
            assertThat(resets(node)).hasSize(1);
        }
    }

    private static List<RawHttp2.Frame> resets(FrameNode node) {
        return node.frames().stream()
                .filter(frame -> frame.type() == RawHttp2.RST_STREAM)
                .toList();
    }

    static Stream<Arguments> framesThatMeanNothing() {
        return Stream.of(
                ignored(
                        "unknown frames",
                        (stream, node) ->
                                node.send(UNKNOWN, 0xff, 0, new byte[100]).send(UNKNOWN, 0, stream)),
                ignored(
                        "unknown settings",
                        (stream, node) ->
                                node.send(RawHttp2.SETTINGS, 0, 0, joined(setting(0x5555, 1), setting(0xff, 0)))),
                ignored(
                        "flags that mean nothing",
                        (stream, node) -> node.send(RawHttp2.PING, 0xfe, 0, new byte[8])
                                .send(RawHttp2.WINDOW_UPDATE, 0xff, stream, number(1))
                                .send(RawHttp2.SETTINGS, 0xfe, 0)
                                .send(PRIORITY_FRAME, 0xff, stream, octets(0, 0, 0, 0, 1))),
                ignored(
                        "reserved bits",
                        (stream, node) -> node.send(RawHttp2.PING, 0, 1 << 31, new byte[8])
                                .send(RawHttp2.WINDOW_UPDATE, 0, stream | 1 << 31, number(1 | 1L << 31))
                                .send(RawHttp2.SETTINGS, 0, 1 << 31)),
                ignored("an answer to no PING", (stream, node) -> node.send(RawHttp2.PING, ACK, 0, new byte[8])),
                ignored(
                        "PRIORITY of other streams",
                        (stream, node) -> node.send(PRIORITY_FRAME, 0, 301, octets(0, 0, 0, 0, 1))),
                ignored("room on a stream that is over", (stream, node) -> {
                    if (stream > 3) {
                        node.send(RawHttp2.WINDOW_UPDATE, 0, 3, number(1));
                        node.reset(3, 0x5555);
                    }
                }));
    }

    private static Arguments ignored(String what, Sending sending) {
        return Arguments.argumentSet(what, sending);
    }

    @ParameterizedTest
    @MethodSource("framesThatMeanNothing")
    void frameThatMeansNothingIsIgnored(Sending sending) throws Exception {
        try (FrameNode node = FrameNode.start((request, connection) -> {
            sending.send(request.stream(), connection);
            connection.send(RawHttp2.HEADERS, 0xc0 | END_HEADERS | PADDED, request.stream(), octets(2, 0x88, 0, 0));
            connection.send(
                    RawHttp2.DATA, 0xf0 | END_STREAM | PADDED, request.stream() | 1 << 31, octets(1, 'o', 'k', 0));
        })) {
            serve(node);
            for (int i = 0; i < 3; i++) {
                assertThat(get("/").text()).isEqualTo("ok");
            }
            assertThat(node.connections()).hasSize(1);
            assertThat(node.frames())
                    .noneMatch(frame -> frame.type() == RawHttp2.GOAWAY || frame.type() == RawHttp2.RST_STREAM);
        }
    }

    @Test
    void pingIsAnsweredWithItsOctetsAndItsAnswerIsNot() throws Exception {
        byte[] octets = "pingpong".getBytes(StandardCharsets.US_ASCII);
        try (FrameNode node = FrameNode.start((request, connection) -> {
            connection.send(RawHttp2.PING, 0, 0, octets).send(RawHttp2.PING, ACK, 0, new byte[8]);
            connection.ok(request.stream());
        })) {
            serve(node);
            assertThat(get("/").text()).isEqualTo("ok");
            assertThat(get("/").text()).isEqualTo("ok");
            assertThat(node.frames().stream().filter(frame -> frame.type() == RawHttp2.PING))
                    .allSatisfy(frame -> {
                        assertThat(frame.flags()).isEqualTo(ACK);
                        assertThat(frame.payload()).isEqualTo(octets);
                    })
                    .isNotEmpty();
        }
    }

    /** The preface of a node is its SETTINGS. */
    @ParameterizedTest
    @ValueSource(ints = {RawHttp2.HEADERS, RawHttp2.PING, RawHttp2.SETTINGS, RawHttp2.WINDOW_UPDATE, UNKNOWN})
    void connectionThatBeginsWithAnythingElseThanSettingsIsNone(int type) throws Exception {
        try (FrameNode node = FrameNode.startMute((request, connection) -> {
            byte[] payload = switch (type) {
                case RawHttp2.HEADERS -> octets(0x88);
                case RawHttp2.PING -> new byte[8];
                case RawHttp2.WINDOW_UPDATE -> number(1);
                default -> new byte[0];
            };
            int flags = type == RawHttp2.SETTINGS ? ACK : type == RawHttp2.HEADERS ? END_HEADERS | END_STREAM : 0;
            connection.send(type, flags, type == RawHttp2.HEADERS ? request.stream() : 0, payload);
            connection.readBody(Integer.MAX_VALUE);
        })) {
            serve(node);
            assertThat(get("/").status()).isEqualTo(502);
            eventually(() -> node.ended() == 1);
            assertThat(node.frames().stream().filter(frame -> frame.type() == RawHttp2.GOAWAY))
                    .allMatch(frame -> frame.error() == PROTOCOL_ERROR);
        }
    }

    @Test
    void pushBeforeTheAcknowledgementIsAnErrorToo() throws Exception {
        try (FrameNode node = FrameNode.startMute((request, connection) -> {
            connection.send(RawHttp2.SETTINGS, 0, 0);
            connection.send(PUSH_PROMISE, END_HEADERS, request.stream(), joined(number(2), RawHttp2.head()));
            connection.readBody(Integer.MAX_VALUE);
        })) {
            serve(node);
            assertThat(get("/").status()).isEqualTo(502);
            eventually(() -> node.ended() == 1);
            assertThat(node.frames())
                    .anyMatch(frame -> frame.type() == RawHttp2.GOAWAY && frame.error() == PROTOCOL_ERROR);
        }
    }

    @Test
    void unknownErrorCodesMeanNothingSpecial() throws Exception {
        try (FrameNode node = FrameNode.start((request, connection) -> {
            if (request.path().equals("/reset")) {
                connection.reset(request.stream(), 0x5555);
            } else {
                connection.goAway(request.stream(), 0x5555).ok(request.stream());
            }
        })) {
            serve(node);
            assertThat(exchange("POST /reset HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
                            .status())
                    .isEqualTo(502);
            assertThat(get("/").text()).isEqualTo("ok");
            assertThat(get("/").text()).isEqualTo("ok");
            assertThat(node.connections()).hasSize(2);
        }
    }

    // --- What leaves

    @Test
    void prefaceOfTheGatewayForbidsPush() throws Exception {
        try (FrameNode node = FrameNode.start((request, connection) -> connection.ok(request.stream()))) {
            serve(node);
            for (int i = 0; i < 3; i++) {
                assertThat(get("/").text()).isEqualTo("ok");
            }
            RawHttp2.Frame first = node.frames().getFirst();
            assertThat(first.type()).isEqualTo(RawHttp2.SETTINGS);
            assertThat(first.flags()).isZero();
            assertThat(first.payload()).containsSequence(0, 2, 0, 0, 0, 0);
            assertThat(node.frames().stream()
                            .filter(frame -> frame.type() == RawHttp2.SETTINGS && frame.flags() == ACK))
                    .hasSize(1);
            assertThat(node.heads())
                    .extracting(FrameNode.Head::stream)
                    .isSorted()
                    .allMatch(stream -> stream % 2 == 1);
        }
    }

    @Test
    void framesToANodeAreNoLargerThanItAllows() throws Exception {
        try (FrameNode node = FrameNode.start((request, connection) -> {
            connection.send(RawHttp2.WINDOW_UPDATE, 0, 0, number(1 << 20));
            connection.send(RawHttp2.WINDOW_UPDATE, 0, request.stream(), number(1 << 20));
            connection.readBody(request.stream());
            connection.ok(request.stream());
        })) {
            serve(node);
            StringBuilder head = new StringBuilder("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n");
            for (int i = 0; i < 6; i++) {
                head.append("X-").append(i).append(": ").repeat("~", 4_000).append("\r\n");
            }
            assertThat(exchange(head + "\r\n" + "x".repeat(100_000)).text()).isEqualTo("ok");
            assertThat(node.heads().getFirst().fields()).contains("x-5: " + "~".repeat(4_000));
            assertThat(node.frames())
                    .anyMatch(frame -> frame.type() == RawHttp2.CONTINUATION)
                    .allSatisfy(frame -> {
                        assertThat(frame.payload().length).isLessThanOrEqualTo(16_384);
                        int known = switch (frame.type()) {
                            case RawHttp2.HEADERS -> END_HEADERS | END_STREAM;
                            case RawHttp2.CONTINUATION -> END_HEADERS;
                            case RawHttp2.DATA -> END_STREAM;
                            case RawHttp2.SETTINGS, RawHttp2.PING -> ACK;
                            default -> 0;
                        };
                        assertThat(frame.flags() & ~known).isZero();
                    });
        }
    }

    @Test
    void namesLeaveInLowerCase() throws Exception {
        try (FrameNode node = FrameNode.start((request, connection) -> connection.ok(request.stream()))) {
            serve(node);
            exchange("GET / HTTP/1.1\r\nHost: a\r\nX-Mixed-CASE: Value\r\nCookie: a=b\r\n\r\n");
            assertThat(node.heads().getFirst().fields())
                    .contains("x-mixed-case: Value", "cookie: a=b")
                    .allMatch(field -> field.substring(0, field.indexOf(':', 1))
                            .equals(field.substring(0, field.indexOf(':', 1)).toLowerCase(Locale.ROOT)));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET http://a.example.com/x?y HTTP/1.1, a.example.com, /x?y",
        "GET http://a.example.com HTTP/1.1, a.example.com, /",
        "GET /x HTTP/1.1, b.example.com, /x",
        "OPTIONS * HTTP/1.1, b.example.com, *",
        "OPTIONS http://a.example.com HTTP/1.1, a.example.com, *"
    })
    void authorityOfARequestIsThatOfItsTarget(String line, String authority, String path) throws Exception {
        try (FrameNode node = FrameNode.start((request, connection) -> connection.ok(request.stream()))) {
            serve(node);
            exchange(line + "\r\nHost: b.example.com\r\n\r\n");
            assertThat(node.heads().getFirst().fields())
                    .contains(":authority: " + authority, ":path: " + path)
                    .noneMatch(field -> field.startsWith("host:"));
        }
    }

    /** RFC 7541 §4.2: the smallest size that was allowed between two heads is said in the second one. */
    @Test
    void tableThatANodeMakesSmallerIsEmptiedAndSaidToBe() throws Exception {
        try (FrameNode node = FrameNode.start((request, connection) -> {
            connection.send(RawHttp2.SETTINGS, 0, 0, setting(1, 0)).send(RawHttp2.SETTINGS, 0, 0, setting(1, 200));
            connection.ok(request.stream());
        })) {
            serve(node);
            for (int i = 0; i < 2; i++) {
                assertThat(exchange("GET / HTTP/1.1\r\nHost: a\r\nX-Sum: 42\r\n\r\n")
                                .text())
                        .isEqualTo("ok");
            }
            List<RawHttp2.Frame> heads = node.frames().stream()
                    .filter(frame -> frame.type() == RawHttp2.HEADERS)
                    .toList();
            assertThat(heads.getLast().payload()).startsWith(0x20, 0x3f, 0xa9, 0x01);
            assertThat(node.heads().getLast().fields()).contains("x-sum: 42");
        }
    }

    @Test
    void headOfACancelledStreamIsDecompressed() throws Exception {
        byte[] indexed = octets(0x88, 0x40, 0x05, 'x', '-', 's', 'u', 'm', 0x02, '4', '2');
        try (FrameNode node = FrameNode.start((request, connection) -> {
            if (request.path().equals("/slow")) {
                connection.readBody(request.stream());
                while (connection.next().type() != RawHttp2.RST_STREAM) {
                    // It is told that nobody waits.
                }
                connection.send(RawHttp2.HEADERS, END_HEADERS | END_STREAM, request.stream(), indexed);
            } else {
                connection.send(RawHttp2.HEADERS, END_HEADERS | END_STREAM, request.stream(), octets(0x88, 0xbe));
            }
        })) {
            serve(node);
            try (RawClient client = RawClient.connect(port())) {
                client.send("POST /slow HTTP/1.1\r\nHost: a\r\nContent-Type: application/grpc\r\n"
                        + "Content-Length: 1\r\n\r\nx");
                eventually(() -> node.heads().size() == 1);
                client.reset();
            }
            eventually(() -> resets(node).size() == 1);
            assertThat(get("/").field("x-sum")).isEqualTo("42");
            assertThat(node.connections()).hasSize(1);
        }
    }

    @Test
    void uploadStaysWithinTheWindowsOfItsNode() throws Exception {
        List<Integer> arrived = new CopyOnWriteArrayList<>();
        try (FrameNode node = FrameNode.start((request, connection) -> {
            int stream = request.stream();
            connection.send(RawHttp2.WINDOW_UPDATE, 0, 0, number(1 << 20));
            arrived.add(taken(connection));
            // Minus 100.
            connection.send(RawHttp2.SETTINGS, 0, 0, setting(4, 65_435));
            arrived.add(taken(connection));
            connection.send(RawHttp2.WINDOW_UPDATE, 0, stream, number(100));
            arrived.add(taken(connection));
            connection.send(RawHttp2.SETTINGS, 0, 0, joined(setting(4, 0), setting(4, 65_436)));
            arrived.add(taken(connection));
            connection.send(RawHttp2.WINDOW_UPDATE, 0, stream, number(1_000));
            arrived.add(taken(connection));
            connection.send(RawHttp2.SETTINGS, 0, 0, setting(4, 70_000));
            arrived.add(taken(connection));
            connection.ok(stream);
        })) {
            serve(node);
            assertThat(exchange("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 70000\r\n\r\n" + "x".repeat(70_000))
                            .text())
                    .isEqualTo("ok");
            assertThat(arrived).containsExactly(65_535, 0, 0, 1, 1_000, 3_464);
        }
    }

    /** Returns how many octets of bodies arrive until nothing more does. */
    private static int taken(FrameNode.Connection connection) throws Exception {
        int octets = 0;
        for (int i = 0; i < 3; i++) {
            Thread.sleep(50);
            connection.send(RawHttp2.PING, 0, 0, new byte[8]);
            for (RawHttp2.Frame frame = connection.next(); frame.type() != RawHttp2.PING; frame = connection.next()) {
                octets += frame.type() == RawHttp2.DATA ? frame.payload().length : 0;
            }
        }
        return octets;
    }
}
