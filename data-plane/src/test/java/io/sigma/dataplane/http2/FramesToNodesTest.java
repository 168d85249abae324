package io.sigma.dataplane.http2;

import static io.sigma.dataplane.testkit.RawHttp2.END_HEADERS;
import static io.sigma.dataplane.testkit.RawHttp2.END_STREAM;
import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.FrameNode;
import io.sigma.dataplane.testkit.RawHttp2;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Frames that the gateway sends to nodes on HTTP/2. */
final class FramesToNodesTest extends NodeFramesContract {

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
