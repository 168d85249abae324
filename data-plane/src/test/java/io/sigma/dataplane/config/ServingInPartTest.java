package io.sigma.dataplane.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sigma.dataplane.snapshot.SnapshotRefused;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestSettings;
import io.sigma.model.Protocol;
import io.sigma.model.ServerTls;
import io.sigma.snapshot.ResourceType;
import io.sigma.snapshot.Snapshot;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A gateway that starts opens the listeners that it can open, says which it cannot, and opens these as soon as it can.
 */
final class ServingInPartTest {

    @TempDir
    Path dir;

    private final int port = Config.freePort();

    private GatewayHarness start() {
        return GatewayHarness.start(TestSettings.of(dir).build());
    }

    private static Config config(int port, String nodeUrl, int taken) {
        return Config.forwarding(port, nodeUrl).server("a-taken", taken);
    }

    private static String ready(GatewayHarness harness) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            URI uri = URI.create("http://127.0.0.1:" + harness.gateway().telemetryPort() + "/health/ready");
            return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                    .body()
                    .strip();
        }
    }

    private void servesAllButTheTakenOne(GatewayHarness harness, int taken) throws Exception {
        assertThat(RawClient.get(port, "a", "/").status()).isEqualTo(200);
        assertThat(harness.gateway().snapshotTarget().current().revision()).isZero();
        assertThat(harness.gateway().missingListeners()).containsOnlyKeys("a-taken");
        assertThat(harness.gateway().missingListeners().get("a-taken").detail())
                .contains("127.0.0.1:" + taken + " cannot be listened on");
        assertThat(ready(harness)).isEqualTo("{\"status\":\"UP\",\"missingListeners\":1}");
    }

    @Test
    void oneTakenPortDoesNotKeepTheOthersClosedOnAnEmptyDisk() throws Exception {
        try (TestNode node = TestNode.named("ok");
                GatewayHarness harness = start()) {
            try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                Config config = config(port, node.url(), taken.getLocalPort());
                SnapshotRefused refused = harness.refused(config);
                assertThat(refused.pointer()).isEqualTo("/proxyServers/a-taken/port");
                servesAllButTheTakenOne(harness, taken.getLocalPort());

                Snapshot again = Snapshot.of(1, config.state());
                assertThatThrownBy(() -> GatewayHarness.await(
                                harness.gateway().snapshotTarget().apply(again)))
                        .hasMessage(refused.getMessage());
                servesAllButTheTakenOne(harness, taken.getLocalPort());

                harness.refused(config.copy().route("gone", "all", "/gone", "pass"));
                servesAllButTheTakenOne(harness, taken.getLocalPort());
            }
            GatewayHarness.eventually(
                    () -> harness.gateway().snapshotTarget().current().revision() == 2);
            assertThat(harness.gateway().missingListeners()).isEmpty();
            assertThat(ready(harness)).isEqualTo("{\"status\":\"UP\"}");
        }
    }

    @Test
    void oneTakenPortDoesNotKeepTheOthersClosedAfterARestart() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            int later = Config.freePort();
            try (GatewayHarness harness = start()) {
                harness.apply(config(port, node.url(), later));
            }
            ServerSocket taken = new ServerSocket(later, 1, InetAddress.getLoopbackAddress());
            try (GatewayHarness harness = start()) {
                servesAllButTheTakenOne(harness, later);
                taken.close();
                GatewayHarness.eventually(
                        () -> harness.gateway().snapshotTarget().current().revision() == 1);
            } finally {
                taken.close();
            }
        }
    }

    @Test
    void oneCertificateThatIsMissingDoesNotKeepTheOthersClosed() throws Exception {
        try (TestNode node = TestNode.named("ok");
                GatewayHarness harness = start()) {
            int tlsPort = Config.freePort();
            SnapshotRefused refused = harness.refused(Config.forwarding(port, node.url())
                    .server("secure", tlsPort)
                    .with(
                            ResourceType.PROXY_SERVER,
                            "secure",
                            server -> server.toBuilder()
                                    .protocol(Protocol.HTTPS)
                                    .tls(ServerTls.builder()
                                            .certPath("cert.pem")
                                            .keyPath("key.pem")
                                            .build())
                                    .build()));
            assertThat(refused.pointer()).startsWith("/proxyServers/secure/tls");
            assertThat(RawClient.get(port, "a", "/").status()).isEqualTo(200);
            assertThat(harness.gateway().missingListeners()).containsOnlyKeys("secure");
        }
    }

    @Test
    void whatIsServedAsAWholeIsNotReplacedByAPart() throws Exception {
        try (TestNode node = TestNode.named("ok");
                GatewayHarness harness = start();
                ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            harness.apply(Config.forwarding(port, node.url()));
            harness.refused(config(port, node.url(), taken.getLocalPort()).route("new", "all", "/new", "pass"));
            assertThat(harness.gateway().snapshotTarget().current().revision()).isEqualTo(1);
            assertThat(harness.gateway().missingListeners()).isEmpty();
        }
    }

    @Test
    void aVoteAndAnApplicationLookANameUpInTheSameWay() throws Exception {
        try (TestNode node = TestNode.named("ok");
                GatewayHarness harness = start()) {
            Config config = Config.forwarding(port, node.url());
            harness.apply(config.copy()
                    .with(
                            ResourceType.PROXY_SERVER,
                            "web",
                            server -> server.toBuilder().host("localhost").build()));
            assertThat(RawClient.get(port, "a", "/").status()).isEqualTo(200);
            SnapshotRefused refused = harness.refused(config.copy()
                    .with(
                            ResourceType.PROXY_SERVER,
                            "web",
                            server -> server.toBuilder()
                                    .host("no-such-name.invalid")
                                    .build()));
            assertThat(refused.pointer()).isEqualTo("/proxyServers/web/port");
            assertThat(refused.detail()).contains("its name leads to no address");
        }
    }
}
