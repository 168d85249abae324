package io.sigma.dataplane.config;

import static io.sigma.dataplane.testkit.GatewayHarness.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestSettings;
import io.sigma.dataplane.testkit.TestTls;
import io.sigma.model.GzipPlugin;
import io.sigma.model.HstsPlugin;
import io.sigma.model.OutlierDetection;
import io.sigma.model.Plugins;
import io.sigma.model.Protocol;
import io.sigma.model.ProxyServer;
import io.sigma.model.RateLimitPlugin;
import io.sigma.model.RewritePathPlugin;
import io.sigma.model.ServerTls;
import io.sigma.snapshot.ResourceType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A gateway serves made-up requests to itself before it serves real ones, and nobody else notices. */
final class WarmUpTest {

    private static final int LONG_MILLIS = 20_000;
    /** So many that each shape is among them. */
    private static final int REQUESTS = 160;

    private static final int BURST = 3;

    @TempDir
    Path folder;

    private final int port = Config.freePort();
    private final TestTls tls = TestTls.create("localhost");
    private final Said said = new Said();
    private final Logger logger = (Logger) LoggerFactory.getLogger("io.sigma.dataplane.GatewayWarmUp");

    /** What the warm-up says in the log, and whether clients were served then. */
    private static final class Said extends AppenderBase<ILoggingEvent> {

        private final List<String> texts = new CopyOnWriteArrayList<>();
        private volatile BooleanSupplier serves = () -> false;
        private volatile boolean served;

        @Override
        protected void append(ILoggingEvent event) {
            if (serves.getAsBoolean()) {
                served = true;
            }
            texts.add(event.getFormattedMessage());
        }
    }

    @BeforeEach
    void listen() {
        said.start();
        logger.addAppender(said);
    }

    @AfterEach
    void forget() {
        logger.detachAppender(said);
    }

    private GatewayHarness start(int warmUpMillis) {
        return GatewayHarness.start(TestSettings.of(folder)
                .warmUp(warmUpMillis, REQUESTS)
                .accessLog(folder.resolve("access.log").toString(), 1024)
                .build());
    }

    private Config config(TestNode node) {
        return Config.forwarding(port, node.url())
                .certificate(tls.resource("c"))
                .server(ProxyServer.builder()
                        .id("secure")
                        .host("127.0.0.1")
                        .port(Config.freePort())
                        .protocol(Protocol.HTTPS)
                        .tls(ServerTls.builder().build())
                        .build())
                .with(
                        ResourceType.UPSTREAM,
                        "nodes",
                        upstream -> upstream.toBuilder()
                                .outlierDetection(OutlierDetection.builder().build())
                                .build())
                .with(
                        ResourceType.ROUTE,
                        "any",
                        route -> route.toBuilder()
                                .plugins(Plugins.builder()
                                        .gzip(GzipPlugin.builder().build())
                                        .hsts(HstsPlugin.builder().build())
                                        .rewritePath(RewritePathPlugin.builder()
                                                .regexp("/a/(.*)")
                                                .replacement("/$1")
                                                .build())
                                        .rateLimit(RateLimitPlugin.builder()
                                                .requests(1)
                                                .periodSeconds(3600)
                                                .burst(BURST)
                                                .build())
                                        .build())
                                .build());
    }

    private String metrics(GatewayHarness gateway) throws IOException {
        return RawClient.get(gateway.gateway().telemetryPort(), "localhost", "/metrics")
                .text();
    }

    @Test
    void requestsOfEachShapeAreServedBeforeTheFirstClient() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> connection.ok("x"));
                GatewayHarness gateway = start(LONG_MILLIS)) {
            said.serves = () -> gateway.gateway().isReady() || accepts();
            gateway.apply(config(node));
            assertThat(said.texts)
                    .singleElement()
                    .asString()
                    .matches("Warmed up with [1-9]\\d* requests .*; 0 more .*");
            assertThat(said.served).isFalse();
            assertThat(gateway.gateway().isReady()).isTrue();
        }
    }

    private boolean accepts() {
        try (RawClient client = RawClient.connect(port)) {
            return client.socket().isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void nodesMetricsLogsAndLimitsSeeNothing() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> connection.ok("x"));
                GatewayHarness gateway = start(LONG_MILLIS)) {
            gateway.apply(config(node));
            assertThat(said.texts).hasSize(1);
            assertThat(node.received()).isEmpty();
            assertThat(metrics(gateway))
                    .doesNotContain("warm-up")
                    .doesNotContainPattern("(?m)^sigma_requests_total.* [1-9]")
                    .doesNotContainPattern("(?m)^sigma_connections.* [1-9]");
            for (int i = 0; i < BURST; i++) {
                assertThat(RawClient.get(port, "a", "/a/b").status()).isEqualTo(200);
            }
            assertThat(RawClient.get(port, "a", "/a/b").status()).isEqualTo(429);
            assertThat(node.received()).hasSize(BURST);
            eventually(() -> lines() == BURST + 1);
            assertThat(metrics(gateway)).containsPattern("(?m)^sigma_requests_total.* 3\\.0");
        }
    }

    private long lines() {
        try {
            return Files.readAllLines(folder.resolve("access.log")).size();
        } catch (IOException e) {
            return -1;
        }
    }

    @Test
    void onlyTheFirstRevisionWaits() {
        try (TestNode node = TestNode.start((request, connection) -> connection.ok("x"));
                GatewayHarness gateway = start(LONG_MILLIS)) {
            gateway.apply(config(node)).apply(Config.forwarding(port, node.url()));
            assertThat(said.texts).hasSize(1);
        }
    }

    @Test
    void nothingIsLeftOfIt() {
        try (TestNode node = TestNode.start((request, connection) -> connection.ok("x"));
                GatewayHarness gateway = start(LONG_MILLIS)) {
            gateway.apply(config(node));
            eventually(() -> Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().equals("sigma-warm-up")));
        }
    }

    @Test
    void oneThatTakesTooLongIsLeft() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> connection.ok("x"));
                GatewayHarness gateway = start(1)) {
            gateway.apply(config(node));
            assertThat(RawClient.get(port, "a", "/a/b").status()).isEqualTo(200);
        }
    }

    @Test
    void oneThatFailsKeepsNoGatewayFromServing() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> connection.ok("x"));
                GatewayHarness gateway = start(LONG_MILLIS)) {
            Config broken = config(node)
                    .with(
                            ResourceType.PROXY_SERVER,
                            "secure",
                            server -> server.toBuilder()
                                    .tls(ServerTls.builder()
                                            .certPath(
                                                    folder.resolve("absent.pem").toString())
                                            .keyPath(
                                                    folder.resolve("absent.key").toString())
                                            .build())
                                    .build());
            gateway.tryApply(broken);
            assertThat(gateway.gateway().missingListeners()).containsOnlyKeys("secure");
            assertThat(said.texts).singleElement().asString().startsWith("The gateway starts without a warm-up: ");
            assertThat(RawClient.get(port, "a", "/a/b").status()).isEqualTo(200);
        }
    }

    @Test
    void noneIsRunWhereTheSettingSaysSo() {
        try (TestNode node = TestNode.start((request, connection) -> connection.ok("x"));
                GatewayHarness gateway = start(0)) {
            gateway.apply(config(node));
            assertThat(said.texts).isEmpty();
        }
    }
}
