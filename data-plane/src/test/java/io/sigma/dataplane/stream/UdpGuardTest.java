package io.sigma.dataplane.stream;

import static io.sigma.dataplane.testkit.GatewayHarness.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.testkit.DatagramNode;
import io.sigma.dataplane.testkit.TestSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Addresses that the operator refuses get no datagrams, also by a name that leads to them. */
final class UdpGuardTest extends UdpContract {

    @Override
    protected GatewaySettings settings(Path dataDir) {
        return TestSettings.of(dataDir)
                .loops(2)
                .upstreamDeny("127.0.0.0/8", "::1/128")
                .build();
    }

    @Test
    void refusedAddressGetsNothing() throws Exception {
        try (DatagramNode node = DatagramNode.echo()) {
            gateway().apply(udp(null, "http://localhost:" + node.port()));
            try (Client client = client()) {
                client.send("a");
                eventually(() -> refused() == 1);
                assertThat(client.hearsNothing()).isTrue();
            }
            assertThat(node.received()).isEmpty();
        }
    }

    private double refused() {
        try {
            return series("sigma_stream_connections_total{end=\"address_refused\",proxy_server=\"in\",router=\"all\"}");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
