package io.sigma.dataplane.stream;

import static io.sigma.dataplane.testkit.GatewayHarness.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.testkit.DatagramNode;
import io.sigma.dataplane.testkit.TestSettings;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Senders that may be invented take a part of the memory for clients, and end no connection of others. */
final class UdpMemoryTest extends UdpContract {

    private static final String SESSIONS = "sigma_connections{proxy_server=\"in\"}";
    private static final long BUDGET = 4L << 20;
    private static final long SESSION_BYTES = 3L * 1024;
    /** So many sessions hold half of the budget. */
    private static final long SESSIONS_MAX = BUDGET / 2 / SESSION_BYTES;

    private static final int SENDERS = 1_500;

    @Override
    protected GatewaySettings settings(Path dataDir) {
        return TestSettings.of(dataDir).loops(1).heldBytesMax(BUDGET).build();
    }

    @Test
    void sessionsTakeHalfOfTheMemoryAndNewcomersGetThePlacesOfTheOldest() throws Exception {
        try (DatagramNode node = DatagramNode.echo();
                Client proven = new Client(startedPort(node), "127.0.0.2")) {
            assertThat(proven.ask("a")).isEqualTo("a");
            assertThat(proven.ask("b")).isEqualTo("b");
            for (int i = 0; i < SENDERS; i++) {
                try (Client sender = new Client(port(), "127.1." + i / 250 + "." + (i % 250 + 1))) {
                    sender.send("c");
                }
            }
            eventually(() -> sessions() >= SESSIONS_MAX);
            assertThat(sessions()).isEqualTo(SESSIONS_MAX);
            assertThat(gateway().metric("sigma_held_ended_total")).isZero();
            try (Client newcomer = new Client(port(), "127.0.0.3")) {
                eventually(() -> hears(newcomer));
            }
            assertThat(proven.ask("d")).isEqualTo("d");
            assertThat(sessions()).isLessThanOrEqualTo(SESSIONS_MAX);
        }
    }

    private int startedPort(DatagramNode node) {
        gateway().apply(udp(null, node.url()));
        return port();
    }

    private double sessions() {
        try {
            return series(SESSIONS);
        } catch (IOException e) {
            throw new IllegalStateException(e);
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
