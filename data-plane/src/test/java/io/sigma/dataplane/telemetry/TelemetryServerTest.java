package io.sigma.dataplane.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The port for metrics and health, which whoever is near the gateway can reach. */
final class TelemetryServerTest {

    private static final String HEALTH = "GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n";

    private final Vertx vertx = Vertx.vertx();
    private final List<Socket> sockets = new ArrayList<>();
    private final AtomicReference<Thread> asked = new AtomicReference<>();
    private Executor loop;
    private int port;

    @BeforeEach
    void start() throws Exception {
        Readiness ready = new Readiness(
                () -> {
                    asked.set(Thread.currentThread());
                    return true;
                },
                () -> 0,
                () -> 0,
                () -> 0);
        Context context = vertx.getOrCreateContext();
        loop = task -> context.runOnContext(ignored -> task.run());
        port = TelemetryServer.open(vertx, loop, "127.0.0.1", 0, false, new GatewayMetrics(10, 1), ready)
                .await(20, TimeUnit.SECONDS)
                .port();
    }

    @AfterEach
    void stop() throws Exception {
        for (Socket socket : sockets) {
            socket.close();
        }
        vertx.close().await(20, TimeUnit.SECONDS);
    }

    private Socket open(String from, String text) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port, InetAddress.ofLiteral(from), 0);
        sockets.add(socket);
        socket.setSoTimeout(60_000);
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static String statusLine(Socket socket) throws IOException {
        return String.valueOf(
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                        .readLine());
    }

    @Test
    void loopThatIsGivenServes() throws Exception {
        CompletableFuture<Thread> given = new CompletableFuture<>();
        loop.execute(() -> given.complete(Thread.currentThread()));
        for (int i = 0; i < 20; i++) {
            asked.set(null);
            assertThat(statusLine(open("127.0.0.1", "GET /health/ready HTTP/1.1\r\nHost: a\r\n\r\n")))
                    .isEqualTo("HTTP/1.1 200 OK");
            assertThat(asked.get()).isSameAs(given.get(20, TimeUnit.SECONDS));
        }
    }

    @Test
    void halfHeadsKeepNobodyOut() throws IOException {
        for (int i = 0; i < 600; i++) {
            open("127.0.0." + (1 + i % 20), "GET /health/live HTTP/1.1\r\n");
        }
        assertThat(statusLine(open("127.0.0.1", HEALTH))).isEqualTo("HTTP/1.1 200 OK");
        assertThat(statusLine(open("127.0.0.99", HEALTH))).isEqualTo("HTTP/1.1 200 OK");
    }

    @Test
    void halfAndSilentHeadsEnd() throws IOException {
        Socket half = open("127.0.0.1", "GET /health/live HTTP/1.1\r\n");
        Socket silent = open("127.0.0.1", "");
        assertThat(half.getInputStream().read()).isEqualTo(-1);
        assertThat(silent.getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void whoDoesNotReadIsCutOff() throws IOException {
        Socket socket = open("127.0.0.1", "");
        byte[] many = "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n".repeat(2_000).getBytes(StandardCharsets.US_ASCII);
        long begin = System.nanoTime();
        boolean cut = false;
        for (int i = 0; i < 2_000 && !cut; i++) {
            try {
                socket.getOutputStream().write(many);
            } catch (IOException e) {
                cut = true;
            }
        }
        assertThat(cut).isTrue();
        // By the time of an answer, 15 s, and not by that of an idle connection, 60 s.
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(50));
        assertThat(statusLine(open("127.0.0.1", HEALTH))).isEqualTo("HTTP/1.1 200 OK");
    }

    @Test
    void longHeadsAreRefused() throws IOException {
        assertThat(statusLine(open("127.0.0.1", "GET /" + "a".repeat(6_000) + " HTTP/1.1\r\nHost: a\r\n\r\n")))
                .matches("HTTP/1.[01] 4.*");
        assertThat(statusLine(open("127.0.0.1", "GET / HTTP/1.1\r\nHost: a\r\nX: " + "a".repeat(20_000) + "\r\n\r\n")))
                .matches("HTTP/1.[01] 4.*");
    }
}
