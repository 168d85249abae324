package io.sigma.dataplane.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.snapshot.SnapshotRefused;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestSettings;
import io.sigma.model.Route;
import io.sigma.model.ServerLimits;
import io.sigma.snapshot.ResourceType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Snapshots that follow one another while requests run. */
final class ConfigChangeTest extends EngineContract {

    @Test
    void noRequestFailsWhileRoutesAndNodesChange() throws Exception {
        try (TestNode one = TestNode.named("one");
                TestNode two = TestNode.named("two");
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            gateway().apply(forwarding(one.url()));
            AtomicBoolean stop = new AtomicBoolean();
            AtomicInteger served = new AtomicInteger();
            List<Future<?>> load = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                load.add(clients.submit(() -> {
                    try (RawClient client = RawClient.connect(port())) {
                        while (!stop.get()) {
                            client.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n");
                            assertThat(client.read().status()).isEqualTo(200);
                            served.incrementAndGet();
                        }
                    }
                    return null;
                }));
            }
            for (int i = 0; i < 40; i++) {
                Config next = forwarding(i % 2 == 0 ? two.url() : one.url()).route("r" + i, "all", "/x/" + i, "pass");
                if (i % 4 == 0) {
                    next.server("more", Config.freePort());
                }
                gateway().apply(next);
                int before = served.get();
                GatewayHarness.eventually(() -> served.get() > before);
            }
            stop.set(true);
            for (Future<?> client : load) {
                client.get(20, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void changedRoutesLeaveTheConnectionsOfClientsAlone() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send("GET /new HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(client.read().status()).isEqualTo(200);
                gateway()
                        .apply(forwarding(node.url())
                                .with(
                                        ResourceType.ROUTE,
                                        "any",
                                        route -> route.toBuilder().path("/new").build()));
                client.send("GET /new HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(client.read().status()).isEqualTo(200);
                client.send("GET /old HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(client.read().status()).isEqualTo(404);
            }
            assertThat(node.accepted()).isEqualTo(1);
        }
    }

    @Test
    void portOpensAndClosesWhileOthersServe() throws Exception {
        int more = Config.freePort();
        int moved = Config.freePort();
        try (TestNode node = TestNode.named("ok")) {
            Config config = forwarding(node.url());
            gateway().apply(config);
            try (RawClient client = RawClient.connect(port())) {
                Config two = config.copy()
                        .server("more", more)
                        .router("more", "more")
                        .route("more", "more", "/*", "pass");
                gateway().apply(two);
                assertThat(RawClient.get(more, "a", "/").status()).isEqualTo(200);
                gateway().apply(two.copy().server("more", moved));
                assertThat(RawClient.get(moved, "a", "/").status()).isEqualTo(200);
                GatewayHarness.eventually(() -> !isOpen(more));
                gateway().apply(config);
                GatewayHarness.eventually(() -> !isOpen(moved));
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(client.read().status()).isEqualTo(200);
            }
        }
    }

    @Test
    void limitsOfAListenerChangeOnTheSamePort() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            String target = "/" + "a".repeat(2000);
            assertThat(get(target).status()).isEqualTo(200);
            gateway()
                    .apply(forwarding(node.url())
                            .with(
                                    ResourceType.PROXY_SERVER,
                                    "web",
                                    server -> server.toBuilder()
                                            .limits(ServerLimits.builder()
                                                    .targetBytesMax(1000)
                                                    .build())
                                            .build()));
            GatewayHarness.eventually(() -> status(target) == 414);
            assertThat(get("/short").status()).isEqualTo(200);
        }
    }

    @Test
    void portThatIsTakenRefusesTheSnapshotAndChangesNothing() throws Exception {
        int more = Config.freePort();
        try (TestNode node = TestNode.named("ok");
                ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            gateway().apply(forwarding(node.url()));
            SnapshotRefused refused = gateway()
                    .refused(forwarding(node.url())
                            .server("a-more", more)
                            .server("taken", taken.getLocalPort())
                            .route("other", "all", "/other", "pass"));
            assertThat(refused.pointer()).isEqualTo("/proxyServers/taken/port");
            assertThat(refused.detail()).contains(String.valueOf(taken.getLocalPort()));
            assertThat(get("/").status()).isEqualTo(200);
            GatewayHarness.eventually(() -> !isOpen(more));
            assertThat(gateway().gateway().snapshotTarget().current().revision())
                    .isEqualTo(1);
        }
    }

    @Test
    void portThatBecomesFreeAMomentLaterIsListenedOn() throws Exception {
        ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            int port = taken.getLocalPort();
            Thread leaving = Thread.ofVirtual().start(() -> {
                try (taken) {
                    Thread.sleep(150);
                } catch (IOException | InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            gateway().apply(forwarding(node.url()).server("late", port));
            leaving.join();
            assertThat(isOpen(port)).isTrue();
        }
    }

    @Test
    void stateThatIsNotRightIsRefusedWithThePlace() {
        Config config = forwarding("http://127.0.0.1:1");
        gateway().apply(config);
        assertThat(gateway()
                        .refused(config.copy().route("x", "all", "/x", "missing"))
                        .pointer())
                .isEqualTo("/routes/x/proxyPassId");
        assertThat(gateway()
                        .refused(config.copy()
                                .route(Route.builder()
                                        .id("x")
                                        .routerId("all")
                                        .path("~[")
                                        .proxyPassId("pass")
                                        .build()))
                        .pointer())
                .isEqualTo("/routes/x/path");
        assertThat(gateway()
                        .refused(config.copy().without(ResourceType.UPSTREAM, "nodes"))
                        .pointer())
                .isEqualTo("/proxyPasses/pass/upstreamId");
    }

    @Test
    void whatIsDisabledDoesNotExist() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            Config config = forwarding(node.url()).route("x", "all", "/x", "pass");
            gateway()
                    .apply(config.with(
                            ResourceType.ROUTE,
                            "any",
                            route -> route.toBuilder().enabled(false).build()));
            assertThat(get("/y").status()).isEqualTo(404);
            assertThat(get("/x").status()).isEqualTo(200);
            gateway()
                    .apply(config.with(
                            ResourceType.ROUTER,
                            "all",
                            router -> router.toBuilder().enabled(false).build()));
            assertThat(get("/x").status()).isEqualTo(404);
            gateway()
                    .apply(config.with(
                            ResourceType.PROXY_SERVER,
                            "web",
                            server -> server.toBuilder().enabled(false).build()));
            GatewayHarness.eventually(() -> !isOpen(port()));
        }
    }

    @Test
    void runningExchangeFinishesOnAListenerThatCloses() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        try (TestNode node = TestNode.start((request, connection) -> {
            asked.countDown();
            release.await(20, TimeUnit.SECONDS);
            connection.ok("late");
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();
                gateway().apply(new Config().server("other", Config.freePort()));
                GatewayHarness.eventually(() -> !isOpen(port()));
                release.countDown();
                assertThat(client.read().text()).isEqualTo("late");
            }
        }
    }

    @Test
    void connectionsBeyondTheLimitAreClosedAtOnce() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(forwarding(node.url())
                            .with(
                                    ResourceType.PROXY_SERVER,
                                    "web",
                                    server -> server.toBuilder()
                                            .limits(ServerLimits.builder()
                                                    .connectionsMax(2)
                                                    .build())
                                            .build()));
            try (RawClient first = RawClient.connect(port());
                    RawClient second = RawClient.connect(port())) {
                first.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(first.read().status()).isEqualTo(200);
                second.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(second.read().status()).isEqualTo(200);
                try (RawClient third = RawClient.connect(port())) {
                    assertThat(third.isClosedByPeer()).isTrue();
                }
                second.socket().close();
                GatewayHarness.eventually(() -> status("/") == 200);
            }
        }
    }

    @Test
    void idleConnectionIsClosed() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(forwarding(node.url())
                            .with(
                                    ResourceType.PROXY_SERVER,
                                    "web",
                                    server -> server.toBuilder()
                                            .limits(ServerLimits.builder()
                                                    .idleTimeoutMillis(300)
                                                    .build())
                                            .build()));
            try (RawClient silent = RawClient.connect(port());
                    RawClient used = RawClient.connect(port())) {
                used.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(used.read().status()).isEqualTo(200);
                assertThat(used.isClosedByPeer()).isTrue();
                assertThat(silent.isClosedByPeer()).isTrue();
            }
        }
    }

    // --- Disk

    @Test
    void lastSnapshotIsServedAgainAfterARestart() throws Exception {
        int port = Config.freePort();
        Path dataDir = folder.resolve("restart");
        try (TestNode node = TestNode.named("again")) {
            try (GatewayHarness first =
                    GatewayHarness.start(TestSettings.of(dataDir).build())) {
                first.apply(Config.forwarding(port, node.url()));
            }
            try (GatewayHarness second =
                    GatewayHarness.start(TestSettings.of(dataDir).build())) {
                assertThat(RawClient.get(port, "a", "/").text()).isEqualTo("again");
                assertThat(second.gateway().snapshotTarget().current().revision())
                        .isEqualTo(1);
                assertThat(second.gateway().isReady()).isTrue();
            }
        }
    }

    @Test
    void damagedSnapshotIsSetAsideAndTheGatewayStarts() throws Exception {
        int port = Config.freePort();
        Path dataDir = folder.resolve("damaged");
        Path file = dataDir.resolve("snapshot.bin");
        try (GatewayHarness first =
                GatewayHarness.start(TestSettings.of(dataDir).build())) {
            first.apply(Config.forwarding(port, "http://127.0.0.1:1"));
            GatewayHarness.eventually(() -> Files.exists(file));
        }
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 0x55;
        Files.write(file, bytes);
        try (GatewayHarness second =
                GatewayHarness.start(TestSettings.of(dataDir).build())) {
            assertThat(second.gateway().isReady()).isFalse();
            assertThat(dataDir.resolve("snapshot.bin.damaged")).exists();
            assertThat(telemetry(second, "/health/ready").status()).isEqualTo(503);
            assertThat(telemetry(second, "/health/live").status()).isEqualTo(200);
            second.apply(Config.forwarding(port, "http://127.0.0.1:1"));
            assertThat(telemetry(second, "/health/ready").status()).isEqualTo(200);
        }
    }

    @Test
    void twoGatewaysInOneProcessShareNothing() throws Exception {
        int port = Config.freePort();
        try (TestNode one = TestNode.named("one");
                TestNode two = TestNode.named("two");
                GatewayHarness other = GatewayHarness.start(
                        TestSettings.of(folder.resolve("other")).build())) {
            gateway().apply(forwarding(one.url()));
            other.apply(Config.forwarding(port, two.url()));
            assertThat(get("/").text()).isEqualTo("one");
            assertThat(RawClient.get(port, "a", "/").text()).isEqualTo("two");
            // It is counted once it is sent, which the client may notice first.
            GatewayHarness.eventually(() -> counts(other));
        }
    }

    private static boolean counts(GatewayHarness gateway) {
        try {
            return telemetry(gateway, "/metrics").text().contains("sigma_requests_total");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static RawClient.Answer telemetry(GatewayHarness gateway, String target) throws IOException {
        return RawClient.get(gateway.gateway().telemetryPort(), "localhost", target);
    }

    private int status(String target) {
        try {
            return get(target).status();
        } catch (Exception e) {
            return -1;
        }
    }

    private static boolean isOpen(int port) {
        try (RawClient client = RawClient.connect(port)) {
            return client.socket().isConnected();
        } catch (IOException e) {
            return false;
        }
    }
}
