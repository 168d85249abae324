package io.sigma.dataplane.stream;

import static io.sigma.dataplane.testkit.GatewayHarness.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.dataplane.testkit.DatagramNode;
import io.sigma.model.HealthCheck;
import io.sigma.model.HealthCheckType;
import io.sigma.model.OutlierDetection;
import io.sigma.model.Pool;
import io.sigma.model.Protocol;
import io.sigma.model.Timeouts;
import io.sigma.model.Upstream;
import io.sigma.snapshot.ResourceType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The ends of sessions, and their largest number. */
final class UdpSessionsTest extends UdpContract {

    /** The number of times that a client listens for a response. */
    private static final int HEARD_MAX = 50;

    private static final String SESSIONS = "sigma_connections{proxy_server=\"in\"}";
    private static final String FULL =
            "sigma_udp_datagrams_dropped_total{proxy_server=\"in\",reason=\"sessions_full\"}";

    private double sessions() {
        try {
            return series(SESSIONS);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private String end() {
        return record().path("end").asText();
    }

    @Test
    void idleSessionEndsAndTheNextDatagramBeginsAnother() throws Exception {
        try (DatagramNode node = DatagramNode.echo()) {
            gateway().apply(udp(udp().idleTimeoutMillis(400), node.url()));
            try (Client client = client()) {
                for (int i = 0; i < 8; i++) {
                    // Longer than the timeout in all.
                    assertThat(client.ask("a")).isEqualTo("a");
                    TimeUnit.MILLISECONDS.sleep(100);
                }
                assertThat(new HashSet<>(node.senders())).hasSize(1);
                assertThat(end()).isEqualTo("idle_timeout");
                eventually(() -> sessions() == 0);
                assertThat(client.ask("b")).isEqualTo("b");
                assertThat(new HashSet<>(node.senders())).hasSize(2);
            }
        }
    }

    @Test
    void sessionEndsWithItsLastResponse() throws Exception {
        try (DatagramNode node = DatagramNode.answering(datagram -> List.of(datagram, datagram))) {
            gateway().apply(udp(udp().responsesMax(2), node.url()));
            try (Client client = client()) {
                assertThat(client.ask("a")).isEqualTo("a");
                assertThat(text(client.receive())).isEqualTo("a");
                JsonNode record = record();
                assertThat(record.path("end").asText()).isEqualTo("complete");
                assertThat(record.path("error").isMissingNode()).isTrue();
                assertThat(record.path("datagramsOut").asInt()).isEqualTo(2);
                node.send(node.senders().getFirst(), "too late");
                assertThat(client.hearsNothing()).isTrue();
            }
        }
    }

    /** A resolver asks for two kinds of address at once. */
    @Test
    void everyDatagramOfTheClientGetsItsResponse() throws Exception {
        try (DatagramNode node = DatagramNode.echo()) {
            gateway().apply(udp(udp().responsesMax(1), node.url()));
            for (int i = 0; i < 20; i++) {
                try (Client client = client()) {
                    client.send("a");
                    client.send("aaaa");
                    assertThat(List.of(text(client.receive()), text(client.receive())))
                            .containsExactlyInAnyOrder("a", "aaaa");
                }
            }
        }
    }

    @Test
    void sessionEndsWhenItsNodeIsSilent() throws Exception {
        try (DatagramNode node = DatagramNode.silent()) {
            gateway().apply(udp(udp().responsesMax(1).responseTimeoutMillis(200), node.url()));
            try (Client client = client()) {
                client.send("a");
                assertThat(end()).isEqualTo("response_timeout");
                assertThat(client.hearsNothing()).isTrue();
            }
            assertThat(record().path("durationMicros").asLong()).isGreaterThan(190_000);
        }
    }

    @Test
    void silenceBetweenDatagramsIsNoMissingResponse() throws Exception {
        try (DatagramNode node = DatagramNode.echo()) {
            gateway().apply(udp(udp().responseTimeoutMillis(200).idleTimeoutMillis(900), node.url()));
            try (Client client = client()) {
                assertThat(client.ask("a")).isEqualTo("a");
                TimeUnit.MILLISECONDS.sleep(500);
                assertThat(client.ask("b")).isEqualTo("b");
            }
            assertThat(end()).isEqualTo("idle_timeout");
            assertThat(new HashSet<>(node.senders())).hasSize(1);
        }
    }

    @Test
    void sessionEndsAfterItsLifetime() throws Exception {
        try (DatagramNode node = DatagramNode.echo()) {
            gateway()
                    .apply(udp(null, node.url())
                            .with(
                                    ResourceType.PROXY_PASS,
                                    "pass",
                                    pass -> pass.toBuilder()
                                            .timeouts(Timeouts.builder()
                                                    .totalMillis(400)
                                                    .build())
                                            .build()));
            try (Client client = client()) {
                for (int i = 0; new HashSet<>(node.senders()).size() < 2; i++) {
                    assertThat(answerOrEnd(client, "a" + i)).isIn("a" + i, "lifetime");
                    TimeUnit.MILLISECONDS.sleep(20);
                }
            }
            assertThat(end()).isEqualTo("lifetime");
        }
    }

    /** Returns the response, or how the session ended meanwhile: a response on its way is lost with it. */
    private String answerOrEnd(Client client, String question) throws IOException {
        int ended = ends().size();
        client.send(question);
        String answer = client.hear();
        for (int i = 0; answer == null && ends().size() == ended && i < HEARD_MAX; i++) {
            answer = client.hear();
        }
        if (answer == null) {
            // What was sent before the session ended is there by now.
            answer = client.hear();
        }
        return answer == null ? String.join(" ", ends().subList(ended, ends().size())) : answer;
    }

    @Test
    void allSessionsAreBounded() throws Exception {
        try (DatagramNode node = DatagramNode.echo()) {
            gateway()
                    .apply(udp(null, node.url())
                            .server(server(Protocol.UDP)
                                    .limits(limits().connectionsMax(5).build())
                                    .udp(udp().idleTimeoutMillis(500).build())
                                    .build()));
            List<Client> clients = new ArrayList<>();
            try {
                for (int i = 2; i < 7; i++) {
                    Client client = new Client(port(), "127.0.0." + i);
                    clients.add(client);
                    assertThat(client.ask("a")).isEqualTo("a");
                }
                try (Client more = new Client(port(), "127.0.0.20")) {
                    more.send("b");
                    assertThat(more.hearsNothing()).isTrue();
                    assertThat(series(FULL)).isEqualTo(1);
                    assertThat(sessions()).isLessThanOrEqualTo(5);
                    // Nobody but the one that was refused missed anything, and there is room again.
                    eventually(() -> sessions() == 0);
                    assertThat(more.ask("c")).isEqualTo("c");
                }
            } finally {
                clients.forEach(Client::close);
            }
        }
    }

    @Test
    void sessionsOfOneAddressAreBounded() throws Exception {
        try (DatagramNode node = DatagramNode.echo()) {
            gateway().apply(udp(udp().sessionsPerAddressMax(3), node.url()));
            List<Client> clients = new ArrayList<>();
            try {
                for (int i = 0; i < 3; i++) {
                    clients.add(client());
                    assertThat(clients.getLast().ask("a")).isEqualTo("a");
                }
                try (Client more = client();
                        Client other = new Client(port(), "127.0.0.2")) {
                    more.send("b");
                    assertThat(more.hearsNothing()).isTrue();
                    assertThat(other.ask("c")).isEqualTo("c");
                    assertThat(clients.getFirst().ask("d")).isEqualTo("d");
                }
                assertThat(series(FULL)).isEqualTo(1);
            } finally {
                clients.forEach(Client::close);
            }
        }
    }

    private static UnaryOperator<Upstream> upstream(UnaryOperator<Upstream.Builder> change) {
        return upstream -> change.apply(upstream.toBuilder()).build();
    }

    @Test
    void sessionsOfANodeAreBounded() throws Exception {
        try (DatagramNode node = DatagramNode.echo()) {
            gateway()
                    .apply(udp(null, node.url())
                            .with(
                                    ResourceType.UPSTREAM,
                                    "nodes",
                                    upstream(nodes -> nodes.pool(
                                            Pool.builder().tunnelsMax(1).build()))));
            try (Client first = client();
                    Client second = client()) {
                assertThat(first.ask("a")).isEqualTo("a");
                second.send("b");
                assertThat(end()).isEqualTo("tunnels_full");
                assertThat(first.ask("c")).isEqualTo("c");
            }
        }
    }

    /** The host of the node says by ICMP that nothing listens; the datagram goes to another node. */
    @Test
    void nextNodeGetsWhatOneDoesNotTake() throws Exception {
        try (DatagramNode node = DatagramNode.named("here")) {
            gateway().apply(udp(udp().responsesMax(1), unreachable(), node.url()));
            for (int i = 0; i < 6; i++) {
                try (Client client = client()) {
                    assertThat(client.ask("?")).isEqualTo("here");
                }
            }
            assertThat(records(6))
                    .allSatisfy(
                            record -> assertThat(record.path("end").asText()).isEqualTo("complete"))
                    .anySatisfy(record ->
                            assertThat(record.path("attempts").asInt()).isEqualTo(2));
        }
    }

    @Test
    void sessionEndsWhenNoNodeTakesIt() throws Exception {
        gateway().apply(udp(null, unreachable()));
        try (Client client = client()) {
            client.send("a");
            JsonNode record = record();
            assertThat(record.path("end").asText()).isEqualTo("connect_failed");
            assertThat(record.path("error").asText()).isEqualTo("connect_failed");
        }
    }

    @Test
    @SuppressWarnings("try") // The node is closed early.
    void sessionEndsWhenItsNodeGoesDown() throws Exception {
        try (DatagramNode node = DatagramNode.echo()) {
            gateway().apply(udp(null, node.url()));
            try (Client client = client()) {
                assertThat(client.ask("a")).isEqualTo("a");
                node.close();
                eventually(() -> {
                    send(client);
                    return !ends().isEmpty();
                });
                assertThat(ends()).contains("node_unreachable");
            }
        }
    }

    private List<String> ends() {
        return records(0).stream().map(record -> record.path("end").asText()).toList();
    }

    private static void send(Client client) {
        try {
            client.send("b");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void unreachableNodeIsEjected() throws Exception {
        try (DatagramNode node = DatagramNode.named("here")) {
            gateway()
                    .apply(udp(udp().responsesMax(1), unreachable(), node.url())
                            .with(
                                    ResourceType.UPSTREAM,
                                    "nodes",
                                    upstream(nodes -> nodes.outlierDetection(OutlierDetection.builder()
                                            .consecutiveFailures(1)
                                            .build()))));
            for (int i = 0; i < 4; i++) {
                try (Client client = client()) {
                    assertThat(client.ask("?")).isEqualTo("here");
                }
            }
            assertThat(series("sigma_nodes_state{state=\"ejected\",upstream=\"nodes\"}"))
                    .isEqualTo(1);
        }
    }

    @Test
    void silentNodeIsEjected() throws Exception {
        try (DatagramNode silent = DatagramNode.silent();
                DatagramNode node = DatagramNode.named("here")) {
            gateway()
                    .apply(udp(udp().responsesMax(1).responseTimeoutMillis(100), silent.url(), node.url())
                            .with(
                                    ResourceType.UPSTREAM,
                                    "nodes",
                                    upstream(nodes -> nodes.outlierDetection(OutlierDetection.builder()
                                            .consecutiveFailures(1)
                                            .build()))));
            for (int i = 0; i < 6 && silent.received().isEmpty(); i++) {
                try (Client client = client()) {
                    client.send("?");
                }
            }
            eventually(() -> ends().contains("response_timeout"));
            int before = silent.received().size();
            for (int i = 0; i < 6; i++) {
                try (Client client = client()) {
                    assertThat(client.ask("?")).isEqualTo("here");
                }
            }
            assertThat(silent.received()).hasSize(before);
        }
    }

    /** Whoever answers datagrams has a port of TCP beside that for its health. */
    @Test
    void healthIsCheckedOverTcp() throws Exception {
        try (DatagramNode sick = DatagramNode.named("sick");
                DatagramNode node = DatagramNode.named("here");
                ServerSocket healthy = new ServerSocket(node.port(), 10, InetAddress.getLoopbackAddress())) {
            gateway()
                    .apply(udp(udp().responsesMax(1), sick.url(), node.url())
                            .with(
                                    ResourceType.UPSTREAM,
                                    "nodes",
                                    upstream(nodes -> nodes.healthCheck(HealthCheck.builder()
                                            .type(HealthCheckType.TCP)
                                            .intervalMillis(100)
                                            .timeoutMillis(100)
                                            .build()))));
            eventually(() -> isUnhealthy(1));
            for (int i = 0; i < 6; i++) {
                try (Client client = client()) {
                    assertThat(client.ask("?")).isEqualTo("here");
                }
            }
            assertThat(healthy.isBound()).isTrue();
        }
    }

    private boolean isUnhealthy(int nodes) {
        try {
            return series("sigma_nodes_state{state=\"unhealthy\",upstream=\"nodes\"}") == nodes;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void sessionsCountAsMemoryOfTheirClients() throws Exception {
        try (DatagramNode node = DatagramNode.echo()) {
            gateway().apply(udp(udp().idleTimeoutMillis(2_000), node.url()));
            for (int i = 0; i < 20; i++) {
                try (Client client = client()) {
                    assertThat(client.ask("a")).isEqualTo("a");
                }
            }
            eventually(() -> gateway().metric("sigma_held_bytes") >= 20 * 1024);
            eventually(() -> gateway().metric("sigma_held_bytes") == 0);
        }
    }
}
