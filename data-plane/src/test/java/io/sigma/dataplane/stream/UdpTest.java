package io.sigma.dataplane.stream;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.dataplane.testkit.DatagramNode;
import io.sigma.model.Balancing;
import io.sigma.model.HashKey;
import io.sigma.model.StreamMatch;
import io.sigma.snapshot.ResourceType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Datagrams pass to a node and back, each client's in a session of its own. */
final class UdpTest extends UdpContract {

    @Test
    void datagramsPassBothWays() throws Exception {
        try (DatagramNode node = DatagramNode.echo()) {
            gateway().apply(udp(udp().idleTimeoutMillis(300), node.url()));
            try (Client client = client()) {
                for (int i = 0; i < 50; i++) {
                    assertThat(client.ask("number " + i)).isEqualTo("number " + i);
                }
            }
            assertThat(new HashSet<>(node.senders())).hasSize(1);
            JsonNode record = record();
            assertThat(record.path("end").asText()).isEqualTo("idle_timeout");
            assertThat(record.path("protocol").asText()).isEqualTo("UDP");
            assertThat(record.path("datagramsIn").asInt()).isEqualTo(50);
            assertThat(record.path("datagramsOut").asInt()).isEqualTo(50);
            assertThat(record.path("bytesIn").asInt())
                    .isEqualTo(record.path("bytesOut").asInt())
                    .isPositive();
            assertThat(record.path("node").asText()).isEqualTo(node.url());
            assertThat(record.path("remoteAddress").asText()).isEqualTo("127.0.0.1");
            assertThat(record.path("revision").asLong()).isPositive();
            assertThat(record.path("durationMicros").asLong()).isGreaterThan(250_000);
        }
    }

    @Test
    void everySizePassesUnchanged() throws Exception {
        try (DatagramNode node = DatagramNode.echo()) {
            gateway().apply(udp(null, node.url()));
            Random random = new Random(7);
            try (Client client = client()) {
                for (int size : new int[] {1, 511, 1472, 1473, 9000, 32_768, 65_000, 65_507}) {
                    byte[] datagram = new byte[size];
                    random.nextBytes(datagram);
                    client.send(datagram);
                    assertThat(client.receive()).as("%d bytes", size).isEqualTo(datagram);
                }
            }
        }
    }

    @Test
    void largeDatagramsAreDroppedAndCounted() throws Exception {
        try (DatagramNode node = DatagramNode.answering(datagram -> List.of(new byte[datagram.length + 1]))) {
            gateway().apply(udp(udp().datagramBytesMax(100), node.url()));
            try (Client client = client()) {
                client.send(new byte[101]);
                client.send(new byte[99]);
                assertThat(client.receive()).hasSize(100);
                client.send(new byte[100]);
                assertThat(client.hearsNothing()).isTrue();
            }
            assertThat(node.received()).hasSize(2);
            assertThat(dropped("too_large")).isEqualTo(2);
        }
    }

    private double dropped(String reason) throws IOException {
        return series("sigma_udp_datagrams_dropped_total{proxy_server=\"in\",reason=\"%s\"}".formatted(reason));
    }

    @Test
    void clientsHaveSessionsOfTheirOwn() throws Exception {
        try (DatagramNode node = DatagramNode.echo()) {
            gateway().apply(udp(null, node.url()));
            List<Client> clients = new ArrayList<>();
            try {
                for (int i = 0; i < 40; i++) {
                    clients.add(client());
                }
                for (int round = 0; round < 5; round++) {
                    for (int i = 0; i < clients.size(); i++) {
                        clients.get(i).send("client " + i);
                    }
                    for (int i = 0; i < clients.size(); i++) {
                        assertThat(text(clients.get(i).receive())).isEqualTo("client " + i);
                    }
                }
                assertThat(new HashSet<>(node.senders())).hasSize(clients.size());
            } finally {
                clients.forEach(Client::close);
            }
        }
    }

    /** Nobody else can speak to a client through its session. */
    @Test
    void onlyTheNodeAnswers() throws Exception {
        try (DatagramNode node = DatagramNode.echo();
                DatagramNode other = DatagramNode.silent()) {
            gateway().apply(udp(null, node.url()));
            try (Client client = client()) {
                assertThat(client.ask("a")).isEqualTo("a");
                other.send(node.senders().getFirst(), "from somebody else");
                assertThat(client.hearsNothing()).isTrue();
                assertThat(client.ask("b")).isEqualTo("b");
            }
        }
    }

    @Test
    void routersMatchTheClientsAddress() throws Exception {
        try (DatagramNode one = DatagramNode.named("one");
                DatagramNode other = DatagramNode.named("other")) {
            gateway()
                    .apply(udp(null, one.url())
                            .router(router(
                                    "all",
                                    StreamMatch.builder()
                                            .clientAddresses(List.of("127.0.0.1"))
                                            .build(),
                                    "pass"))
                            .router(router(
                                    "some",
                                    StreamMatch.builder()
                                            .clientAddresses(List.of("127.0.0.0/30"))
                                            .build(),
                                    "other"))
                            .pass("other", "others")
                            .upstream("others", other.url()));
            try (Client first = new Client(port(), "127.0.0.1");
                    Client second = new Client(port(), "127.0.0.2");
                    Client third = new Client(port(), "127.0.0.9")) {
                assertThat(first.ask("?")).isEqualTo("one");
                assertThat(second.ask("?")).isEqualTo("other");
                third.send("?");
                assertThat(third.hearsNothing()).isTrue();
            }
            assertThat(record().path("end").asText()).isEqualTo("no_router");
        }
    }

    @Test
    void clientsOfOneAddressKeepTheirNode() throws Exception {
        try (DatagramNode one = DatagramNode.named("one");
                DatagramNode two = DatagramNode.named("two");
                DatagramNode three = DatagramNode.named("three")) {
            gateway()
                    .apply(udp(null, one.url(), two.url(), three.url())
                            .with(
                                    ResourceType.UPSTREAM,
                                    "nodes",
                                    nodes -> nodes.toBuilder()
                                            .balancing(Balancing.HASH)
                                            .hash(HashKey.builder()
                                                    .loadPercentMax(0)
                                                    .build())
                                            .build()));
            Set<String> chosen = new HashSet<>();
            for (int i = 2; i < 40; i++) {
                Set<String> ofAddress = new HashSet<>();
                for (int port = 0; port < 3; port++) {
                    try (Client client = new Client(port(), "127.0.0." + i)) {
                        ofAddress.add(client.ask("?"));
                    }
                }
                assertThat(ofAddress).hasSize(1);
                chosen.addAll(ofAddress);
            }
            assertThat(chosen).hasSize(3);
        }
    }

    @Test
    void sessionsAreSpreadOverNodes() throws Exception {
        try (DatagramNode one = DatagramNode.named("one");
                DatagramNode two = DatagramNode.named("two")) {
            gateway().apply(udp(null, one.url(), two.url()));
            Set<String> chosen = new HashSet<>();
            for (int i = 0; i < 20; i++) {
                try (Client client = client()) {
                    chosen.add(client.ask("?"));
                }
            }
            assertThat(chosen).containsExactlyInAnyOrder("one", "two");
        }
    }

    @Test
    void datagramsAndBytesAreCounted() throws Exception {
        try (DatagramNode node = DatagramNode.echo()) {
            gateway().apply(udp(udp().responsesMax(1), node.url()));
            try (Client client = client()) {
                client.ask("four");
                client.ask("four");
            }
            records(2);
            assertThat(series("sigma_udp_datagrams_in_total{proxy_server=\"in\"}"))
                    .isEqualTo(2);
            assertThat(series("sigma_udp_datagrams_out_total{proxy_server=\"in\"}"))
                    .isEqualTo(2);
            assertThat(series("sigma_stream_bytes_in_total{proxy_server=\"in\",router=\"all\"}"))
                    .isEqualTo(8);
            assertThat(series("sigma_stream_bytes_out_total{proxy_server=\"in\",router=\"all\"}"))
                    .isEqualTo(8);
            assertThat(series("sigma_stream_connections_total{end=\"complete\",proxy_server=\"in\",router=\"all\"}"))
                    .isEqualTo(2);
            assertThat(series("sigma_connections{proxy_server=\"in\"}")).isZero();
        }
    }
}
