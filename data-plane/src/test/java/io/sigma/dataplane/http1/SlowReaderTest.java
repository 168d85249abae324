package io.sigma.dataplane.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestSettings;
import io.sigma.model.ProxyServer;
import io.sigma.model.ServerLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A client that reads slowly, or not at all, keeps no node waiting, and is not waited for without end. */
final class SlowReaderTest extends EngineContract {

    private static final int LENGTH = 12 * 1024 * 1024;

    private static byte[] content() {
        byte[] content = new byte[LENGTH];
        for (int i = 0; i < LENGTH; i++) {
            content[i] = (byte) ((i * 131) >> 7);
        }
        return content;
    }

    /** A node that sends 12 MiB at once, in one piece or in chunks. */
    private static TestNode node(boolean chunked, CountDownLatch sent) throws IOException {
        byte[] content = content();
        return TestNode.start((request, connection) -> {
            if (chunked) {
                connection.send(
                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + Integer.toHexString(LENGTH) + "\r\n");
            } else {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: " + LENGTH + "\r\n\r\n");
            }
            connection.out().write(content);
            if (chunked) {
                connection.send("\r\n0\r\nx-sum: 7\r\n\r\n");
            }
            connection.out().flush();
            sent.countDown();
        });
    }

    private Socket withSmallWindow() throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port()), 5_000);
        return socket;
    }

    @Test
    void aNodeIsDoneLongBeforeTheClientHasReadTheResponse() throws Exception {
        CountDownLatch sent = new CountDownLatch(1);
        try (TestNode node = node(false, sent)) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = new RawClient(withSmallWindow())) {
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(sent.await(30, TimeUnit.SECONDS)).isTrue();
                assertThat(client.read().body()).isEqualTo(content());
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(client.read().body()).isEqualTo(content());
            }
            GatewayHarness.eventually(() -> gateway().metric("sigma_spool_bytes") == 0);
            assertThat(node.accepted()).as("its connection was used again").isEqualTo(1);
        }
    }

    @Test
    void chunksAndTrailersFollowWhatWaited() throws Exception {
        CountDownLatch sent = new CountDownLatch(1);
        try (TestNode node = node(true, sent)) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = new RawClient(withSmallWindow())) {
                client.send("GET / HTTP/1.1\r\nHost: a\r\nTE: trailers\r\n\r\n");
                assertThat(sent.await(30, TimeUnit.SECONDS)).isTrue();
                RawClient.Answer answer = client.read();
                assertThat(answer.body()).isEqualTo(content());
                assertThat(answer.trailers()).containsExactly("x-sum: 7");
            }
        }
    }

    @Test
    void nothingIsLeftOnTheDiskAndNoPlaceIsKeptWhenTheClientGoesAway() throws Exception {
        CountDownLatch sent = new CountDownLatch(1);
        try (TestNode node = node(false, sent)) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = new RawClient(withSmallWindow())) {
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(sent.await(30, TimeUnit.SECONDS)).isTrue();
                GatewayHarness.eventually(() -> gateway().metric("sigma_spool_bytes") > 0);
            }
            GatewayHarness.eventually(() -> gateway().metric("sigma_spool_bytes") == 0);
            try (var files = Files.list(folder.resolve("data/spool"))) {
                assertThat(files).isEmpty();
            }
        }
    }

    @Test
    void aClientThatReadsNothingIsBrokenOff() throws Exception {
        CountDownLatch sent = new CountDownLatch(1);
        try (TestNode node = node(false, sent)) {
            ProxyServer server = ProxyServer.builder()
                    .id("web")
                    .host("127.0.0.1")
                    .port(port())
                    .limits(ServerLimits.builder().idleTimeoutMillis(500).build())
                    .build();
            gateway().apply(forwarding(node.url()).server(server));
            try (RawHttp2 client = RawHttp2.on(withSmallWindow())) {
                // The stream gets no window, and pings keep the connection alive.
                client.send(RawHttp2.SETTINGS, 0, 0, (byte) 0, (byte) 4, (byte) 0, (byte) 0, (byte) 0, (byte) 0);
                client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS | RawHttp2.END_STREAM, 1, RawHttp2.head());
                Thread.startVirtualThread(() -> {
                    try {
                        for (int i = 0; i < 100; i++) {
                            client.send(RawHttp2.PING, 0, 0, new byte[8]);
                            Thread.sleep(100);
                        }
                    } catch (IOException | InterruptedException e) {
                        // The test is over.
                    }
                });
                RawHttp2.Frame frame = client.next();
                while (frame.type() != RawHttp2.RST_STREAM) {
                    frame = client.next();
                }
                assertThat(frame.stream()).isEqualTo(1);
            }
        }
    }

    @Test
    void aBodyOnHttp2ThatDoesNotComeIsRefusedAndOneOfGrpcMayRest() throws Exception {
        try (TestNode node =
                TestNode.startHeadsOnly((request, connection) -> connection.in().readAllBytes())) {
            ProxyServer server = ProxyServer.builder()
                    .id("web")
                    .host("127.0.0.1")
                    .port(port())
                    .limits(ServerLimits.builder().bodyRatePeriodMillis(300).build())
                    .build();
            gateway().apply(forwarding(node.url()).server(server));
            try (RawHttp2 client = RawHttp2.on(new Socket(InetAddress.getLoopbackAddress(), port()))) {
                client.send(
                        RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, RawHttp2.head("content-type", "application/grpc"));
                client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 3, RawHttp2.head());
                RawHttp2.Frame frame = client.next();
                assertThat(frame.stream()).isEqualTo(3);
                assertThat(client.status(frame)).isEqualTo("408");
            }
        }
    }

    @Test
    void withoutRoomOnTheDiskTheNodeWaits() throws Exception {
        CountDownLatch sent = new CountDownLatch(1);
        GatewaySettings settings =
                TestSettings.of(folder.resolve("other")).spoolBytesMax(0).build();
        int port = Config.freePort();
        try (TestNode node = TestNode.start((request, connection) -> {
                    connection.send("HTTP/1.1 200 OK\r\nContent-Length: " + 8 * LENGTH + "\r\n\r\n");
                    for (int i = 0; i < 8; i++) {
                        connection.out().write(new byte[LENGTH]);
                    }
                    sent.countDown();
                });
                GatewayHarness other = GatewayHarness.start(settings)) {
            other.apply(Config.forwarding(port, node.url()));
            try (RawClient client = RawClient.connect(port)) {
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(sent.await(1, TimeUnit.SECONDS)).isFalse();
                assertThat(client.read().body()).hasSize(8 * LENGTH);
            } catch (SocketException e) {
                throw new AssertionError("a client that reads is served", e);
            }
        }
        assertThat(Files.exists(Path.of(folder.toString(), "other/spool"))).isFalse();
    }
}
