package io.sigma.dataplane.http2;

import static io.sigma.dataplane.testkit.GatewayHarness.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.FrameNode;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestSettings;
import io.sigma.model.Pool;
import io.sigma.model.Retry;
import io.sigma.model.Timeouts;
import io.sigma.snapshot.ResourceType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What nodes that speak HTTP/2 are sent, and what becomes of what they send, frame by frame. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class Http2NodeRulesTest extends EngineContract {

    /** Stands for a response that did not become complete. */
    private static final int ABORTED = 0;

    private static final int NO_ERROR = 0;
    private static final int REFUSED_STREAM = 7;
    private static final int CANCEL = 8;

    /** One event loop, so that a connection is the only one. */
    @Override
    protected GatewaySettings settings(Path dataDir) {
        return TestSettings.of(dataDir).loops(1).build();
    }

    private void serve(FrameNode node) {
        serve(node, 1);
    }

    private void serve(FrameNode node, int connectionsMax) {
        serve(node, Pool.builder().connectionsMax(connectionsMax).build());
    }

    private void serve(FrameNode node, Pool pool) {
        gateway()
                .apply(forwarding(node.url())
                        .overHttp2()
                        .with(
                                ResourceType.UPSTREAM,
                                "nodes",
                                upstream -> upstream.toBuilder().pool(pool).build())
                        .patient("pass"));
    }

    private static void answerAll(FrameNode.Head request, FrameNode.Connection connection) throws Exception {
        connection.ok(request.stream());
    }

    // --- What leaves

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

    // --- What arrives

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

    // --- Ends of streams and connections

    @Test
    void requestBeyondTheLastStreamOfGoAwayIsSentAgain() throws Exception {
        AtomicInteger requests = new AtomicInteger();
        try (FrameNode node = FrameNode.start((request, connection) -> {
            if (requests.getAndIncrement() == 0) {
                connection.goAway(0, NO_ERROR);
            } else {
                connection.ok(request.stream());
            }
        })) {
            serve(node);
            assertThat(exchange("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello")
                            .text())
                    .isEqualTo("ok");
            assertThat(node.connections()).hasSize(2);
        }
    }

    @Test
    void requestUpToTheLastStreamOfGoAwayIsAnsweredAndNoOtherIsSent() throws Exception {
        try (FrameNode node = FrameNode.start((request, connection) -> {
            connection.goAway(request.stream(), NO_ERROR);
            Thread.sleep(200);
            connection.ok(request.stream());
        })) {
            serve(node);
            assertThat(get("/").text()).isEqualTo("ok");
            assertThat(get("/").text()).isEqualTo("ok");
            assertThat(node.connections()).hasSize(2);
        }
    }

    @Test
    void refusedUploadIsSentAgain() throws Exception {
        AtomicInteger requests = new AtomicInteger();
        try (FrameNode node = FrameNode.start((request, connection) -> {
            if (requests.getAndIncrement() < 2) {
                connection.reset(request.stream(), REFUSED_STREAM);
            } else {
                connection.readBody(request.stream());
                connection.ok(request.stream());
            }
        })) {
            serve(node);
            assertThat(exchange("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello")
                            .text())
                    .isEqualTo("ok");
            assertThat(node.connections()).hasSize(1);
        }
    }

    /** NO_ERROR, INTERNAL_ERROR, CANCEL, ENHANCE_YOUR_CALM, HTTP_1_1_REQUIRED: the node has seen the request. */
    @ParameterizedTest
    @ValueSource(ints = {0, 2, 8, 11, 13})
    void requestWhoseStreamIsResetIsSentAgainByRulesOfRetriesAlone(int code) throws Exception {
        try (FrameNode node = FrameNode.start((request, connection) -> {
            if (request.path().equals("/first")) {
                connection.ok(request.stream());
            } else {
                connection.reset(request.stream(), code);
            }
        })) {
            gateway()
                    .apply(forwarding(node.url())
                            .overHttp2()
                            .with(
                                    ResourceType.PROXY_PASS,
                                    "pass",
                                    pass -> pass.toBuilder()
                                            .retry(Retry.builder()
                                                    .attemptsMax(1)
                                                    .build())
                                            .build()));
            // The connection is used before: one that closes meanwhile would be a reason to send it again.
            assertThat(exchange("GET /first HTTP/1.1\r\nHost: a\r\n\r\n").status())
                    .isEqualTo(200);
            for (String method : List.of("GET", "PUT", "DELETE", "POST")) {
                int before = node.heads().size();
                assertThat(exchange(method + " / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
                                .status())
                        .isEqualTo(502);
                assertThat(node.heads()).as(method).hasSize(before + 1);
            }
        }
    }

    @Test
    void requestThatNobodyWaitsForIsNotResetAndKeepsItsPlace() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        try (FrameNode node = FrameNode.start((request, connection) -> {
            if (request.path().equals("/slow")) {
                answer.await(20, TimeUnit.SECONDS);
            }
            connection.ok(request.stream());
        })) {
            serve(node, Pool.builder().connectionsMax(1).streamsMax(1).build());
            try (RawClient client = RawClient.connect(port())) {
                client.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
                eventually(() -> node.heads().size() == 1);
            }
            try (RawClient next = RawClient.connect(port())) {
                next.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                TimeUnit.MILLISECONDS.sleep(200);
                assertThat(node.heads()).hasSize(1);
                answer.countDown();
                assertThat(next.read().status()).isEqualTo(200);
            }
            assertThat(node.connections()).hasSize(1);
            assertThat(resets(node)).isEmpty();
        }
    }

    @Test
    void nodeThatDoesNotAnswerIsToldThatNobodyWaitsAndServersOfGrpcAtOnce() throws Exception {
        try (FrameNode node = FrameNode.start((request, connection) -> {})) {
            serve(node);
            for (String type : List.of("text/plain", "application/grpc")) {
                int before = node.heads().size();
                try (RawClient client = RawClient.connect(port())) {
                    client.send(
                            "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: " + type + "\r\nContent-Length: 0\r\n\r\n");
                    eventually(() -> node.heads().size() == before + 1);
                    client.reset();
                }
            }
            eventually(() -> resets(node).size() == 2);
            int plain = node.heads().getFirst().stream();
            int grpc = node.heads().getLast().stream();
            assertThat(resets(node)).extracting(RawHttp2.Frame::stream).containsExactly(grpc, plain);
            assertThat(resets(node)).allMatch(frame -> frame.error() == CANCEL);
        }
    }

    /** Many servers end a connection on which 200 streams were reset. */
    @Test
    void connectionIsLeftBeforeItsNodeHasSeenTooManyResets() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        try (FrameNode node = FrameNode.start((request, connection) -> {
            if (request.path().equals("/long")) {
                Thread.ofVirtual().start(() -> okAfter(answer, connection, request.stream()));
            } else if (request.path().equals("/")) {
                connection.ok(request.stream());
            }
        })) {
            serve(node, 2);
            try (RawClient other = RawClient.connect(port())) {
                other.send("GET /long HTTP/1.1\r\nHost: a\r\n\r\n");
                eventually(() -> node.heads().size() == 1);
                for (int i = 0; i < 120; i++) {
                    int before = node.heads().size();
                    try (RawClient client = RawClient.connect(port())) {
                        client.send("POST /upload HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n");
                        eventually(() -> node.heads().size() == before + 1);
                    }
                }
                eventually(() -> resets(node).size() == 120);
                assertThat(node.connections()).hasSize(2);
                assertThat(get("/").text()).isEqualTo("ok");
                answer.countDown();
                assertThat(other.read().text()).isEqualTo("ok");
            }
        }
    }

    private static void okAfter(CountDownLatch answer, FrameNode.Connection connection, int stream) {
        try {
            answer.await(20, TimeUnit.SECONDS);
            connection.ok(stream);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<RawHttp2.Frame> resets(FrameNode node) {
        return node.frames().stream()
                .filter(frame -> frame.type() == RawHttp2.RST_STREAM)
                .toList();
    }

    @Test
    void framesThatAreUnderWayOfACancelledStreamAreNoError() throws Exception {
        try (FrameNode node = FrameNode.start((request, connection) -> {
            if (!request.path().equals("/slow")) {
                connection.ok(request.stream());
                return;
            }
            connection.head(request.stream(), ":status", "200").data(request.stream(), 10);
            RawHttp2.Frame frame = connection.next();
            while (frame.type() != RawHttp2.RST_STREAM) {
                frame = connection.next();
            }
            for (int i = 0; i < 300; i++) {
                connection.send(RawHttp2.DATA, 0, request.stream(), new byte[10]);
            }
            connection.lastHead(request.stream(), "x-sum", "42");
        })) {
            serve(node);
            try (RawClient client = RawClient.connect(port())) {
                client.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(client.in().read()).isEqualTo('H');
                client.reset();
            }
            eventually(() -> node.frames().stream().anyMatch(frame -> frame.type() == RawHttp2.RST_STREAM));
            for (int i = 0; i < 5; i++) {
                assertThat(get("/").text()).isEqualTo("ok");
            }
            assertThat(node.connections()).hasSize(1);
            assertThat(node.frames().stream().filter(frame -> frame.type() == RawHttp2.RST_STREAM))
                    .hasSize(1)
                    .allMatch(frame -> frame.error() == CANCEL);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {RawHttp2.SETTINGS, RawHttp2.PING, RawHttp2.RST_STREAM, RawHttp2.CONTINUATION, RawHttp2.DATA})
    void floodOfFramesThatCarryNothingEndsTheConnection(int type) throws Exception {
        try (FrameNode node = FrameNode.start((request, connection) -> {
            if (type == RawHttp2.CONTINUATION) {
                connection.send(RawHttp2.HEADERS, 0, request.stream(), RawHttp2.fields(":status", "200"));
            } else if (type == RawHttp2.DATA) {
                connection.head(request.stream(), ":status", "200");
            } else if (type == RawHttp2.RST_STREAM) {
                connection.reset(request.stream(), CANCEL);
            }
            int stream = type == RawHttp2.SETTINGS || type == RawHttp2.PING ? 0 : request.stream();
            byte[] payload = new byte[type == RawHttp2.PING ? 8 : type == RawHttp2.RST_STREAM ? 4 : 0];
            Thread.ofVirtual()
                    .start(() -> IntStream.range(0, 100_000).forEach(i -> {
                        try {
                            connection.send(type, 0, stream, payload);
                        } catch (Exception e) {
                            // The connection has ended.
                        }
                    }));
            connection.readBody(Integer.MAX_VALUE);
        })) {
            serve(node);
            Thread.ofVirtual().start(() -> {
                try {
                    get("/");
                } catch (Exception e) {
                    // It is not answered.
                }
            });
            eventually(() -> node.ended() == 1);
            // The connection is closed with most of it unread, so the GOAWAY may be lost.
            assertThat(node.frames().stream().filter(frame -> frame.type() == RawHttp2.GOAWAY))
                    .allMatch(frame -> frame.error() == RawHttp2.ENHANCE_YOUR_CALM);
        }
    }

    @Test
    void connectionOfANodeThatSaysNothingIsNotUsedAgain() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        try (TestNode node = TestNode.startHeadsOnly((request, connection) -> done.await(20, TimeUnit.SECONDS))) {
            gateway()
                    .apply(forwarding(node.url())
                            .overHttp2()
                            .with(
                                    ResourceType.PROXY_PASS,
                                    "pass",
                                    pass -> pass.toBuilder()
                                            .timeouts(Timeouts.builder()
                                                    .responseMillis(300)
                                                    .build())
                                            .build()));
            assertThat(get("/").status()).isEqualTo(504);
            assertThat(get("/").status()).isEqualTo(504);
            assertThat(node.accepted()).isEqualTo(2);
            done.countDown();
        }
    }

    @Test
    void nodeThatSpeaksHttp1IsA502() throws Exception {
        try (TestNode node = TestNode.startHeadsOnly(
                (request, connection) -> connection.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"))) {
            gateway().apply(forwarding(node.url()).overHttp2().patient("pass"));
            assertThat(get("/").status()).isEqualTo(502);
        }
    }
}
