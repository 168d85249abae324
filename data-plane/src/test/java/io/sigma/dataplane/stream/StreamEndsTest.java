package io.sigma.dataplane.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.SocketNode;
import io.sigma.model.Protocol;
import io.sigma.model.Timeouts;
import io.sigma.snapshot.ResourceType;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The ends of TCP connections: by a limit, by a reset, by a change of the configuration. */
final class StreamEndsTest extends StreamContract {

    @Test
    void idleConnectionEnds() throws Exception {
        try (SocketNode node = SocketNode.echo()) {
            gateway()
                    .apply(passing(Protocol.TCP, node.url())
                            .server(server(Protocol.TCP)
                                    .limits(limits().streamIdleTimeoutMillis(300)
                                            .build())
                                    .build()));
            try (Socket client = connect()) {
                client.getOutputStream().write(1);
                assertThat(client.getInputStream().read()).isEqualTo(1);
                assertThat(client.getInputStream().read()).isEqualTo(-1);
            }
            assertThat(record().path("end").asText()).isEqualTo("idle_timeout");
        }
    }

    @Test
    void connectionEndsAfterItsLifetime() throws Exception {
        try (SocketNode node = SocketNode.echo()) {
            gateway()
                    .apply(passing(Protocol.TCP, node.url())
                            .with(
                                    ResourceType.PROXY_PASS,
                                    "pass",
                                    pass -> pass.toBuilder()
                                            .timeouts(Timeouts.builder()
                                                    .totalMillis(500)
                                                    .build())
                                            .build()));
            try (Socket client = connect()) {
                int passed = 0;
                while (isEchoed(client)) {
                    passed++;
                    TimeUnit.MILLISECONDS.sleep(20);
                }
                assertThat(passed).isPositive();
            }
            assertThat(record().path("end").asText()).isEqualTo("lifetime");
        }
    }

    private static boolean isEchoed(Socket client) throws IOException {
        try {
            client.getOutputStream().write(1);
            return client.getInputStream().read() == 1;
        } catch (SocketException e) {
            return false;
        }
    }

    @Test
    void resetIsPassedOn() throws Exception {
        try (SocketNode node = SocketNode.start(socket -> {
            socket.getOutputStream().write(bytes("part"));
            socket.getInputStream().readNBytes(1);
            socket.setSoLinger(true, 0);
        })) {
            gateway().apply(passing(Protocol.TCP, node.url()));
            try (Socket client = connect()) {
                assertThat(text(client.getInputStream().readNBytes(4))).isEqualTo("part");
                client.getOutputStream().write(1);
                assertThat(isReset(client)).isTrue();
            }
            assertThat(record().path("end").asText()).isEqualTo("node_reset");
        }
    }

    private static boolean isReset(Socket socket) throws IOException {
        try {
            socket.getInputStream().readAllBytes();
            return false;
        } catch (SocketException e) {
            return true;
        }
    }

    @Test
    void resetOfTheClientReachesTheNode() throws Exception {
        CountDownLatch reset = new CountDownLatch(1);
        try (SocketNode node = SocketNode.start(socket -> {
            socket.getOutputStream().write(1);
            if (isReset(socket)) {
                reset.countDown();
            }
        })) {
            gateway().apply(passing(Protocol.TCP, node.url()));
            Socket client = connect();
            assertThat(client.getInputStream().read()).isEqualTo(1);
            client.setSoLinger(true, 0);
            client.close();
            assertThat(reset.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(record().path("end").asText()).isEqualTo("client_reset");
        }
    }

    @Test
    void connectionSurvivesChangesOfTheConfiguration() throws Exception {
        try (SocketNode node = SocketNode.echo();
                SocketNode other = SocketNode.greeting("other")) {
            Config config = passing(Protocol.TCP, node.url());
            gateway().apply(config);
            try (Socket client = connect()) {
                client.getOutputStream().write(1);
                assertThat(client.getInputStream().read()).isEqualTo(1);
                gateway()
                        .apply(config.router(router("all", null, "elsewhere"))
                                .pass("elsewhere", "others")
                                .upstream("others", other.url()));
                try (Socket later = connect()) {
                    assertThat(rest(later)).isEqualTo("other");
                }
                TimeUnit.MILLISECONDS.sleep(DRAIN_MILLIS + 1_500);
                client.getOutputStream().write(2);
                assertThat(client.getInputStream().read()).isEqualTo(2);
                client.shutdownOutput();
                assertThat(client.getInputStream().read()).isEqualTo(-1);
            }
            assertThat(records(2).getLast().path("revision").asLong()).isEqualTo(1);
        }
    }

    @Test
    void connectionsStayWhoseUpstreamNoProxyPassNamesAnyMore() throws Exception {
        try (SocketNode node = SocketNode.echo();
                SocketNode other = SocketNode.greeting("other")) {
            Config config = passing(Protocol.TCP, node.url());
            gateway().apply(config);
            try (Socket client = connect()) {
                client.getOutputStream().write(1);
                assertThat(client.getInputStream().read()).isEqualTo(1);
                gateway().apply(config.copy().pass("pass", "others").upstream("others", other.url()));
                try (Socket later = connect()) {
                    assertThat(rest(later)).isEqualTo("other");
                }
                TimeUnit.MILLISECONDS.sleep(DRAIN_MILLIS + 1_500);
                client.getOutputStream().write(2);
                assertThat(client.getInputStream().read()).isEqualTo(2);
            }
        }
    }

    @Test
    void drainIsTakenBackWithTheChangeThatBeganIt() throws Exception {
        try (SocketNode node = SocketNode.echo()) {
            Config config = passing(Protocol.TCP, node.url());
            gateway().apply(config);
            try (Socket client = connect()) {
                client.getOutputStream().write(1);
                assertThat(client.getInputStream().read()).isEqualTo(1);
                gateway()
                        .apply(config.copy()
                                .with(
                                        ResourceType.UPSTREAM,
                                        "nodes",
                                        upstream -> upstream.toBuilder()
                                                .nodes(List.of(upstream.nodes().getFirst().toBuilder()
                                                        .drain(true)
                                                        .build()))
                                                .build()));
                // Connections are looked at once a second.
                TimeUnit.MILLISECONDS.sleep(1_200);
                gateway().apply(config);
                TimeUnit.MILLISECONDS.sleep(DRAIN_MILLIS + 1_500);
                client.getOutputStream().write(2);
                assertThat(client.getInputStream().read()).isEqualTo(2);
            }
        }
    }

    @Test
    void connectionsOfANodeThatDrainsEndByADeadline() throws Exception {
        try (SocketNode node = SocketNode.echo();
                SocketNode other = SocketNode.greeting("other")) {
            Config config = passing(Protocol.TCP, node.url(), other.url());
            gateway().apply(passing(Protocol.TCP, node.url()));
            try (Socket client = connect()) {
                client.getOutputStream().write(1);
                assertThat(client.getInputStream().read()).isEqualTo(1);
                gateway()
                        .apply(config.with(
                                ResourceType.UPSTREAM,
                                "nodes",
                                upstream -> upstream.toBuilder()
                                        .nodes(List.of(
                                                upstream.nodes().getFirst().toBuilder()
                                                        .drain(true)
                                                        .build(),
                                                upstream.nodes().getLast()))
                                        .build()));
                try (Socket later = connect()) {
                    assertThat(rest(later)).isEqualTo("other");
                }
                client.getOutputStream().write(2);
                assertThat(client.getInputStream().read()).isEqualTo(2);
                assertThat(client.getInputStream().read()).isEqualTo(-1);
            }
            assertThat(records(2).getLast().path("end").asText()).isEqualTo("drained");
        }
    }

    @Test
    void removedProxyServerEndsItsConnectionsByTheDeadline() throws Exception {
        try (SocketNode node = SocketNode.echo()) {
            gateway().apply(passing(Protocol.TCP, node.url()));
            try (Socket client = connect()) {
                client.getOutputStream().write(1);
                assertThat(client.getInputStream().read()).isEqualTo(1);
                gateway().apply(new Config());
                client.getOutputStream().write(2);
                assertThat(client.getInputStream().read()).isEqualTo(2);
                assertThat(isClosed(client)).isTrue();
            }
            assertThat(record().path("end").asText()).isEqualTo("drained");
        }
    }

    private static boolean isClosed(Socket client) throws IOException {
        try {
            return client.getInputStream().read() < 0;
        } catch (SocketException e) {
            return true;
        }
    }
}
