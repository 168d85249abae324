package io.sigma.dataplane.http2;

import static io.sigma.dataplane.testkit.GatewayHarness.eventually;
import static io.sigma.dataplane.testkit.RawHttp2.END_HEADERS;
import static io.sigma.dataplane.testkit.RawHttp2.END_STREAM;
import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.FrameNode;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.model.Pool;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The gateway's answers to a node whose frames break RFC 9113. h2spec tests the same of servers. */
final class Http2NodeFramesTest extends NodeFramesContract {

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

    /** Nobody waits for a connection at rest, which is closed at once (RFC 9113 §5.4.1). */
    @Test
    void errorOfAConnectionAtRestIsReported() throws Exception {
        try (FrameNode node = FrameNode.start((request, connection) -> connection.ok(request.stream()))) {
            serve(node);
            assertThat(get("/").text()).isEqualTo("ok");
            node.connections().getFirst().send(RawHttp2.PING, 0, 1, new byte[8]);
            eventually(() -> node.ended() == 1);
            assertThat(node.frames().stream().filter(frame -> frame.type() == RawHttp2.GOAWAY))
                    .isNotEmpty()
                    .allMatch(frame -> frame.error() == PROTOCOL_ERROR);
            assertThat(get("/").text()).isEqualTo("ok");
        }
    }

    /** RFC 9113 §6.8. */
    @Test
    void connectionThatIsClosedBecauseItRestsSaysSo() throws Exception {
        try (FrameNode node = FrameNode.start((request, connection) -> connection.ok(request.stream()))) {
            gateway()
                    .apply(forwarding(node.url())
                            .overHttp2()
                            .pooled(Pool.builder().idleTimeoutMillis(1_000)));
            assertThat(get("/").text()).isEqualTo("ok");
            eventually(() -> node.ended() == 1);
            assertThat(node.frames().getLast().type()).isEqualTo(RawHttp2.GOAWAY);
            assertThat(node.frames().getLast().error()).isZero();
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
                    .isNotEmpty()
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
}
