package io.sigma.dataplane.http1.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.FrameNode;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestTls;
import io.sigma.dataplane.testkit.TlsContract;
import io.sigma.model.ClientTls;
import io.sigma.model.ServerLimits;
import io.sigma.model.ServerTls;
import io.sigma.model.Timeouts;
import io.sigma.snapshot.ResourceType;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes and clients that read what they are sent long after the kernel has taken it are not idle. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class SlowReceiverTest extends TlsContract {

    private static final int IDLE_MILLIS = 600;
    private static final int WINDOW_BYTES = 128 * 1024;
    private static final int LENGTH = 3 * 1024 * 1024;
    private static final int PIECE_BYTES = 64 * 1024;
    private static final int PAUSE_MILLIS = 60;

    /** The kernel cannot be asked about the channels of NIO. */
    private static void assumeKernelIsAsked() {
        assumeThat(System.getProperty("sigma.test.transport", "nio")).isNotEqualTo("nio");
    }

    private Config impatient(String node) {
        return forwarding(node)
                .nodeTls("nodes", ClientTls.builder().verify(false).build())
                .with(
                        ResourceType.PROXY_PASS,
                        "pass",
                        pass -> pass.toBuilder()
                                .timeouts(Timeouts.builder()
                                        .idleMillis(IDLE_MILLIS)
                                        .responseMillis(IDLE_MILLIS)
                                        .build())
                                .build());
    }

    private static ServerSocket withSmallWindow(@Nullable SSLContext tls) throws IOException {
        ServerSocket server =
                tls == null ? new ServerSocket() : tls.getServerSocketFactory().createServerSocket();
        server.setReceiveBufferSize(WINDOW_BYTES);
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return server;
    }

    /** Reads {@code length} octets in small pieces; returns how many have come. */
    private static int readSlowly(InputStream in, int length) throws IOException, InterruptedException {
        int octets = 0;
        while (octets < length) {
            int read = in.readNBytes(Math.min(PIECE_BYTES, length - octets)).length;
            if (read == 0) {
                break;
            }
            octets += read;
            Thread.sleep(PAUSE_MILLIS);
        }
        return octets;
    }

    private static void upload(RawClient client, int length) throws IOException {
        client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + length + "\r\n\r\n");
        client.out().write(new byte[length]);
        client.out().flush();
    }

    // --- Nodes

    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void nodeThatStillReceivesAnUploadIsNotLateWithItsAnswer(boolean tls, boolean headFirst) throws Exception {
        assumeKernelIsAsked();
        ServerSocket server =
                withSmallWindow(tls ? TestTls.create("node", "localhost").context() : null);
        try (TestNode node = TestNode.startHeadsOnly(server, (request, connection) -> {
            String head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
            if (headFirst) {
                connection.send(head);
            }
            int octets = readSlowly(connection.in(), LENGTH);
            connection.send((headFirst ? "" : head) + "7\r\n" + octets + "\r\n0\r\n\r\n");
        })) {
            gateway()
                    .apply(impatient(
                            (server instanceof SSLServerSocket ? "https" : "http") + "://127.0.0.1:" + node.port()));
            try (RawClient client = RawClient.connect(port())) {
                upload(client, LENGTH);
                assertThat(client.read().text()).isEqualTo(String.valueOf(LENGTH));
            }
        }
    }

    /** Here what the node has not read waits for its window, which every transport knows. */
    @Test
    void nodeThatOpensItsWindowSlowlyIsNotLateWithItsAnswer() throws Exception {
        int length = 60_000 + 30 * 2_000;
        try (FrameNode node = FrameNode.start((request, connection) -> {
            int octets = 0;
            while (octets < length) {
                RawHttp2.Frame frame = connection.next();
                if (frame.type() == RawHttp2.DATA && frame.stream() == request.stream()) {
                    octets += frame.payload().length;
                    if (octets >= 60_000) {
                        Thread.sleep(PAUSE_MILLIS);
                        byte[] more = ByteBuffer.allocate(4).putInt(2_000).array();
                        connection.send(RawHttp2.WINDOW_UPDATE, 0, 0, more);
                        connection.send(RawHttp2.WINDOW_UPDATE, 0, request.stream(), more);
                    }
                }
            }
            connection.ok(request.stream());
        })) {
            gateway().apply(impatient(node.url()).overHttp2());
            try (RawClient client = RawClient.connect(port())) {
                upload(client, length);
                assertThat(client.read().text()).isEqualTo("ok");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nodeThatReceivesNothingMoreIsGivenUp(boolean tls) throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        ServerSocket server =
                withSmallWindow(tls ? TestTls.create("node", "localhost").context() : null);
        try (TestNode node =
                TestNode.startHeadsOnly(server, (request, connection) -> over.await(20, TimeUnit.SECONDS))) {
            gateway().apply(impatient((tls ? "https" : "http") + "://127.0.0.1:" + node.port()));
            try (RawClient client = RawClient.connect(port())) {
                upload(client, 512 * 1024);
                assertThat(client.read().status()).isEqualTo(504);
            }
            over.countDown();
        }
    }

    // --- Clients

    private Config hasty(String node, boolean tls) {
        Config config = tls ? encrypted(ServerTls.builder().build(), node) : forwarding(node);
        return config.with(
                ResourceType.PROXY_SERVER,
                "web",
                server -> server.toBuilder()
                        .limits(ServerLimits.builder()
                                .idleTimeoutMillis(IDLE_MILLIS)
                                .build())
                        .build());
    }

    private Socket slowClient(boolean tls) throws Exception {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(WINDOW_BYTES);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port()), 5_000);
        if (!tls) {
            return socket;
        }
        SSLSocket encrypted =
                (SSLSocket) client(null).getSocketFactory().createSocket(socket, "shop.example.com", port(), true);
        encrypted.startHandshake();
        return encrypted;
    }

    /** The second request would find a connection closed that was idle. */
    @ParameterizedTest
    @CsvSource({"false, 3", "false, 8", "true, 3", "true, 8"})
    void clientThatStillReceivesAResponseIsNotIdle(boolean tls, int mebibytes) throws Exception {
        assumeKernelIsAsked();
        int length = mebibytes * 1024 * 1024;
        try (TestNode node = TestNode.named("x".repeat(length))) {
            gateway().apply(hasty(node.url(), tls));
            try (RawClient client = new RawClient(slowClient(tls))) {
                for (int i = 0; i < 2; i++) {
                    client.send("GET / HTTP/1.1\r\nHost: shop.example.com\r\n\r\n");
                    String head = "";
                    while (!head.endsWith("\r\n\r\n")) {
                        int octet = client.in().read();
                        assertThat(octet).as(head).isNotNegative();
                        head += (char) octet;
                    }
                    assertThat(head).startsWith("HTTP/1.1 200");
                    assertThat(readSlowly(client.in(), length)).isEqualTo(length);
                }
            }
        }
    }

    /** Its window opens by less than the pieces in which the response comes. */
    @Test
    void clientThatOpensItsWindowSlowlyReadsAtItsRate() throws Exception {
        int length = 20_000;
        int window = 1_000;
        try (TestNode node = TestNode.named("x".repeat(length))) {
            gateway().apply(hasty(node.url(), false));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(RawHttp2.SETTINGS, 0, 0, (byte) 0, (byte) 4, (byte) 0, (byte) 0, (byte) 3, (byte) 0xe8);
                client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS | RawHttp2.END_STREAM, 1, RawHttp2.head());
                int octets = 0;
                while (octets < length) {
                    RawHttp2.Frame frame = client.next();
                    assertThat(frame.type()).isIn(RawHttp2.HEADERS, RawHttp2.DATA);
                    octets += frame.type() == RawHttp2.DATA ? frame.payload().length : 0;
                    if (octets > 0 && octets % window == 0) {
                        Thread.sleep(2 * PAUSE_MILLIS);
                        byte[] more = ByteBuffer.allocate(4).putInt(window).array();
                        client.send(RawHttp2.WINDOW_UPDATE, 0, 1, more);
                    }
                }
            }
        }
    }

    @Test
    void clientThatReceivesNothingMoreIsLeft() throws Exception {
        try (TestNode node = TestNode.named("x".repeat(LENGTH))) {
            gateway().apply(hasty(node.url(), false));
            try (RawClient client = new RawClient(slowClient(false))) {
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                GatewayHarness.eventually(() -> gateway().metric("sigma_connections{proxy_server=\"web\"}") == 0);
            }
        }
    }

    // --- Tunnels

    /** The client has ended its side, so that the tunnel may not rest for long. */
    @Test
    void tunnelWhoseNodeStillReceivesGoesOn() throws Exception {
        assumeKernelIsAsked();
        try (TestNode node = TestNode.startHeadsOnly(withSmallWindow(null), (request, connection) -> {
            connection.send("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n");
            connection.send(readSlowly(connection.in(), LENGTH) + "\n");
            connection.socket().close();
        })) {
            gateway().apply(hasty(node.url(), false));
            try (RawClient client = RawClient.connect(port())) {
                client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n");
                assertThat(client.read().status()).isEqualTo(101);
                client.out().write(new byte[LENGTH]);
                client.socket().shutdownOutput();
                assertThat(new String(client.in().readAllBytes(), StandardCharsets.US_ASCII))
                        .isEqualTo(LENGTH + "\n");
            }
        }
    }
}
