package io.sigma.dataplane.http2;

import static io.sigma.dataplane.testkit.GatewayHarness.eventually;
import static io.sigma.dataplane.testkit.RawHttp2.END_HEADERS;
import static io.sigma.dataplane.testkit.RawHttp2.END_STREAM;
import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.FrameNode;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.RawHttp2;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Frames of a node that concern one stream, or nobody: the connection goes on. */
final class Http2NodeStreamFramesTest extends NodeFramesContract {

    private static final int CANCEL = 8;

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

    /** RFC 9113 §5.4.2: data that waited for the window is dropped in silence. */
    @Test
    void uploadThatIsResetWhileItsDataWaitsForTheWindowGetsNoReset() throws Exception {
        try (FrameNode node = FrameNode.start((request, connection) -> {
            if (request.path().equals("/upload")) {
                for (int octets = 0; octets < 65_535; ) {
                    RawHttp2.Frame frame = connection.next();
                    octets += frame.type() == RawHttp2.DATA ? frame.payload().length : 0;
                }
                connection.send(RawHttp2.PING, 0, 0, new byte[8]);
                while (connection.next().type() != RawHttp2.PING) {
                    // The gateway has given its connection what it has by then.
                }
                connection.reset(request.stream(), CANCEL);
                connection.send(RawHttp2.WINDOW_UPDATE, 0, 0, octets(0, 16, 0, 0));
            } else {
                connection.ok(request.stream());
            }
        })) {
            serve(node);
            assertThat(exchange("POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 150000\r\n\r\n"
                                    + "x".repeat(150_000))
                            .status())
                    .isEqualTo(502);
            assertThat(get("/").text()).isEqualTo("ok");
            assertThat(node.connections()).hasSize(1);
            assertThat(resets(node)).isEmpty();
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
}
