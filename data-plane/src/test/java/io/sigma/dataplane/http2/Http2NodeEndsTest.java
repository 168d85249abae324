package io.sigma.dataplane.http2;

import static io.sigma.dataplane.testkit.GatewayHarness.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.FrameNode;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.Pool;
import io.sigma.model.Retry;
import io.sigma.model.Timeouts;
import io.sigma.snapshot.ResourceType;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ends of streams and connections to HTTP/2 nodes, and of their requests. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class Http2NodeEndsTest extends NodeRulesContract {

    private static final int REFUSED_STREAM = 7;
    private static final int CANCEL = 8;

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

    /** A node that is told so in a RST_STREAM has sent some frames by then, and stops. */
    @ParameterizedTest
    @ValueSource(ints = {RawHttp2.HEADERS, RawHttp2.DATA})
    void nodeThatGoesOnWithAStreamThatWasResetLosesItsConnection(int type) throws Exception {
        boolean data = type == RawHttp2.DATA;
        try (FrameNode node = FrameNode.start((request, connection) -> {
            int stream = request.stream();
            // Trailers that do not end the stream.
            connection.head(stream, ":status", "200").head(stream, "x-sum", "42");
            byte[] payload = data ? new byte[] {'b'} : RawHttp2.fields("x-sum", "42");
            Thread.ofVirtual()
                    .start(() -> IntStream.range(0, 100_000).forEach(i -> {
                        try {
                            connection.send(type, data ? 0 : RawHttp2.END_HEADERS, stream, payload);
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
                    // It is not answered whole.
                }
            });
            eventually(() -> node.ended() == 1);
            assertThat(node.frames().stream().filter(frame -> frame.type() == RawHttp2.RST_STREAM))
                    .hasSizeLessThanOrEqualTo(1);
        }
    }

    /** Each frame takes the event loop about as long as one that carries something. */
    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void nodeThatSendsAFloodOfTinyDataLosesItsConnection(int octets) throws Exception {
        try (FrameNode node = FrameNode.start((request, connection) -> {
            connection.head(request.stream(), ":status", "200");
            for (int i = 0; i < 20_000; i++) {
                connection.send(RawHttp2.DATA, 0, request.stream(), new byte[octets]);
            }
            connection.readBody(Integer.MAX_VALUE);
        })) {
            serve(node);
            Thread.ofVirtual().start(() -> {
                try {
                    get("/");
                } catch (Exception e) {
                    // It is not answered whole.
                }
            });
            eventually(() -> node.ended() == 1);
        }
    }

    @Test
    void nodeMaySendTinyDataNowAndThen() throws Exception {
        try (FrameNode node = FrameNode.start((request, connection) -> {
            connection.head(request.stream(), ":status", "200");
            for (int i = 0; i < 1_000; i++) {
                connection.send(RawHttp2.DATA, 0, request.stream(), (byte) 'b');
            }
            connection.send(RawHttp2.DATA, RawHttp2.END_STREAM, request.stream());
        })) {
            serve(node);
            assertThat(get("/").text()).hasSize(1_000);
            assertThat(get("/").text()).hasSize(1_000);
            assertThat(node.connections()).hasSize(1);
        }
    }

    @Test
    void nodeThatSendsManySettingsAgainAndAgainLosesItsConnection() throws Exception {
        try (FrameNode node = FrameNode.start((request, connection) -> {
            for (int i = 0; i < 4; i++) {
                connection.send(RawHttp2.SETTINGS, 0, 0, RawHttp2.manySettings());
            }
            connection.readBody(Integer.MAX_VALUE);
        })) {
            serve(node);
            assertThat(get("/").status()).isEqualTo(502);
            eventually(() -> node.ended() == 1);
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
