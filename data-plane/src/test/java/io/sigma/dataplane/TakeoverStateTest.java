package io.sigma.dataplane;

import static io.sigma.dataplane.testkit.GatewayHarness.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sigma.dataplane.engine.uring.TunedIoUring;
import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.takeover.HandOverServer;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestSettings;
import io.sigma.dataplane.testkit.TestTls;
import io.sigma.dataplane.testkit.TlsContract;
import io.sigma.model.Node;
import io.sigma.model.OutlierDetection;
import io.sigma.model.ServerTls;
import io.sigma.model.Upstream;
import io.sigma.snapshot.Snapshot;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.transport.Transport;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a gateway has learned is known to the one that takes its place; here both are in one process. */
final class TakeoverStateTest {

    private static final long EJECTION_MILLIS = 300_000;

    @TempDir
    Path folder;

    private final List<Vertx> made = new ArrayList<>();
    private final int port = Config.freePort();
    private GatewaySettings settings = GatewaySettings.embedded(Path.of("unused"));

    @BeforeEach
    void settings() {
        assumeTrue(TunedIoUring.ifAvailable() != null);
        settings = GatewaySettings.embedded(folder);
    }

    @AfterEach
    void close() {
        made.forEach(vertx -> await(vertx.close()));
    }

    private Vertx vertx() {
        Transport transport = Objects.requireNonNull(TunedIoUring.ifAvailable());
        Vertx vertx = Vertx.builder()
                .withTransport(transport)
                .with(new VertxOptions().setEventLoopPoolSize(2))
                .build();
        made.add(vertx);
        return vertx;
    }

    @FunctionalInterface
    private interface Step {

        void run() throws Exception;
    }

    /** Lets {@code before} happen at a gateway with {@code config}, and {@code after} at its successor. */
    private void takeOver(Config config, Step before, Step after) throws Exception {
        Gateway first = await(Gateway.start(vertx(), settings));
        await(first.snapshotTarget().apply(Snapshot.of(7, config.state())));
        try (HandOverServer server = HandOverServer.open(folder, first.handOver(settings), "first", false, () -> {})) {
            assertThat(server).isNotNull();
            before.run();
            Gateway second = await(Gateway.takeOver(vertx(), settings, null));
            await(first.close());
            after.run();
            await(second.close());
        }
    }

    @Test
    void ejectedNodesStayEjected() throws Exception {
        try (TestNode good = TestNode.named("good");
                TestNode bad =
                        TestNode.answeringBad("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n")) {
            Config config = Config.forwarding(port, good.url())
                    .upstream(Upstream.builder()
                            .id("nodes")
                            .nodes(List.of(
                                    Node.builder().url(bad.url()).build(),
                                    Node.builder().url(good.url()).build()))
                            .outlierDetection(OutlierDetection.builder()
                                    .consecutiveFailures(1)
                                    .ejectionMillis((int) EJECTION_MILLIS)
                                    .build())
                            .build());
            takeOver(
                    config,
                    () -> {
                        while (bad.received().isEmpty()) {
                            RawClient.get(port, "localhost", "/bad");
                        }
                    },
                    () -> {
                        for (int i = 0; i < 10; i++) {
                            assertThat(RawClient.get(port, "localhost", "/x").text())
                                    .isEqualTo("good");
                        }
                        assertThat(bad.received()).hasSize(1);
                    });
        }
    }

    @Test
    void sessionsOfTlsAreResumed() throws Exception {
        // The JDK has no keys that could be handed over.
        settings = TestSettings.of(folder).tls(GatewaySettings.Tls.OPENSSL).build();
        TestTls tls = TestTls.create("localhost");
        SSLContext client = TlsContract.client(null, "TLSv1.3");
        try (TestNode node = TestNode.named("ok")) {
            List<Long> created = new ArrayList<>();
            Step request = () -> created.add(session(client));
            takeOver(
                    Config.forwarding(port, node.url())
                            .certificate(tls.resource("c"))
                            .encrypted("web", ServerTls.builder().build()),
                    () -> {
                        request.run();
                        request.run();
                    },
                    request);
            assertThat(created).containsOnly(created.getFirst());
        }
    }

    /** Returns when the session of a new connection began. */
    private long session(SSLContext client) throws Exception {
        try (SSLSocket socket = (SSLSocket) client.getSocketFactory().createSocket("localhost", port)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream()
                    .write("GET /x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .startsWith("HTTP/1.1 200 ");
            return socket.getSession().getCreationTime();
        }
    }
}
