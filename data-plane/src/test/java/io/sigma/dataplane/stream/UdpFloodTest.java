package io.sigma.dataplane.stream;

import static io.sigma.dataplane.testkit.GatewayHarness.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.DatagramNode;
import io.sigma.model.Protocol;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Datagrams of many addresses, which may be invented. */
final class UdpFloodTest extends UdpContract {

    private static final String SESSIONS = "sigma_connections{proxy_server=\"in\"}";

    /** Senders can invent addresses, none of which sends a second datagram. */
    @Test
    void newcomersGetThePlacesOfClientsThatMayBeInvented() throws Exception {
        try (DatagramNode node = DatagramNode.echo()) {
            gateway()
                    .apply(udp(null, node.url())
                            .server(server(Protocol.UDP)
                                    .limits(limits().connectionsMax(5).build())
                                    .build()));
            List<Client> clients = new ArrayList<>();
            try (Client proven = new Client(port(), "127.0.0.2")) {
                assertThat(proven.ask("a")).isEqualTo("a");
                assertThat(proven.ask("b")).isEqualTo("b");
                for (int i = 3; i < 30; i++) {
                    Client client = new Client(port(), "127.0.0." + i);
                    clients.add(client);
                    client.send("c");
                }
                try (Client more = new Client(port(), "127.0.0.40")) {
                    eventually(() -> hears(more));
                }
                // It kept its session, and with that its socket to the node.
                assertThat(proven.ask("d")).isEqualTo("d");
                assertThat(node.senders().getLast()).isEqualTo(node.senders().getFirst());
                assertThat(series(SESSIONS)).isLessThanOrEqualTo(5);
            } finally {
                clients.forEach(Client::close);
            }
        }
    }

    /** The kernel spreads clients over the sockets of event loops, which share the places. */
    @Test
    void aNewcomerGetsThePlaceOfAnotherEventLoop() throws Exception {
        try (DatagramNode node = DatagramNode.echo()) {
            gateway()
                    .apply(udp(null, node.url())
                            .server(server(Protocol.UDP)
                                    .limits(limits().connectionsMax(1).build())
                                    .build()));
            for (int i = 2; i < 7; i++) {
                try (Client newcomer = new Client(port(), "127.0.0." + i)) {
                    eventually(() -> hears(newcomer));
                }
            }
        }
    }

    private static boolean hears(Client client) {
        try {
            client.send("e");
            return !client.hearsNothing();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
