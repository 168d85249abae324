package io.sigma.dataplane.upstream;

import static io.sigma.dataplane.testkit.GatewayHarness.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.FileLimit;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
            List<Socket> clients = sockets();
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            // Whatever opens files meanwhile could take what is kept in reserve.
            eventually(() -> Files.exists(folder.resolve("snapshot.bin")));
            limit.reach();
            try {
                for (Socket client : clients) {
                    client.connect(address);
                    assertThat(isAnswered(client)).isTrue();
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

    /** Returns sockets that have their descriptors before they are connected. */
    private static List<Socket> sockets() throws IOException {
        List<Socket> made = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            Socket client = new Socket();
            client.setSoTimeout(10_000);
            client.setTcpNoDelay(true);
            made.add(client);
        }
        // What reads and what fails is loaded while there are descriptors.
        try (Socket idle = new Socket(InetAddress.getLoopbackAddress(), closedAtOnce())) {
            isAnswered(idle);
        }
        return made;
    }

    private static int closedAtOnce() throws IOException {
        ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(() -> {
            try (server;
                    Socket accepted = server.accept()) {
                accepted.setSoLinger(true, 0);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        return server.getLocalPort();
    }

    /** Returns whether {@code client} hears anything within a time. */
    private static boolean isAnswered(Socket client) {
        try {
            client.getOutputStream().write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            client.getInputStream().read();
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }
}
