package io.sigma.dataplane;

import static io.sigma.dataplane.GatewayHarness.await;
import static io.sigma.dataplane.GatewayHarness.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sigma.dataplane.snapshot.SnapshotRefused;
import io.sigma.model.DnsRecords;
import io.sigma.model.Mirror;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a gateway does not connect to, whoever asks it to: its own port of metrics stands for all of them. */
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
            "2130706433",
            "0x7f000001",
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
