package io.sigma.dataplane.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.FixedResponse;
import io.sigma.model.Pool;
import io.sigma.model.ProxyPass;
import io.sigma.model.ServerLimits;
import io.sigma.snapshot.ResourceType;
import java.io.IOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that take their time, by accident or on purpose. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class SlowRequestTest extends EngineContract {

    private static final int HEAD_MILLIS = 400;
    private static final int PERIOD_MILLIS = 400;
    private static final int IDLE_MILLIS = 1_500;
    private static final int DRIP_MILLIS = 50;
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    private Config impatient(String node) {
        return forwarding(node)
                .with(
                        ResourceType.PROXY_SERVER,
                        "web",
                        server -> server.toBuilder()
                                .limits(ServerLimits.builder()
                                        .headTimeoutMillis(HEAD_MILLIS)
                                        .bodyBytesPerSecondMin(1_000)
                                        .bodyRatePeriodMillis(PERIOD_MILLIS)
                                        .idleTimeoutMillis(IDLE_MILLIS)
                                        .build())
                                .build());
    }

    /** Sends {@code piece} again and again until the gateway says something, but not for ever. */
    private static void drip(RawClient client, String piece) throws IOException {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        client.socket().setSoTimeout(DRIP_MILLIS);
        client.in().mark(1);
        while (System.nanoTime() < deadline) {
            try {
                client.send(piece);
                int first = client.in().read();
                client.in().reset();
                assertThat(first).isEqualTo('H');
                client.socket().setSoTimeout(15_000);
                return;
            } catch (java.net.SocketTimeoutException e) {
                // The client keeps sending until the gateway answers, so it tries again.
            }
        }
        throw new AssertionError("no answer");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void headOnHttp2ThatDripsEndsTheConnection(boolean inFrames) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(impatient(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port());
                    RawHttp2 other = RawHttp2.connect(port())) {
                byte[] head = RawHttp2.head();
                if (inFrames) {
                    client.send(RawHttp2.HEADERS, 0, 1, head);
                } else {
                    // Says that 16,384 octets follow.
                    client.sendRaw(0, 0x40, 0, RawHttp2.HEADERS, RawHttp2.END_HEADERS, 0, 0, 0, 1);
                }
                Thread dripping = Thread.startVirtualThread(() -> {
                    try {
                        while (!Thread.currentThread().isInterrupted()) {
                            if (inFrames) {
                                client.send(RawHttp2.CONTINUATION, 0, 1, RawHttp2.fields("a", "b"));
                            } else {
                                client.sendRaw(0);
                            }
                            Thread.sleep(DRIP_MILLIS);
                        }
                    } catch (IOException | InterruptedException e) {
                        // The gateway ends the connection of a slow client, so writing must fail at some time.
                    }
                });
                // A client that still sends may hear of the end by a reset only.
                assertThat(client.goAway()).isIn(RawHttp2.ENHANCE_YOUR_CALM, -1);
                dripping.interrupt();
                dripping.join();
                // A head in time leaves no time running.
                other.send(RawHttp2.HEADERS, 0, 1, head);
                other.send(RawHttp2.CONTINUATION, RawHttp2.END_HEADERS, 1, RawHttp2.fields("content-length", "0"));
                assertThat(other.status(other.next())).isEqualTo("200");
                Thread.sleep(2L * HEAD_MILLIS);
                other.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS | RawHttp2.END_STREAM, 3, head);
                RawHttp2.Frame next = other.next();
                while (next.type() != RawHttp2.HEADERS) {
                    assertThat(next.type()).isNotEqualTo(RawHttp2.GOAWAY);
                    next = other.next();
                }
                assertThat(other.status(next)).isEqualTo("200");
            }
        }
    }

    @Test
    void frameOnHttp2ThatComesSteadilyIsWaitedFor() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(impatient(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, RawHttp2.head("content-length", "12000"));
                client.sendRaw(0, 12_000 >> 8, 12_000 & 0xff, RawHttp2.DATA, RawHttp2.END_STREAM, 0, 0, 0, 1);
                for (int i = 0; i < 30; i++) {
                    client.sendRaw(new int[400]);
                    Thread.sleep(DRIP_MILLIS);
                }
                assertThat(client.status(client.next())).isEqualTo("200");
            }
        }
    }

    @Test
    void headThatDripsIsAnswered408() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(impatient(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send("GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ");
                drip(client, "a");
                RawClient.Answer answer = client.read();
                assertThat(answer.status()).isEqualTo(408);
                assertThat(answer.field("connection")).isEqualTo("close");
                assertThat(answer.body()).isNotEmpty();
                assertThat(client.isClosedByPeer()).isTrue();
            }
            assertThat(node.accepted()).isZero();
        }
    }

    @Test
    void requestOfWhichNotEvenTheProtocolIsKnownIsAnswered408() throws Exception {
        gateway().apply(impatient("http://127.0.0.1:1"));
        try (RawClient client = RawClient.connect(port())) {
            client.send("P");
            RawClient.Answer answer = client.read();
            assertThat(answer.status()).isEqualTo(408);
            assertThat(answer.field("date")).matches("\\w{3}, \\d{2} \\w{3} \\d{4} [\\d:]{8} GMT");
            assertThat(answer.field("connection")).isEqualToIgnoringCase("close");
            assertThat(client.isClosedByPeer()).isTrue();
        }
    }

    @Test
    void nextHeadOnAConnectionMayNotDripEither() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(impatient(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send(GET);
                assertThat(client.read().text()).isEqualTo("ok");
                client.send("GET / HTTP/1.1\r\n");
                drip(client, "X-Slow: 1\r\n");
                assertThat(client.read().status()).isEqualTo(408);
                assertThat(client.isClosedByPeer()).isTrue();
            }
            assertThat(node.received()).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 100", "Content-Length: 100000", "Transfer-Encoding: chunked"})
    void bodyBelowItsRateIsAnswered408(String framing) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(impatient(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send("POST / HTTP/1.1\r\nHost: a\r\n" + framing + "\r\n\r\n");
                drip(client, framing.startsWith("T") ? "1\r\na\r\n" : "a");
                assertThat(client.read().status()).isEqualTo(408);
                assertThat(client.isClosedByPeer()).isTrue();
            }
            GatewayHarness.eventually(() -> node.openNow() == 0);
            assertThat(node.received()).isEmpty();
        }
    }

    /** A pause that is longer than {@code BodyRate} allows where others need the connection to the node. */
    private static void pause() throws InterruptedException {
        Thread.sleep(6_000);
    }

    private Config withConnections(String node, int connectionsMax) {
        return forwarding(node).pooled(Pool.builder().connectionsMax(connectionsMax));
    }

    @Test
    void clientMayPauseWithinItsBody() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> connection.ok(request.text()))) {
            gateway().apply(withConnections(node.url(), 4));
            try (RawClient held = RawClient.connect(port());
                    RawClient streamed = RawClient.connect(port());
                    RawClient large = RawClient.connect(port())) {
                String start = "POST / HTTP/1.1\r\nHost: a\r\n";
                held.send(start + "Content-Length: 10\r\n\r\nhello");
                streamed.send(start + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
                large.send(start + "Content-Length: 100000\r\n\r\n" + "a".repeat(70_000));
                pause();
                held.send("world");
                streamed.send("5\r\nworld\r\n0\r\n\r\n");
                large.send("a".repeat(30_000));
                assertThat(held.read().text()).isEqualTo("helloworld");
                assertThat(streamed.read().text()).isEqualTo("helloworld");
                assertThat(large.read().body()).hasSize(100_000);
            }
        }
    }

    @Test
    void connectionsThatClientsMayPauseOnLeaveOthers() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> connection.ok(request.text()))) {
            gateway().apply(withConnections(node.url(), 1));
            try (RawClient slow = RawClient.connect(port());
                    RawClient held = RawClient.connect(port())) {
                slow.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
                held.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhello");
                assertThat(slow.read().status()).isEqualTo(408);
                assertThat(get("/").status()).isEqualTo(200);
                held.send("world");
                assertThat(held.read().text()).isEqualTo("helloworld");
            }
        }
    }

    @Test
    void bodyThatComesAtItsRateMayTakeLong() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> connection.ok(request.text()))) {
            gateway().apply(impatient(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 20000\r\n\r\n");
                client.socket().setSoTimeout(DRIP_MILLIS);
                for (int sent = 0; sent < 20_000; sent += 500) {
                    client.send("a".repeat(500));
                    assertThat(sent + 500 == 20_000 || silent(client)).isTrue();
                }
                client.socket().setSoTimeout(15_000);
                assertThat(client.read().body()).hasSize(20_000);
            }
        }
    }

    /** Returns whether nothing comes for the timeout of the client's socket. */
    private static boolean silent(RawClient client) throws IOException {
        client.in().mark(1);
        try {
            client.in().read();
            client.in().reset();
            return false;
        } catch (java.net.SocketTimeoutException e) {
            return true;
        }
    }

    @Test
    void clientIsNotBlamedForASlowNode() throws Exception {
        String big = "a".repeat(8_000_000);
        CountDownLatch reading = new CountDownLatch(1);
        try (TestNode node = TestNode.startHeadsOnly((request, connection) -> {
            reading.await(2L * PERIOD_MILLIS, TimeUnit.MILLISECONDS);
            assertThat(connection.in().readNBytes(big.length())).hasSize(big.length());
            connection.ok("all");
        })) {
            gateway().apply(impatient(node.url()));
            assertThat(exchange("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + big.length() + "\r\n\r\n" + big)
                            .text())
                    .isEqualTo("all");
        }
    }

    @Test
    void clientThatWaitsForPermissionIsNotSlow() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        try (TestNode node = TestNode.startHeadsOnly((request, connection) -> {
            never.await(2L * PERIOD_MILLIS, TimeUnit.MILLISECONDS);
            connection.send("HTTP/1.1 100 Continue\r\n\r\n");
            connection.ok(new String(connection.in().readNBytes(5), StandardCharsets.US_ASCII));
        })) {
            gateway().apply(impatient(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n");
                assertThat(client.read().status()).isEqualTo(100);
                client.send("hello");
                assertThat(client.read().text()).isEqualTo("hello");
            }
        }
    }

    @Test
    void restOfABodyThatNobodyWantsIsNoHeadThatIsLate() throws Exception {
        gateway()
                .apply(impatient("http://127.0.0.1:" + Config.freePort())
                        .pass(ProxyPass.builder()
                                .id("pass")
                                .fixedResponse(FixedResponse.builder()
                                        .status(401)
                                        .body("no")
                                        .build())
                                .build()));
        try (RawClient client = RawClient.connect(port())) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhello");
            assertThat(client.read().status()).isEqualTo(401);
            client.send("hello");
            client.socket().setSoTimeout(2 * HEAD_MILLIS);
            assertThat(silent(client)).isTrue();
            client.socket().setSoTimeout(15_000);
            client.send(GET);
            assertThat(client.read().status()).isEqualTo(401);
            client.send("GET / HTTP/1.1\r\n");
            assertThat(client.read().status()).isEqualTo(408);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", GET})
    void connectionWithoutARequestIsClosedSilently(String before) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(impatient(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send(before);
                if (!before.isEmpty()) {
                    assertThat(client.read().status()).isEqualTo(200);
                }
                long start = System.nanoTime();
                assertThat(client.isClosedByPeer()).isTrue();
                assertThat(Duration.ofNanos(System.nanoTime() - start))
                        .isGreaterThan(Duration.ofMillis(IDLE_MILLIS / 2));
            } catch (SocketException e) {
                throw new AssertionError("closed in order", e);
            }
        }
    }
}
