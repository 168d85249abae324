package io.sigma.dataplane.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.exchange.ClientKey;
import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestSettings;
import io.sigma.dataplane.upstream.pool.SocketBudget;
import io.sigma.model.Pool;
import io.sigma.snapshot.ResourceType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SocketBudgetTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    @TempDir
    private Path folder;

    @Test
    void clientsLeaveSocketsForNodes() {
        SocketBudget sockets = new SocketBudget(16);
        for (int i = 0; i < 14; i++) {
            assertThat(sockets.tryClient(ClientKey.NOBODY)).isTrue();
        }
        assertThat(sockets.tryClient(ClientKey.NOBODY)).isFalse();
        assertThat(sockets.tryNode()).isTrue();
        assertThat(sockets.tryNode()).isTrue();
        assertThat(sockets.tryNode()).isFalse();
        sockets.closed();
        assertThat(sockets.tryNode()).isTrue();
    }

    @Test
    void limitOfOpenFilesOfTheProcessIsKept() {
        SocketBudget sockets = SocketBudget.ofProcess();
        assertThat(sockets.tryClient(ClientKey.NOBODY)).isTrue();
    }

    @Test
    void clientsBeyondTheBudgetAreClosedAndTheOthersAreServed() throws Exception {
        try (TestNode node = TestNode.named("ok");
                GatewayHarness gateway = GatewayHarness.start(GatewaySettings.embedded(folder), new SocketBudget(16))) {
            int port = Config.freePort();
            gateway.apply(Config.forwarding(port, node.url()));
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                clients.add(RawClient.connect(port));
                assertThat(answer(clients.getLast())).isEqualTo(200);
            }
            // How many fit depends on how many event loops have a connection to the node; not all of these do.
            List<RawClient> further = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                further.add(RawClient.connect(port));
            }
            assertThat(further.getLast().isClosedByPeer()).isTrue();
            for (RawClient client : further) {
                client.close();
            }
            GatewayHarness.eventually(() -> isServed(port));
            for (RawClient client : clients) {
                assertThat(answer(client)).isEqualTo(200);
                client.close();
            }
        }
    }

    @Test
    void requestForWhichNoSocketIsLeftIsAnsweredAndTheNodeIsNotBlamed() throws Exception {
        SocketBudget sockets = new SocketBudget(8);
        try (TestNode node = TestNode.named("ok");
                GatewayHarness gateway = GatewayHarness.start(GatewaySettings.embedded(folder), sockets)) {
            int port = Config.freePort();
            gateway.apply(Config.forwarding(port, node.url()));
            try (RawClient client = RawClient.connect(port)) {
                GatewayHarness.eventually(() -> sockets.open() == 1);
                for (int i = 0; i < 7; i++) {
                    assertThat(sockets.tryNode()).isTrue();
                }
                for (int i = 0; i < 10; i++) {
                    assertThat(answer(client)).isEqualTo(503);
                }
                sockets.closed();
                assertThat(answer(client)).isEqualTo(200);
            }
        }
    }

    /** Whoever may change an upstream must not take the sockets of all clients. */
    @Test
    void connectionsInAdvanceLeaveSocketsForClients() throws Exception {
        SocketBudget sockets = new SocketBudget(64);
        try (TestNode node = TestNode.named("ok");
                GatewayHarness gateway = GatewayHarness.start(GatewaySettings.embedded(folder), sockets)) {
            int port = Config.freePort();
            gateway.apply(Config.forwarding(port, node.url())
                    .with(
                            ResourceType.UPSTREAM,
                            "nodes",
                            upstream -> upstream.toBuilder()
                                    .pool(Pool.builder()
                                            .idleMin(1_000)
                                            .connectionsMax(1_000)
                                            .build())
                                    .build()));
            GatewayHarness.eventually(() -> sockets.open() >= 16);
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                clients.add(RawClient.connect(port));
                assertThat(answer(clients.getLast())).isEqualTo(200);
            }
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    private static boolean isServed(int port) {
        try (RawClient client = RawClient.connect(port)) {
            return answer(client) == 200;
        } catch (Exception e) {
            return false;
        }
    }

    private static int answer(RawClient client) throws Exception {
        client.send(GET);
        return client.read().status();
    }

    @Test
    void addressWithTooManyConnectionsLeavesSomeToOthers() throws Exception {
        GatewaySettings settings =
                TestSettings.of(folder).connectionsPerAddressMax(3).build();
        try (TestNode node = TestNode.named("ok");
                GatewayHarness gateway = GatewayHarness.start(settings, new SocketBudget(100))) {
            int port = Config.freePort();
            gateway.apply(Config.forwarding(port, node.url()));
            List<RawClient> crowd = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                crowd.add(RawClient.connect(port));
                assertThat(answer(crowd.getLast())).isEqualTo(200);
            }
            try (RawClient refused = RawClient.connect(port)) {
                assertThat(refused.isClosedByPeer()).isTrue();
            }
            try (RawClient other = from("127.0.0.2", port)) {
                assertThat(answer(other)).isEqualTo(200);
            }
            for (RawClient client : crowd) {
                assertThat(answer(client)).isEqualTo(200);
                client.close();
            }
            GatewayHarness.eventually(() -> isServed(port));
        }
    }

    @Test
    void proxyServerThatOneAddressFillsHasPlacesForOthers() throws Exception {
        try (TestNode node = TestNode.named("ok");
                GatewayHarness gateway = GatewayHarness.start(GatewaySettings.embedded(folder))) {
            int port = Config.freePort();
            gateway.apply(Config.forwarding(port, node.url())
                    .with(
                            ResourceType.PROXY_SERVER,
                            "web",
                            server -> server.toBuilder()
                                    .limits(server.limits().toBuilder()
                                            .connectionsMax(10)
                                            .build())
                                    .build()));
            List<RawClient> crowd = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                crowd.add(RawClient.connect(port));
            }
            try (RawClient other = from("127.0.0.2", port)) {
                assertThat(answer(other)).isEqualTo(200);
            }
            for (RawClient client : crowd) {
                client.close();
            }
        }
    }

    private static RawClient from(String address, int port) throws IOException {
        return new RawClient(new Socket(InetAddress.getLoopbackAddress(), port, InetAddress.ofLiteral(address), 0));
    }
}
