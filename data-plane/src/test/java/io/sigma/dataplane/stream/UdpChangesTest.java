package io.sigma.dataplane.stream;

import static io.sigma.dataplane.testkit.GatewayHarness.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.DatagramNode;
import io.sigma.dataplane.testkit.SocketNode;
import io.sigma.model.Protocol;
import io.sigma.model.ProxyServer;
import io.sigma.snapshot.ResourceType;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Sessions live through changes of the configuration, and end by a deadline where they must. */
final class UdpChangesTest extends UdpContract {

    @Test
    void sessionSurvivesChangesOfTheConfiguration() throws Exception {
        try (DatagramNode node = DatagramNode.named("first");
                DatagramNode other = DatagramNode.named("other")) {
            Config config = udp(null, node.url());
            gateway().apply(config);
            try (Client client = client()) {
                assertThat(client.ask("a")).isEqualTo("first");
                gateway()
                        .apply(config.router(router("all", null, "elsewhere"))
                                .pass("elsewhere", "others")
                                .upstream("others", other.url())
                                .server(server(Protocol.UDP)
                                        .udp(udp().idleTimeoutMillis(2_000)
                                                .responsesMax(1)
                                                .build())
                                        .build()));
                try (Client later = client()) {
                    assertThat(later.ask("b")).isEqualTo("other");
                }
                assertThat(client.ask("c")).isEqualTo("first");
                TimeUnit.MILLISECONDS.sleep(DRAIN_MILLIS + 1_500);
                assertThat(client.ask("d")).isEqualTo("first");
                assertThat(new HashSet<>(node.senders())).hasSize(1);
            }
        }
    }

    @Test
    void sessionsOfANodeThatDrainsEndByADeadline() throws Exception {
        try (DatagramNode node = DatagramNode.named("first");
                DatagramNode other = DatagramNode.named("other")) {
            gateway().apply(udp(null, node.url()));
            try (Client client = client()) {
                assertThat(client.ask("a")).isEqualTo("first");
                gateway()
                        .apply(udp(null, node.url(), other.url())
                                .with(
                                        ResourceType.UPSTREAM,
                                        "nodes",
                                        upstream -> upstream.toBuilder()
                                                .nodes(List.of(
                                                        upstream.nodes().getFirst().toBuilder()
                                                                .drain(true)
                                                                .build(),
                                                        upstream.nodes().getLast()))
                                                .build()));
                try (Client later = client()) {
                    assertThat(later.ask("b")).isEqualTo("other");
                }
                assertThat(client.ask("c")).isEqualTo("first");
                assertThat(record().path("end").asText()).isEqualTo("drained");
                assertThat(client.ask("d")).isEqualTo("other");
            }
        }
    }

    @Test
    void removedProxyServerAnswersItsSessionsUntilTheDeadline() throws Exception {
        try (DatagramNode node = DatagramNode.echo()) {
            gateway().apply(udp(null, node.url()));
            try (Client client = client();
                    Client late = client()) {
                assertThat(client.ask("a")).isEqualTo("a");
                gateway().apply(new Config());
                assertThat(client.ask("b")).isEqualTo("b");
                late.send("c");
                assertThat(late.hearsNothing()).isTrue();
                assertThat(record().path("end").asText()).isEqualTo("drained");
            }
            eventually(this::isFree);
        }
    }

    private boolean isFree() {
        try (DatagramSocket probe =
                new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), port()))) {
            return probe.isBound();
        } catch (SocketException e) {
            return false;
        }
    }

    @Test
    void proxyServerTakesThePlaceOfAnother() throws Exception {
        try (DatagramNode node = DatagramNode.named("first");
                DatagramNode other = DatagramNode.named("other")) {
            gateway().apply(udp(null, node.url()));
            try (Client client = client()) {
                assertThat(client.ask("a")).isEqualTo("first");
                ProxyServer next = server(Protocol.UDP).id("next").build();
                gateway()
                        .apply(new Config()
                                .server(next)
                                .router(router("all", null, "pass").toBuilder()
                                        .proxyServerId("next")
                                        .build())
                                .pass("pass", "nodes")
                                .upstream("nodes", other.url()));
                try (Client later = client()) {
                    assertThat(later.ask("b")).isEqualTo("other");
                }
                assertThat(client.ask("c")).isEqualTo("first");
                TimeUnit.MILLISECONDS.sleep(DRAIN_MILLIS + 200);
                assertThat(client.ask("d")).isEqualTo("other");
            }
        }
    }

    /** DNS has both. */
    @Test
    void portServesTcpAndUdp() throws Exception {
        try (DatagramNode node = DatagramNode.echo();
                SocketNode stream = SocketNode.greeting("tcp")) {
            Config config = udp(null, node.url())
                    .server(server(Protocol.TCP).id("stream").build())
                    .router(router("stream", null, "stream").toBuilder()
                            .proxyServerId("stream")
                            .build())
                    .pass("stream", "streams")
                    .upstream("streams", stream.url());
            gateway().apply(config);
            try (Client client = client();
                    Socket socket = connect()) {
                assertThat(client.ask("a")).isEqualTo("a");
                assertThat(rest(socket)).isEqualTo("tcp");
            }
        }
    }

    @Test
    void takenAddressIsRefused() throws Exception {
        try (DatagramNode node = DatagramNode.echo();
                DatagramSocket taken =
                        new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), port()))) {
            assertThat(gateway().refused(udp(null, node.url())).pointer()).isEqualTo("/proxyServers/in/port");
            assertThat(taken.isBound()).isTrue();
        }
    }
}
