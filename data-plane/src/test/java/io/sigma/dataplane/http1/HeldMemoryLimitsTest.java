package io.sigma.dataplane.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestSettings;
import io.sigma.model.Mirror;
import io.sigma.model.ServerLimits;
import io.sigma.model.Timeouts;
import io.sigma.snapshot.ResourceType;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The memory that a client can make the gateway hold, with a budget of 8 MiB, while another client is served. */
final class HeldMemoryLimitsTest extends EngineContract {

    private static final long BUDGET = 8L * 1024 * 1024;
    private static final int LARGE = 1024 * 1024;
    private static final int CONNECTIONS = 40;
    private static final int FIELDS = 7_500;
    /** Six numbers. */
    private static final int PLACE_BYTES = 24;

    private static final int TRAILER_BYTES = 15_000;

    private final List<Socket> attackers = new ArrayList<>();
    private final Queue<Closeable> closing = new ConcurrentLinkedQueue<>();
    private TestNode node;

    @Override
    protected GatewaySettings settings(Path dataDir) {
        return TestSettings.of(dataDir).loops(2).heldBytesMax(BUDGET).build();
    }

    @BeforeEach
    void startNode() throws Exception {
        byte[] large = "x".repeat(LARGE).getBytes(StandardCharsets.US_ASCII);
        node = TestNode.start((request, connection) -> {
            if (request.target().startsWith("/large")) {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: " + LARGE + "\r\n\r\n");
                connection.out().write(large);
                connection.out().flush();
            } else {
                connection.ok("ok");
            }
        });
        // Others wait as long as it takes: what is asked is whether they are served.
        gateway()
                .apply(forwarding(node.url())
                        .with(
                                ResourceType.PROXY_PASS,
                                "pass",
                                pass -> pass.toBuilder()
                                        .timeouts(Timeouts.builder()
                                                .connectMillis(30_000)
                                                .build())
                                        .build()));
    }

    @AfterEach
    void stopNode() throws Exception {
        for (Closeable each : closing) {
            each.close();
        }
        node.close();
    }

    /**
     * Connects from an address of its own, with a small buffer so that the gateway meets a client that does not read.
     */
    private Socket attack() throws IOException {
        Socket socket = new Socket();
        attackers.add(socket);
        socket.setReceiveBufferSize(4096);
        socket.setSendBufferSize(64 * 1024);
        socket.bind(new InetSocketAddress("127.0.0.2", 0));
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port()), 5_000);
        return socket;
    }

    private interface Sender {
        void send(OutputStream out) throws IOException;
    }

    /**
     * Sends until everything is sent, the gateway reads no more, or it has closed the connection; returns what does it.
     */
    private static Thread send(Socket socket, Sender sender) {
        return Thread.startVirtualThread(() -> {
            try {
                sender.send(socket.getOutputStream());
                socket.getOutputStream().flush();
            } catch (IOException e) {
                // It was ended, which is one way to bound what is held.
            }
        });
    }

    /**
     * Others are served meanwhile, what is held stays within the budget, and nothing is held once the attackers are
     * gone.
     */
    private void assertOthersAreServedAndLittleIsHeld() throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
        do {
            assertThat(get("/small").status()).isEqualTo(200);
            assertThat(gateway().metric("sigma_held_bytes")).isLessThanOrEqualTo(BUDGET);
        } while (System.nanoTime() < end);
        for (Socket attacker : attackers) {
            attacker.close();
        }
        GatewayHarness.eventually(() -> gateway().metric("sigma_held_bytes") == 0);
        GatewayHarness.eventually(() -> gateway().metric("sigma_spool_bytes") == 0);
    }

    @Test
    void requestsAheadOfResponsesThatNobodyReads() throws Exception {
        byte[] requests = "GET /large HTTP/1.1\r\nHost: a\r\n\r\n".repeat(2_000).getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < CONNECTIONS; i++) {
            send(attack(), out -> {
                for (int round = 0; round < 100; round++) {
                    out.write(requests);
                }
            });
        }
        assertOthersAreServedAndLittleIsHeld();
    }

    @Test
    void chunksOfOneByte() throws Exception {
        byte[] chunks = "1\r\nx\r\n".repeat(2_000).getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < CONNECTIONS; i++) {
            send(attack(), out -> {
                out.write("POST /small HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                        .getBytes(StandardCharsets.US_ASCII));
                out.write(chunks);
            });
        }
        assertOthersAreServedAndLittleIsHeld();
    }

    @Test
    void headsThatDoNotEnd() throws Exception {
        byte[] begun = ("GET / HTTP/1.1\r\nHost: a\r\n" + ("x-more: " + "b".repeat(500) + "\r\n").repeat(55))
                .getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < 5 * CONNECTIONS; i++) {
            send(attack(), out -> out.write(begun));
        }
        assertOthersAreServedAndLittleIsHeld();
    }

    /** A field of three octets takes more memory for its place than for itself. */
    @Test
    void shortFieldsOfAHeadThatDoesNotEndCountWithTheirPlaces() throws Exception {
        byte[] begun = ("GET / HTTP/1.1\r\nHost: a\r\n" + "a:\r\n".repeat(FIELDS)).getBytes(StandardCharsets.US_ASCII);
        send(attack(), out -> out.write(begun));
        GatewayHarness.eventually(() -> gateway().metric("sigma_held_bytes") > FIELDS * PLACE_BYTES);
        assertOthersAreServedAndLittleIsHeld();
    }

    @Test
    void trailersThatDoNotEnd() throws Exception {
        byte[] begun = ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
                        + "a:\r\n".repeat(FIELDS))
                .getBytes(StandardCharsets.US_ASCII);
        send(attack(), out -> out.write(begun));
        GatewayHarness.eventually(() -> gateway().metric("sigma_held_bytes") > FIELDS * PLACE_BYTES);
        assertOthersAreServedAndLittleIsHeld();
    }

    @Test
    void trailersOfStreamsThatTheNodeDoesNotAnswer() throws Exception {
        forwardToDeafNode();
        RawHttp2 client = RawHttp2.on(attack());
        int streams = 20;
        for (int stream = 1; stream < 2 * streams; stream += 2) {
            client.send(
                    RawHttp2.HEADERS,
                    RawHttp2.END_HEADERS,
                    stream,
                    RawHttp2.fields(
                            ":method", "POST", ":scheme", "http", ":path", "/deaf", ":authority", "shop.example.com"));
            client.send(
                    RawHttp2.HEADERS,
                    RawHttp2.END_HEADERS | RawHttp2.END_STREAM,
                    stream,
                    RawHttp2.fields("x-sum", "x".repeat(TRAILER_BYTES)));
        }
        GatewayHarness.eventually(() -> gateway().metric("sigma_held_bytes") > streams * TRAILER_BYTES);
        // What was counted when it came is counted again each second.
        Thread.sleep(2_500);
        assertThat(gateway().metric("sigma_held_bytes")).isGreaterThan(streams * TRAILER_BYTES);
        assertOthersAreServedAndLittleIsHeld();
    }

    @Test
    void streamsWithDataOfOneByte() throws Exception {
        for (int i = 0; i < 10; i++) {
            RawHttp2 client = RawHttp2.on(attack());
            Thread.startVirtualThread(() -> {
                try {
                    for (int stream = 1; stream < 40; stream += 2) {
                        client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, stream, RawHttp2.head());
                        for (int piece = 0; piece < 200; piece++) {
                            client.send(RawHttp2.DATA, 0, stream, (byte) 'x');
                        }
                    }
                } catch (IOException e) {
                    // Ending the connection is one way to bound the memory, so it is not a failure.
                }
            });
        }
        assertOthersAreServedAndLittleIsHeld();
    }

    @Test
    void streamsWhoseWindowStaysShut() throws Exception {
        for (int i = 0; i < 4; i++) {
            RawHttp2 client = RawHttp2.on(attack());
            client.send(RawHttp2.SETTINGS, 0, 0, (byte) 0, (byte) 4, (byte) 0, (byte) 0, (byte) 0, (byte) 0);
            for (int stream = 1; stream < 100; stream += 2) {
                byte[] head = RawHttp2.fields(
                        ":method", "GET", ":scheme", "http", ":path", "/large", ":authority", "shop.example.com");
                client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS | RawHttp2.END_STREAM, stream, head);
            }
        }
        assertOthersAreServedAndLittleIsHeld();
    }

    /** Forwards everything to a node that reads the head of a request for {@code /deaf} and nothing after it. */
    private void forwardToDeafNode() throws IOException {
        ServerSocket listening = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        closing.add(listening);
        Thread.startVirtualThread(() -> {
            try {
                while (true) {
                    Socket socket = listening.accept();
                    closing.add(socket);
                    Thread.startVirtualThread(() -> answer(socket));
                }
            } catch (IOException e) {
                // The test is over.
            }
        });
        // A connection that is not read does not hear that its client is gone.
        gateway()
                .apply(forwarding("http://127.0.0.1:" + listening.getLocalPort())
                        .with(
                                ResourceType.PROXY_SERVER,
                                "web",
                                server -> server.toBuilder()
                                        .limits(ServerLimits.builder()
                                                .idleTimeoutMillis(3_000)
                                                .build())
                                        .build())
                        .with(
                                ResourceType.PROXY_PASS,
                                "pass",
                                pass -> pass.toBuilder()
                                        .timeouts(Timeouts.builder()
                                                .connectMillis(30_000)
                                                .idleMillis(3_000)
                                                .build())
                                        .build()));
    }

    private static void answer(Socket socket) {
        try {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII), 256);
            while (true) {
                String head = "";
                for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
                    head += line + "\n";
                }
                String answer = head.contains("Upgrade: x")
                        ? "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"
                        : "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
                if (head.isEmpty()) {
                    return;
                }
                if (!head.startsWith("POST")) {
                    socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
                }
                if (head.contains("/deaf")) {
                    return;
                }
            }
        } catch (IOException e) {
            // The gateway went.
        }
    }

    @Test
    void copiesForAMirrorThatDoesNotAnswer() throws Exception {
        int bodyBytes = 100_000;
        try (TestNode silent = TestNode.start((request, connection) -> {})) {
            gateway()
                    .apply(forwarding(node.url())
                            .upstream("shadow", silent.url())
                            .with(
                                    ResourceType.PROXY_PASS,
                                    "pass",
                                    pass -> pass.toBuilder()
                                            .mirror(Mirror.builder()
                                                    .upstreamId("shadow")
                                                    .bodyBytesMax(LARGE)
                                                    .build())
                                            .build()));
            String body = "x".repeat(bodyBytes);
            for (int i = 0; i < CONNECTIONS; i++) {
                assertThat(exchange("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + bodyBytes + "\r\n\r\n" + body)
                                .status())
                        .isEqualTo(200);
            }
            String refused = "sigma_upstream_requests_total{outcome=\"too_busy\",upstream=\"shadow\"}";
            double most = Math.floor(BUDGET / 8.0 / bodyBytes);
            assertThat(gateway().metric(refused)).isBetween(CONNECTIONS - most, CONNECTIONS - 1.0);
            assertThat(silent.received().size()).isLessThanOrEqualTo((int) most);
        }
    }

    @Test
    void tunnelsWhoseNodeDoesNotRead() throws Exception {
        forwardToDeafNode();
        byte[] piece = new byte[64 * 1024];
        for (int i = 0; i < CONNECTIONS; i++) {
            send(attack(), out -> {
                out.write("GET /deaf HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"
                        .getBytes(StandardCharsets.US_ASCII));
                while (true) {
                    out.write(piece);
                }
            });
        }
        GatewayHarness.eventually(() -> gateway().metric("sigma_held_bytes") > 0);
        assertOthersAreServedAndLittleIsHeld();
    }

    @Test
    void bodiesThatTheNodeDoesNotRead() throws Exception {
        forwardToDeafNode();
        byte[] piece = new byte[64 * 1024];
        for (int i = 0; i < CONNECTIONS; i++) {
            send(attack(), out -> {
                out.write("POST /deaf HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\n"
                        .getBytes(StandardCharsets.US_ASCII));
                while (true) {
                    out.write(piece);
                }
            });
        }
        GatewayHarness.eventually(() -> gateway().metric("sigma_held_bytes") > 0);
        assertOthersAreServedAndLittleIsHeld();
    }

    /** The codec of a connection takes memory before there is any stream. */
    @Test
    void connectionsOnHttp2ThatAskForNothing() throws Exception {
        for (int i = 0; i < 600; i++) {
            try {
                RawHttp2.on(attack());
            } catch (IOException e) {
                // It was ended, which is one way to bound what is held.
            }
        }
        GatewayHarness.eventually(() -> gateway().metric("sigma_held_ended_total") > 0);
        assertOthersAreServedAndLittleIsHeld();
    }
}
