package io.sigma.dataplane.http1.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestTls;
import io.sigma.model.ClientTls;
import io.sigma.model.Pool;
import io.sigma.model.ServerLimits;
import io.sigma.snapshot.ResourceType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** The ends and bounds of WebSockets on HTTP/2 streams (RFC 8441). */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class WebSocketStreamEndsTest extends WebSocketStreamsContract {

    private static final long BYTES_TAKEN_MAX = 16L * 1024 * 1024;

    @Test
    void clientThatResetsItsStreamEndsTheWebSocket() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        try (TestNode node = TestNode.start((request, connection) -> {
            switchTo(request, connection);
            if (connection.in().read() < 0) {
                ended.countDown();
            }
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = open()) {
                assertThat(client.status(client.next())).isEqualTo("200");
                client.send(RawHttp2.RST_STREAM, 0, 1, (byte) 0, (byte) 0, (byte) 0, (byte) CANCEL);
                assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
            }
            GatewayHarness.eventually(() -> node.openNow() == 0);
        }
    }

    /** Nothing follows the head of CONNECT but octets (RFC 9113 §8.5). */
    @Test
    void trailersOfAClientAreAStreamErrorAndEndTheWebSocket() throws Exception {
        try (TestNode node = echo()) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = open()) {
                assertThat(client.status(client.next())).isEqualTo("200");
                client.send(
                        RawHttp2.HEADERS,
                        RawHttp2.END_HEADERS | RawHttp2.END_STREAM,
                        1,
                        RawHttp2.fields("x-sum", "42"));
                RawHttp2.Frame frame = client.next();
                assertThat(frame.type()).isEqualTo(RawHttp2.RST_STREAM);
                assertThat(frame.error()).isEqualTo(RawHttp2.PROTOCOL_ERROR);
            }
            GatewayHarness.eventually(() -> node.openNow() == 0);
        }
    }

    @Test
    void endOfTheNodeEndsOneDirectionOfTheStream() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> {
            switchTo(request, connection);
            connection.send("bye");
            connection.socket().shutdownOutput();
            assertThat(connection.in().readAllBytes()).hasSize(4);
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = open()) {
                assertThat(client.status(client.next())).isEqualTo("200");
                assertThat(textToEnd(client)).isEqualTo("bye");
                client.send(RawHttp2.DATA, RawHttp2.END_STREAM, 1, "late".getBytes(StandardCharsets.US_ASCII));
                GatewayHarness.eventually(() -> node.openNow() == 0);
            }
        }
    }

    /** Browsers end their stream with the close frame; the node's close frame must reach them all the same. */
    @Test
    void nodeOnTlsAnswersAClientThatHasEndedItsStream() throws Exception {
        try (TestNode node = TestNode.startTls(TestTls.create("node").context(), (request, connection) -> {
            switchTo(request, connection);
            assertThat(connection.in().read()).isEqualTo('!');
            Thread.sleep(100);
            connection.send("bye");
            connection.socket().close();
        })) {
            gateway().apply(onTls(node));
            try (RawHttp2 client = open()) {
                assertThat(client.status(client.next())).isEqualTo("200");
                client.send(RawHttp2.DATA, RawHttp2.END_STREAM, 1, (byte) '!');
                assertThat(textToEnd(client)).isEqualTo("bye");
            }
            GatewayHarness.eventually(() -> node.openNow() == 0);
        }
    }

    @Test
    void nodeOnTlsThatDoesNotAnswerTheEndOfAStreamIsLeft() throws Exception {
        try (TestNode node = TestNode.startTls(TestTls.create("node").context(), (request, connection) -> {
            switchTo(request, connection);
            connection.in().readAllBytes();
        })) {
            gateway().apply(onTls(node));
            try (RawHttp2 client = open()) {
                assertThat(client.status(client.next())).isEqualTo("200");
                client.send(RawHttp2.DATA, RawHttp2.END_STREAM, 1, (byte) '!');
                assertThat(textToEnd(client)).isEmpty();
            }
            GatewayHarness.eventually(() -> node.openNow() == 0);
        }
    }

    /** RST_STREAM right behind END_STREAM would make a failure of an orderly end. */
    @Test
    void clientHasTimeToEndATunnelThatTheNodeHasEnded() throws Exception {
        try (TestNode node = goodbye()) {
            gateway().apply(onTls(node));
            try (RawHttp2 client = open()) {
                assertThat(client.status(client.next())).isEqualTo("200");
                assertThat(textToEnd(client)).isEqualTo("bye");
                GatewayHarness.eventually(() -> node.openNow() == 0);
                client.send(RawHttp2.DATA, RawHttp2.END_STREAM, 1, new byte[0]);
                client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS | RawHttp2.END_STREAM, 3, RawHttp2.head());
                assertThat(client.next().stream()).isEqualTo(3);
            }
        }
    }

    /** The engine of the JDK ends directions one by one: the client's goes on. */
    @Test
    @DisabledIfSystemProperty(named = "sigma.test.tls", matches = "jdk")
    void tunnelThatTheNodeHasEndedIsNotKeptForAClientThatDoesNotEndIt() throws Exception {
        try (TestNode node = goodbye()) {
            gateway().apply(onTls(node));
            try (RawHttp2 client = open()) {
                assertThat(client.status(client.next())).isEqualTo("200");
                assertThat(textToEnd(client)).isEqualTo("bye");
                long started = System.nanoTime();
                RawHttp2.Frame reset = client.next();
                assertThat(reset.type()).isEqualTo(RawHttp2.RST_STREAM);
                assertThat(reset.payload()[3]).isEqualTo((byte) CANCEL);
                assertThat(System.nanoTime() - started).isGreaterThan(TimeUnit.SECONDS.toNanos(2));
            }
        }
    }

    @Test
    void clientThatOpensNoWindowStopsTheNode() throws Exception {
        AtomicLong taken = new AtomicLong();
        try (TestNode node = TestNode.start((request, connection) -> {
            switchTo(request, connection);
            byte[] block = new byte[64 * 1024];
            while (taken.get() < 4 * BYTES_TAKEN_MAX) {
                connection.out().write(block);
                taken.addAndGet(block.length);
            }
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = open()) {
                assertThat(client.status(client.next())).isEqualTo("200");
                assertThat(GatewayHarness.settled(taken)).isPositive().isLessThan(BYTES_TAKEN_MAX);
            }
        }
    }

    @Test
    void nodeThatDoesNotReadGetsNoMoreThanTheWindowOfTheStream() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        AtomicLong taken = new AtomicLong();
        try (TestNode node = TestNode.start((request, connection) -> {
            switchTo(request, connection);
            done.await(30, TimeUnit.SECONDS);
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = open()) {
                Thread.ofVirtual().start(() -> flood(client, taken));
                assertThat(GatewayHarness.settled(taken)).isPositive().isLessThan(BYTES_TAKEN_MAX);
            }
            done.countDown();
        }
    }

    @Test
    void tunnelsOfStreamsHaveTheBoundOfAllTunnels() throws Exception {
        try (TestNode node = echo()) {
            gateway().apply(forwarding(node.url()).pooled(Pool.builder().tunnelsMax(1)));
            try (RawHttp2 first = open();
                    RawHttp2 second = RawHttp2.connect(port())) {
                assertThat(first.status(first.next())).isEqualTo("200");
                second.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, connect());
                assertThat(second.status(second.next())).isEqualTo("503");
            }
            GatewayHarness.eventually(() -> {
                try (RawHttp2 third = open()) {
                    return third.status(third.next()).equals("200");
                } catch (Exception e) {
                    return false;
                }
            });
        }
    }

    @Test
    void tunnelThatRestsForTooLongEnds() throws Exception {
        try (TestNode node = echo()) {
            gateway()
                    .apply(forwarding(node.url())
                            .with(
                                    ResourceType.PROXY_SERVER,
                                    "web",
                                    server -> server.toBuilder()
                                            .limits(ServerLimits.builder()
                                                    .streamIdleTimeoutMillis(1000)
                                                    .build())
                                            .build()));
            try (RawHttp2 client = open()) {
                assertThat(client.status(client.next())).isEqualTo("200");
                // Others keep the connection busy, not the tunnel.
                for (int stream = 3; stream < 9; stream += 2) {
                    client.send(RawHttp2.PING, 0, 0, new byte[8]);
                    Thread.sleep(300);
                }
                RawHttp2.Frame frame = client.next();
                assertThat(frame.stream()).isLessThanOrEqualTo(1);
            }
            GatewayHarness.eventually(() -> node.openNow() == 0);
        }
    }

    private Config onTls(TestNode node) {
        return forwarding("https://127.0.0.1:" + node.port())
                .nodeTls("nodes", ClientTls.builder().verify(false).build());
    }

    private static TestNode goodbye() {
        return TestNode.startTls(TestTls.create("node").context(), (request, connection) -> {
            switchTo(request, connection);
            connection.send("bye");
            connection.socket().close();
        });
    }

    /** Sends as much as the window of the stream lets pass. */
    private static void flood(RawHttp2 client, AtomicLong taken) {
        try {
            int room = 65_535;
            while (taken.get() < 4 * BYTES_TAKEN_MAX) {
                for (int left = room; left > 0; left -= 16_384) {
                    client.send(RawHttp2.DATA, 0, 1, new byte[Math.min(left, 16_384)]);
                }
                taken.addAndGet(room);
                room = client.nextWindow(1);
            }
        } catch (IOException e) {
            // The test is over.
        }
    }
}
