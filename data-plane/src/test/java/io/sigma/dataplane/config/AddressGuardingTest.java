package io.sigma.dataplane.config;

import static io.sigma.dataplane.testkit.GatewayHarness.await;
import static io.sigma.dataplane.testkit.GatewayHarness.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sigma.dataplane.snapshot.SnapshotRefused;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestSettings;
import io.sigma.model.DnsRecords;
import io.sigma.model.HealthCheck;
import io.sigma.model.JwtPlugin;
import io.sigma.model.Mirror;
import io.sigma.model.Node;
import io.sigma.model.NodeDiscovery;
import io.sigma.model.Plugins;
import io.sigma.model.Router;
import io.sigma.model.TracingPlugin;
import io.sigma.model.Upstream;
import io.sigma.snapshot.ResourceType;
import io.sigma.snapshot.Snapshot;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Addresses that a gateway does not connect to, whatever names them: its own port of metrics stands for all of them.
 */
final class AddressGuardingTest {

    private final int port = Config.freePort();

    @TempDir
    private Path dir;

    private GatewayHarness harness;
    private TestNode node;

    @BeforeEach
    void start() {
        harness = GatewayHarness.start(TestSettings.of(dir.resolve("data"))
                .accessLog(dir.resolve("access.log").toString(), 1024)
                .build());
        node = TestNode.named("ok");
    }

    @AfterEach
    void stop() {
        node.close();
        harness.close();
    }

    private int own() {
        return harness.gateway().telemetryPort();
    }

    private RawClient.Answer get() throws Exception {
        return RawClient.get(port, "a", "/metrics");
    }

    private String metrics() throws Exception {
        return RawClient.get(own(), "a", "/metrics").text();
    }

    private static double refused(String metrics) {
        return metrics.lines()
                .filter(line -> line.startsWith("sigma_addresses_refused_total "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .findFirst()
                .orElse(-1);
    }

    @Test
    void noFormOfThisMachineLeadsToTheGatewaysOwnPorts() throws Exception {
        int asked = 0;
        for (String host : new String[] {
            "127.0.0.1",
            "localhost",
            InetAddress.getLocalHost().getHostName(),
            InetAddress.getLocalHost().getHostAddress(),
            "127.9.9.9",
            "[::1]",
            "[::127.0.0.1]",
            "[::ffff:127.0.0.1]",
            "0.0.0.0",
            "[::]"
        }) {
            harness.apply(Config.forwarding(port, "http://" + host + ":" + own()));
            assertThat(get().status()).as(host).isIn(502, 504);
            asked++;
        }
        assertThat(refused(metrics())).isGreaterThanOrEqualTo(asked - 2);
        assertThat(metrics()).contains("outcome=\"address_refused\"");
        eventually(() -> log().contains("\"error\":\"address_refused\""));
    }

    private String log() {
        try {
            return Files.readString(dir.resolve("access.log"));
        } catch (java.io.IOException e) {
            return "";
        }
    }

    @Test
    void theNextNodeIsAskedInstead() throws Exception {
        harness.apply(Config.forwarding(port, "http://127.0.0.1:" + own(), node.url()));
        for (int i = 0; i < 4; i++) {
            assertThat(get().text()).isEqualTo("ok");
        }
    }

    @Test
    void otherPortsOfThisMachineAreNodes() throws Exception {
        harness.apply(Config.forwarding(port, "http://localhost:" + node.port()));
        assertThat(get().text()).isEqualTo("ok");
    }

    @Test
    void gatewaysVoteAgainstWhatTheyWouldNotConnectTo() {
        harness.apply(Config.forwarding(port, node.url()));
        Config refused = Config.forwarding(port, node.url(), "http://169.254.169.254:80");
        assertThatThrownBy(() -> await(harness.gateway().snapshotTarget().prepare(Snapshot.of(99, refused.state()))))
                .isInstanceOfSatisfying(SnapshotRefused.class, e -> {
                    assertThat(e.pointer()).isEqualTo("/upstreams/nodes/nodes/1/url");
                    assertThat(e.detail()).contains("169.254.169.254", "expected: no cloud metadata address");
                });
    }

    static Stream<String> hostsOfThisMachine() throws Exception {
        return Stream.of(
                "localhost",
                "127.0.0.1",
                "127.0.0.2",
                "[::1]",
                "[::ffff:127.0.0.1]",
                "0.0.0.0",
                "[::]",
                InetAddress.getLocalHost().getHostAddress(),
                InetAddress.getLocalHost().getHostName());
    }

    @ParameterizedTest
    @MethodSource("hostsOfThisMachine")
    void voteNamesEveryFieldThatLeadsToItsOwnPort(String host) {
        Config good = Config.forwarding(port, node.url());
        harness.apply(good);
        String url = "http://" + host + ":" + own();
        TracingPlugin tracing =
                TracingPlugin.builder().endpoint(url + "/v1/traces").build();
        JwtPlugin jwt = JwtPlugin.builder().jwksUrl(url + "/keys").build();
        HealthCheck check = HealthCheck.builder().port(own()).build();
        Plugins traced = Plugins.builder().tracing(tracing).build();
        Plugins signed = Plugins.builder().jwt(jwt).build();
        refuses(
                "/proxyServers/web/plugins/tracing/endpoint",
                good.copy()
                        .with(
                                ResourceType.PROXY_SERVER,
                                "web",
                                one -> one.toBuilder().plugins(traced).build()));
        refuses(
                "/routers/all/plugins/jwt/jwksUrl",
                good.copy()
                        .with(
                                ResourceType.ROUTER,
                                "all",
                                one -> one.toBuilder().plugins(signed).build()));
        refuses(
                "/routes/any/plugins/tracing/endpoint",
                good.copy()
                        .with(
                                ResourceType.ROUTE,
                                "any",
                                one -> one.toBuilder().plugins(traced).build()));
        refuses(
                "/proxyPasses/pass/plugins/jwt/jwksUrl",
                good.copy()
                        .with(
                                ResourceType.PROXY_PASS,
                                "pass",
                                one -> one.toBuilder().plugins(signed).build()));
        refuses("/upstreams/unnamed/nodes/0/url", good.copy().upstream("unnamed", url));
        refuses(
                "/upstreams/unnamed/healthCheck/port",
                good.copy()
                        .upstream(Upstream.builder()
                                .id("unnamed")
                                .nodes(List.of(Node.builder()
                                        .url("http://" + host + ":81")
                                        .build()))
                                .healthCheck(check)
                                .build()),
                "/upstreams/unnamed/nodes/0/url");
        refuses(
                "/upstreams/unnamed/discovery/url",
                good.copy()
                        .upstream(Upstream.builder()
                                .id("unnamed")
                                .nodes(List.of())
                                .discovery(NodeDiscovery.builder()
                                        .type("DNS")
                                        .url(url)
                                        .build())
                                .build()),
                "/upstreams/unnamed");
        boolean literal = host.startsWith("[") || Character.isDigit(host.charAt(0));
        if (literal) {
            refuses(
                    "/upstreams/unnamed/discovery/servers/0",
                    good.copy()
                            .upstream(Upstream.builder()
                                    .id("unnamed")
                                    .nodes(List.of())
                                    .discovery(NodeDiscovery.builder()
                                            .type("DNS")
                                            .url("http://shop.test:80")
                                            .servers(List.of(host + ":" + own()))
                                            .build())
                                    .build()));
        }
    }

    /**
     * The gateway votes against it at {@code pointer}, or at one of {@code others}, which are refused whatever the port
     * is.
     */
    private void refuses(String pointer, Config config, String... others) {
        assertThatThrownBy(() -> await(harness.gateway().snapshotTarget().prepare(Snapshot.of(99, config.state()))))
                .as(pointer)
                .isInstanceOfSatisfying(
                        SnapshotRefused.class,
                        e -> assertThat(Stream.concat(Stream.of(pointer), Stream.of(others))
                                        .anyMatch(e.pointer()::startsWith))
                                .as(e.pointer() + " " + e.detail())
                                .isTrue());
    }

    @Test
    void whatIsServedAlreadyDoesNotHoldUpOtherChanges() throws Exception {
        Plugins traced = Plugins.builder()
                .tracing(TracingPlugin.builder()
                        .endpoint("http://localhost:" + own() + "/v1/traces")
                        .build())
                .build();
        Config stored = Config.forwarding(port, node.url())
                .with(
                        ResourceType.ROUTER,
                        "all",
                        (Router router) -> router.toBuilder().plugins(traced).build());
        harness.apply(stored);
        await(harness.gateway()
                .snapshotTarget()
                .prepare(Snapshot.of(
                        99,
                        stored.with(
                                        ResourceType.ROUTER,
                                        "all",
                                        (Router router) -> router.toBuilder()
                                                .hosts(List.of("a"))
                                                .build())
                                .state())));
    }

    @Test
    void mirrorsAreNotSentThere() throws Exception {
        harness.apply(Config.forwarding(port, node.url())
                .upstream("copy", "http://localhost:" + own())
                .with(
                        ResourceType.PROXY_PASS,
                        "pass",
                        pass -> pass.toBuilder()
                                .mirror(Mirror.builder().upstreamId("copy").build())
                                .build()));
        assertThat(get().text()).isEqualTo("ok");
        eventually(() -> refusedNow() > 0);
    }

    private double refusedNow() {
        try {
            return refused(metrics());
        } catch (Exception e) {
            return -1;
        }
    }

    @Test
    void spansAreNotSentThere() throws Exception {
        Plugins tracing = Plugins.builder()
                .tracing(TracingPlugin.builder()
                        .endpoint("http://localhost:" + own() + "/v1/traces")
                        .build())
                .build();
        harness.apply(Config.forwarding(port, node.url())
                .with(
                        ResourceType.ROUTER,
                        "all",
                        (Router router) -> router.toBuilder().plugins(tracing).build()));
        assertThat(get().text()).isEqualTo("ok");
        eventually(() -> refusedNow() > 0);
    }

    @Test
    void serversOfDiscoveryAreNotAskedThere() throws Exception {
        harness.apply(Config.forwarding(port, node.url())
                .upstream(Upstream.builder()
                        .id("nodes")
                        .nodes(List.of())
                        .discovery(NodeDiscovery.builder()
                                .type("DNS")
                                .records(DnsRecords.ADDRESS)
                                .url("http://shop.test:" + node.port())
                                .servers(List.of("169.254.169.253"))
                                .build())
                        .build()));
        assertThat(get().status()).isEqualTo(503);
        assertThat(refusedNow()).isGreaterThan(0);
    }
}
