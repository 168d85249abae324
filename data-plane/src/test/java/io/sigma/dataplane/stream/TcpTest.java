package io.sigma.dataplane.stream;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.SocketNode;
import io.sigma.model.Pool;
import io.sigma.model.Protocol;
import io.sigma.model.ProxyProtocol;
import io.sigma.model.StreamMatch;
import io.sigma.snapshot.ResourceType;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.MessageDigest;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class TcpTest extends StreamContract {

    @Test
    void bytesPassInBothDirections() throws Exception {
        try (SocketNode node = SocketNode.echo()) {
            gateway().apply(passing(Protocol.TCP, node.url()));
            try (Socket client = connect()) {
                for (int i = 0; i < 100; i++) {
                    client.getOutputStream().write(bytes("ping " + i % 10));
                    assertThat(text(client.getInputStream().readNBytes(6))).isEqualTo("ping " + i % 10);
                }
                client.shutdownOutput();
                assertThat(rest(client)).isEmpty();
            }
        }
    }

    @Test
    void nodeMaySpeakFirst() throws Exception {
        try (SocketNode node = SocketNode.greeting("220 mail")) {
            gateway().apply(passing(Protocol.TCP, node.url()));
            try (Socket client = connect()) {
                assertThat(rest(client)).isEqualTo("220 mail");
            }
        }
    }

    @Test
    void whatComesWithTheConnectionArrives() throws Exception {
        try (SocketNode node = SocketNode.start(
                socket -> socket.getOutputStream().write(socket.getInputStream().readAllBytes()))) {
            gateway().apply(passing(Protocol.TCP, node.url()));
            for (int i = 0; i < 50; i++) {
                try (Socket client = connect()) {
                    client.getOutputStream().write(bytes("all of it"));
                    client.shutdownOutput();
                    assertThat(rest(client)).isEqualTo("all of it");
                }
            }
        }
    }

    @Test
    void eachDirectionEndsForItself() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        try (SocketNode node = SocketNode.start(socket -> {
            socket.getOutputStream().write(bytes("first"));
            socket.shutdownOutput();
            assertThat(rest(socket)).isEqualTo("later");
            ended.countDown();
        })) {
            gateway().apply(passing(Protocol.TCP, node.url()));
            try (Socket client = connect()) {
                assertThat(rest(client)).isEqualTo("first");
                client.getOutputStream().write(bytes("later"));
                client.shutdownOutput();
                assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
            }
            JsonNode record = record();
            assertThat(record.path("end").asText()).isEqualTo("complete");
            assertThat(record.path("bytesIn").asLong()).isEqualTo(5);
            assertThat(record.path("bytesOut").asLong()).isEqualTo(5);
        }
    }

    @Test
    void logSaysWhereAConnectionWentAndWhyItEnded() throws Exception {
        try (SocketNode node = SocketNode.greeting("hello")) {
            gateway().apply(passing(Protocol.TCP, node.url()));
            try (Socket client = connect()) {
                assertThat(rest(client)).isEqualTo("hello");
                client.getOutputStream().write(bytes("bye"));
            }
            JsonNode record = record();
            assertThat(record.path("protocol").asText()).isEqualTo("TCP");
            assertThat(record.path("proxyServer").asText()).isEqualTo("in");
            assertThat(record.path("router").asText()).isEqualTo("all");
            assertThat(record.path("proxyPass").asText()).isEqualTo("pass");
            assertThat(record.path("upstream").asText()).isEqualTo("nodes");
            assertThat(record.path("node").asText()).isEqualTo(node.url());
            assertThat(record.path("end").asText()).isEqualTo("complete");
            assertThat(record.path("revision").asLong()).isEqualTo(1);
            assertThat(record.path("bytesIn").asLong()).isEqualTo(3);
            assertThat(record.path("bytesOut").asLong()).isEqualTo(5);
            assertThat(record.path("durationMicros").asLong()).isPositive();
            assertThat(record.path("remoteAddress").asText()).isEqualTo("127.0.0.1");
            assertThat(record.has("status")).isFalse();
            assertThat(record.has("error")).isFalse();
            String metrics = RawClient.get(gateway().gateway().telemetryPort(), "localhost", "/metrics")
                    .text();
            assertThat(metrics)
                    .contains("sigma_stream_connections_total{end=\"complete\",proxy_server=\"in\",router=\"all\"} 1")
                    .contains("sigma_stream_bytes_in_total{proxy_server=\"in\",router=\"all\"} 3")
                    .contains("sigma_stream_bytes_out_total{proxy_server=\"in\",router=\"all\"} 5");
        }
    }

    @Test
    void nextNodeIsTriedWhenOneRefuses() throws Exception {
        try (SocketNode node = SocketNode.greeting("here")) {
            gateway().apply(passing(Protocol.TCP, "http://127.0.0.1:" + Config.freePort(), node.url()));
            for (int i = 0; i < 6; i++) {
                try (Socket client = connect()) {
                    assertThat(rest(client)).isEqualTo("here");
                }
            }
            assertThat(records(6))
                    .anySatisfy(record ->
                            assertThat(record.path("attempts").asInt()).isEqualTo(2));
        }
    }

    @Test
    void connectionEndsWhenNoNodeCanBeReached() throws Exception {
        gateway().apply(passing(Protocol.TCP, "http://127.0.0.1:" + Config.freePort()));
        try (Socket client = connect()) {
            assertThat(rest(client)).isEmpty();
        }
        assertThat(record().path("end").asText()).isEqualTo("connect_failed");
        assertThat(record().path("error").asText()).isEqualTo("connect_failed");
    }

    @Test
    void nodesShareConnections() throws Exception {
        try (SocketNode one = SocketNode.greeting("1");
                SocketNode other = SocketNode.greeting("2")) {
            gateway().apply(passing(Protocol.TCP, one.url(), other.url()));
            for (int i = 0; i < 20; i++) {
                try (Socket client = connect()) {
                    assertThat(rest(client)).isIn("1", "2");
                }
            }
            assertThat(one.accepted()).isPositive();
            assertThat(other.accepted()).isPositive();
        }
    }

    @Test
    void nodeHasAMostNumberOfConnections() throws Exception {
        try (SocketNode node = SocketNode.echo()) {
            gateway()
                    .apply(passing(Protocol.TCP, node.url())
                            .pooled(Pool.builder().tunnelsMax(1)));
            try (Socket first = connect()) {
                first.getOutputStream().write(1);
                assertThat(first.getInputStream().read()).isEqualTo(1);
                try (Socket second = connect()) {
                    assertThat(rest(second)).isEmpty();
                }
                assertThat(record().path("end").asText()).isEqualTo("tunnels_full");
            }
            GatewayHarness.eventually(() -> answers("again"));
        }
    }

    private boolean answers(String text) {
        try (Socket client = connect()) {
            client.getOutputStream().write(bytes(text));
            return text(client.getInputStream().readNBytes(text.length())).equals(text);
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void routerTakesClientsByAddress() throws Exception {
        try (SocketNode local = SocketNode.greeting("local");
                SocketNode other = SocketNode.greeting("other")) {
            Config config = passing(Protocol.TCP, other.url())
                    .router(router(
                            "local",
                            StreamMatch.builder()
                                    .clientAddresses(List.of("127.0.0.0/8"))
                                    .build(),
                            "to-local"))
                    .pass("to-local", "local")
                    .upstream("local", local.url());
            gateway().apply(config);
            try (Socket client = connect()) {
                assertThat(rest(client)).isEqualTo("local");
            }
            gateway()
                    .apply(config.with(
                            ResourceType.ROUTER,
                            "local",
                            router -> router.toBuilder()
                                    .match(StreamMatch.builder()
                                            .clientAddresses(List.of("10.0.0.0/8"))
                                            .build())
                                    .build()));
            try (Socket client = connect()) {
                assertThat(rest(client)).isEqualTo("other");
            }
        }
    }

    @Test
    void proxyHeaderNamesTheClient() throws Exception {
        try (SocketNode node = SocketNode.echo()) {
            gateway()
                    .apply(passing(Protocol.TCP, node.url())
                            .server(server(Protocol.TCP)
                                    .proxyProtocol(ProxyProtocol.REQUIRED)
                                    .trustedProxies(List.of("127.0.0.1"))
                                    .build())
                            .router(router(
                                    "all",
                                    StreamMatch.builder()
                                            .clientAddresses(List.of("203.0.113.0/24"))
                                            .build(),
                                    "pass")));
            try (Socket client = connect()) {
                client.getOutputStream().write(bytes("PROXY TCP4 203.0.113.9 127.0.0.1 7 8\r\nbody"));
                client.shutdownOutput();
                assertThat(rest(client)).isEqualTo("body");
            }
            assertThat(record().path("clientAddress").asText()).isEqualTo("203.0.113.9");
            try (Socket client = connect()) {
                client.getOutputStream().write(bytes("PROXY TCP4 198.51.100.9 127.0.0.1 7 8\r\nbody"));
                assertThat(rest(client)).isEmpty();
            }
            assertThat(records(2).getLast().path("end").asText()).isEqualTo("no_router");
        }
    }

    @Test
    void muchArrivesWhole() throws Exception {
        int size = 8 * 1024 * 1024;
        byte[] data = new byte[size];
        new Random(1).nextBytes(data);
        byte[] expected = MessageDigest.getInstance("SHA-256").digest(data);
        try (SocketNode node = SocketNode.echo()) {
            gateway().apply(passing(Protocol.TCP, node.url()));
            try (Socket client = connect()) {
                Thread sender = Thread.ofVirtual().start(() -> {
                    try {
                        client.getOutputStream().write(data);
                        client.shutdownOutput();
                    } catch (IOException e) {
                        throw new java.io.UncheckedIOException(e);
                    }
                });
                byte[] back = client.getInputStream().readAllBytes();
                sender.join();
                assertThat(back).hasSize(size);
                assertThat(MessageDigest.getInstance("SHA-256").digest(back)).isEqualTo(expected);
            }
        }
    }

    /** What the kernel holds for the sockets is not the gateway's; the sender stops when that is full. */
    @Test
    void readerThatStopsStopsTheSender() throws Exception {
        AtomicLong sent = new AtomicLong();
        try (SocketNode node = SocketNode.start(socket -> {
            socket.setSendBufferSize(16 * 1024);
            OutputStream out = socket.getOutputStream();
            byte[] piece = new byte[16 * 1024];
            for (int i = 0; i < 2 * 1024; i++) {
                out.write(piece);
                sent.addAndGet(piece.length);
            }
        })) {
            gateway().apply(passing(Protocol.TCP, node.url()));
            try (Socket client = new Socket()) {
                client.setReceiveBufferSize(16 * 1024);
                client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port()));
                client.setSoTimeout(TIMEOUT_MILLIS);
                assertThat(client.getInputStream().read()).isZero();
                long before;
                do {
                    before = sent.get();
                    TimeUnit.MILLISECONDS.sleep(500);
                } while (sent.get() != before);
                assertThat(before).isLessThan(24L * 1024 * 1024);
                InputStream in = client.getInputStream();
                long got = 1;
                byte[] piece = new byte[64 * 1024];
                for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
                    got += read;
                }
                assertThat(got).isEqualTo(32L * 1024 * 1024);
            }
        }
    }

    @Test
    void httpAndTcpTakeEachOthersPort() throws Exception {
        try (SocketNode node = SocketNode.echo()) {
            gateway().apply(passing(Protocol.TCP, node.url()));
            assertThat(answers("tcp")).isTrue();
            gateway().apply(Config.forwarding(port(), "http://127.0.0.1:" + Config.freePort()));
            assertThat(RawClient.get(port(), "a.example", "/").status()).isEqualTo(502);
            gateway().apply(passing(Protocol.TCP, node.url()));
            assertThat(answers("tcp")).isTrue();
        }
    }
}
