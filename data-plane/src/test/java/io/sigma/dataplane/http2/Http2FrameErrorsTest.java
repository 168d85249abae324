package io.sigma.dataplane.http2;

import static io.sigma.dataplane.testkit.RawHttp2.END_HEADERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestNode;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Frames that are connection errors: the connection ends with the code of the error (RFC 9113 §5.4.1). */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class Http2FrameErrorsTest extends Http2ClientFramesContract {

    private static final int COMPRESSION_ERROR = 9;

    private static final int FLOW_CONTROL_ERROR = 3;

    private static final int PADDED = 8;

    private static final int PUSH_PROMISE = 5;

    private static final int STREAMS_MAX = 250;

    private static final int FRAME_SIZE_ERROR = 6;

    @FunctionalInterface
    interface Sending {
        void send(RawHttp2 client) throws Exception;
    }

    private static Arguments error(int code, String what, Sending sending) {
        return Arguments.argumentSet(what, code, sending);
    }

    private static Arguments frame(int code, String what, int type, int flags, int stream, byte... payload) {
        return error(code, what, client -> client.send(type, flags, stream, payload));
    }

    static Stream<Arguments> framesThatEndTheConnection() {
        return Stream.of(idle(), settingsErrors(), priorities(), compression()).flatMap(each -> each);
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

    private static Stream<Arguments> settingsErrors() {
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
}
