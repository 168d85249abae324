package io.sigma.dataplane.upstream;

import static io.sigma.dataplane.testkit.GatewayHarness.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.fault.FileLimit;
import io.sigma.dataplane.testkit.fault.LateSockets;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that reached its limit of open files resets new clients, which the kernel has connected already. */
class NoDescriptorTest {

    private static final int CLIENTS = 20;

    @TempDir
    private Path folder;

    @Test
    void clientsAreResetAndServedAgainLater() throws Exception {
        try (FileLimit limit = FileLimit.leaving(300);
                TestNode node = TestNode.named("ok");
                GatewayHarness gateway = GatewayHarness.start(folder)) {
            int port = Config.freePort();
            gateway.apply(Config.forwarding(port, node.url()));
            assertThat(RawClient.get(port, "a", "/").status()).isEqualTo(200);
            List<Socket> clients = LateSockets.make(CLIENTS);
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            // Whatever opens files meanwhile could take what is kept in reserve.
            eventually(() -> Files.exists(folder.resolve("snapshot.bin")));
            limit.reach();
            try {
                for (Socket client : clients) {
                    client.connect(address);
                    assertThat(LateSockets.isAnswered(client)).isTrue();
                }
            } finally {
                limit.leave();
                for (Socket client : clients) {
                    client.close();
                }
            }
            assertThat(gateway.metric("sigma_connections_refused_no_descriptor"))
                    .isPositive();
            assertThat(RawClient.get(port, "a", "/").status()).isEqualTo(200);
        }
    }
}
