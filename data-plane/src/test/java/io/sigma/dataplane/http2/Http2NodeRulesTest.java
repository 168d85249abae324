package io.sigma.dataplane.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.FrameNode;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.RawHttp2;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames to and from HTTP/2 nodes. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class Http2NodeRulesTest extends NodeRulesContract {

    /** Stands for a response that did not become complete. */
    private static final int ABORTED = 0;

    @Test
    void headOfARequestDoesNotWaitForTheSettingsOfTheNode() throws Exception {
        try (FrameNode node = FrameNode.startSilent(Http2NodeRulesTest::answerAll)) {
            serve(node);
            assertThat(get("/").text()).isEqualTo("ok");
        }
    }

    @Test
    void requestWithoutABodyIsOneFrame() throws Exception {
        try (FrameNode node = FrameNode.start(Http2NodeRulesTest::answerAll)) {
            serve(node);
            assertThat(get("/a?b").text()).isEqualTo("ok");
            FrameNode.Head head = node.heads().getFirst();
            assertThat(head.end()).isTrue();
            assertThat(head.fields())
                    .startsWith(":method: GET", ":scheme: http", ":authority: shop.example.com", ":path: /a?b");
            assertThat(node.frames()).noneMatch(frame -> frame.type() == RawHttp2.DATA);
        }
    }

    @Test
    void lastOctetsOfABodyEndTheStream() throws Exception {
        try (FrameNode node = FrameNode.start((request, connection) -> {
            connection.readBody(request.stream());
            connection.ok(request.stream());
        })) {
            serve(node);
            assertThat(exchange("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello")
                            .text())
                    .isEqualTo("ok");
            assertThat(exchange(
                                    "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")
                            .text())
                    .isEqualTo("ok");
            List<RawHttp2.Frame> data = node.frames().stream()
                    .filter(frame -> frame.type() == RawHttp2.DATA)
                    .toList();
            assertThat(data).hasSize(2).allSatisfy(frame -> {
                assertThat(frame.payload()).hasSize(5);
                assertThat(frame.flags()).isEqualTo(RawHttp2.END_STREAM);
            });
        }
    }

    @Test
    void noFieldOfAnHttp1ConnectionLeaves() throws Exception {
        try (FrameNode node = FrameNode.start(Http2NodeRulesTest::answerAll)) {
            serve(node);
            exchange(
                    "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, Keep-Alive, X-Own, TE\r\nUpgrade: other/1\r\n"
                            + "Keep-Alive: timeout=5\r\nProxy-Connection: keep-alive\r\nX-Own: 1\r\nTE: trailers, gzip\r\n\r\n");
            FrameNode.Head head = node.heads().getFirst();
            assertThat(head.end()).isTrue();
            assertThat(head.fields())
                    .contains("te: trailers")
                    .noneMatch(field -> field.matches(
                            "(?i)(connection|upgrade|keep-alive|proxy-connection|x-own|transfer-encoding|host):.*"));
        }
    }

    /** As servers of gRPC do that return before they have read all. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void wholeResponseArrivesBeforeTheResetThatFollowsIt(boolean http2) throws Exception {
        try (FrameNode node = FrameNode.start((request, connection) -> {
            connection.head(request.stream(), ":status", "200");
            connection.data(request.stream(), 200_000);
            connection.lastHead(request.stream(), "x-sum", "42").reset(request.stream(), NO_ERROR);
        })) {
            serve(node);
            if (http2) {
                overHttp2();
            } else {
                overHttp1();
            }
        }
    }

    private void overHttp1() throws Exception {
        try (RawClient client = RawClient.connect(port())) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n");
            RawClient.Answer answer = client.read();
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).hasSize(200_000);
            assertThat(answer.trailers()).containsExactly("x-sum: 42");
        }
    }

    private void overHttp2() throws Exception {
        try (RawHttp2 client = RawHttp2.connect(port())) {
            client.send(RawHttp2.WINDOW_UPDATE, 0, 0, new byte[] {0, 16, 0, 0});
            client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, RawHttp2.head());
            client.send(RawHttp2.DATA, 0, 1, (byte) 'a');
            assertThat(client.status(client.next())).isEqualTo("200");
            // Only now is the rest of it wanted, which the gateway holds meanwhile.
            Thread.sleep(300);
            client.send(RawHttp2.WINDOW_UPDATE, 0, 1, new byte[] {0, 16, 0, 0});
            int octets = 0;
            RawHttp2.Frame frame = client.next();
            for (; frame.type() == RawHttp2.DATA; frame = client.next()) {
                octets += frame.payload().length;
            }
            assertThat(octets).isEqualTo(200_000);
            assertThat(client.decoded(frame)).containsExactly("x-sum: 42");
            assertThat(frame.flags() & RawHttp2.END_STREAM).isEqualTo(RawHttp2.END_STREAM);
            assertThat(client.next().error()).isEqualTo(NO_ERROR);
        }
    }

    @Test
    void earlyAnswerToAnUploadArrivesAlthoughItsStreamIsReset() throws Exception {
        try (FrameNode node = FrameNode.start((request, connection) -> connection
                .head(request.stream(), ":status", "413", "content-length", "2")
                .send(RawHttp2.DATA, RawHttp2.END_STREAM, request.stream(), (byte) 'n', (byte) 'o')
                .reset(request.stream(), NO_ERROR))) {
            serve(node);
            try (RawClient client = RawClient.connect(port())) {
                client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10000000\r\n\r\n");
                client.out().write(new byte[500_000]);
                RawClient.Answer answer = client.read();
                assertThat(answer.status()).isEqualTo(413);
                assertThat(answer.text()).isEqualTo("no");
            }
        }
    }

    @Test
    void answerOfANodeThatClosesWithTheUploadUnreadArrives() throws Exception {
        for (int i = 0; i < 40; i++) {
            // Each time a node of its own: a POST on a connection that is just being closed cannot be sent again.
            try (FrameNode node = FrameNode.start((request, connection) -> {
                connection
                        .head(request.stream(), ":status", "413")
                        .send(RawHttp2.DATA, RawHttp2.END_STREAM, request.stream(), (byte) 'n', (byte) 'o');
                connection.close();
            })) {
                serve(node);
                assertThatLargeUploadIsRefusedByTheNode();
            }
        }
    }

    private void assertThatLargeUploadIsRefusedByTheNode() throws IOException {
        try (RawClient client = RawClient.connect(port())) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 8000000\r\n\r\n");
            Thread.ofVirtual().start(() -> {
                try {
                    client.send("x".repeat(8_000_000));
                } catch (IOException e) {
                    // The gateway reads no more of it.
                }
            });
            RawClient.Answer answer = client.read();
            assertThat(answer.status()).isEqualTo(413);
            assertThat(answer.text()).isEqualTo("no");
        }
    }

    static Stream<Arguments> badHeads() {
        return Stream.of(
                bad(
                        "a length and no body",
                        (stream, to) -> to.lastHead(stream, ":status", "200", "content-length", "5")),
                bad("an interim response that ends", (stream, to) -> to.lastHead(stream, ":status", "103")),
                bad(
                        "a body after 100",
                        (stream, to) -> to.head(stream, ":status", "100").send(RawHttp2.DATA, 0, stream, (byte) 'a')),
                bad("a body before the head", (stream, to) -> to.send(RawHttp2.DATA, 0, stream, (byte) 'a')),
                bad("four digits", (stream, to) -> to.head(stream, ":status", "2000")),
                bad("two digits", (stream, to) -> to.head(stream, ":status", "20")),
                bad("below 100", (stream, to) -> to.head(stream, ":status", "099")),
                bad("letters", (stream, to) -> to.head(stream, ":status", "2x0")),
                bad("no status", (stream, to) -> to.head(stream, "a", "b")),
                bad("two of them", (stream, to) -> to.head(stream, ":status", "200", ":status", "200")),
                bad("a status behind a field", (stream, to) -> to.head(stream, "a", "b", ":status", "200")),
                bad("a path", (stream, to) -> to.head(stream, ":status", "200", ":path", "/")),
                bad("101", (stream, to) -> to.head(stream, ":status", "101")),
                bad("an upper-case name", (stream, to) -> to.head(stream, ":status", "200", "Abc", "d")),
                bad("NUL in a value", (stream, to) -> to.head(stream, ":status", "200", "abc", "d\0")),
                bad("connection", (stream, to) -> to.head(stream, ":status", "200", "connection", "close")),
                bad(
                        "transfer-encoding",
                        (stream, to) -> to.head(stream, ":status", "200", "transfer-encoding", "chunked")),
                bad(
                        "two lengths",
                        (stream, to) ->
                                to.head(stream, ":status", "200", "content-length", "1", "content-length", "2")),
                bad(
                        "one length twice",
                        (stream, to) ->
                                to.head(stream, ":status", "200", "content-length", "1", "content-length", "1")),
                bad(
                        "a list of one length",
                        (stream, to) -> to.head(stream, ":status", "200", "content-length", "1, 1")),
                bad("a head that is too long", (stream, to) -> {
                    to.send(RawHttp2.HEADERS, 0, stream, RawHttp2.fields(":status", "200"));
                    for (int i = 0; i < 8; i++) {
                        to.send(9, i == 7 ? RawHttp2.END_HEADERS : 0, stream, RawHttp2.fields("a", "b".repeat(10_000)));
                    }
                }),
                bad("seventeen interim responses", (stream, to) -> {
                    for (int i = 0; i < 17; i++) {
                        to.head(stream, ":status", "102");
                    }
                }));
    }

    @FunctionalInterface
    interface Answering {
        void answer(int stream, FrameNode.Connection connection) throws Exception;
    }

    private static Arguments bad(String name, Answering answering) {
        return Arguments.argumentSet(name, answering);
    }

    @ParameterizedTest
    @MethodSource("badHeads")
    void badHeadIsA502AtOnceAndConcernsNobodyElse(Answering answering) throws Exception {
        try (FrameNode node = FrameNode.start((request, connection) -> {
            if (request.path().equals("/bad")) {
                answering.answer(request.stream(), connection);
            } else {
                connection.ok(request.stream());
            }
        })) {
            serve(node, 8);
            long begun = System.nanoTime();
            assertThat(get("/bad").status()).isEqualTo(502);
            assertThat(System.nanoTime() - begun).isLessThan(5_000_000_000L);
            assertThat(get("/good").text()).isEqualTo("ok");
            assertThat(node.connections().size()).isLessThanOrEqualTo(2);
        }
    }

    @ParameterizedTest
    @CsvSource({"5, 200000", "200001, 200000"})
    void bodyOfAnotherLengthIsNotPassedOnAsComplete(String announced, int sent) throws Exception {
        try (FrameNode node = FrameNode.start((request, connection) -> {
            connection.head(request.stream(), ":status", "200", "content-length", announced);
            connection.data(request.stream(), sent);
            connection.send(RawHttp2.DATA, RawHttp2.END_STREAM, request.stream());
        })) {
            serve(node);
            // Where nothing was passed on before it was seen, the client gets an answer of the gateway's own.
            assertThat(statusOrAbort()).isIn(502, ABORTED);
        }
    }

    private int statusOrAbort() throws Exception {
        try {
            return get("/").status();
        } catch (IOException e) {
            return ABORTED;
        }
    }

    @Test
    void answerToHeadAnnouncesTheLengthThatGetWouldHave() throws Exception {
        try (FrameNode node = FrameNode.start((request, connection) ->
                connection.lastHead(request.stream(), ":status", "200", "content-length", "5"))) {
            serve(node);
            RawClient.Answer answer = exchange("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.field("content-length")).isEqualTo("5");
        }
    }
}
