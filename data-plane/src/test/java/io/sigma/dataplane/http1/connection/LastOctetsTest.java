package io.sigma.dataplane.http1.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Responses that clients have not read yet when their proxy server closes. */
final class LastOctetsTest extends EngineContract {

    private static final int KIB = 1024;
    /** What waits in a connection when the gateway has written all of a response: up to about 64 KiB. */
    private static final int STEP = 40 * KIB;

    private static final int LENGTH_MAX = 4 * KIB * KIB;

    @Override
    protected GatewaySettings settings(Path dataDir) {
        return TestSettings.of(dataDir).drainMillis(20_000).build();
    }

    /** Of one of the lengths the kernel has taken all but the last octets. */
    @Test
    void responseIsWholeAlthoughItsProxyServerCloses() throws Exception {
        AtomicInteger answered = new AtomicInteger();
        try (TestNode node = TestNode.start((request, connection) -> {
                    byte[] body = new byte[Integer.parseInt(request.target().substring(1))];
                    connection.send("HTTP/1.1 200 OK\r\nContent-Length: " + body.length + "\r\n\r\n");
                    answered.incrementAndGet();
                    connection.out().write(body);
                });
                ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor()) {
            gateway().apply(forwarding(node.url()));
            List<RawClient> clients = new ArrayList<>();
            for (int length = STEP; length < LENGTH_MAX; length += STEP) {
                Socket socket = new Socket();
                socket.setReceiveBufferSize(4_096);
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port()));
                RawClient client = new RawClient(socket);
                client.send("GET /" + length + " HTTP/1.1\r\nHost: a\r\n\r\n");
                clients.add(client);
            }
            int count = clients.size();
            GatewayHarness.eventually(() -> answered.get() == count);
            // What fits into the buffers on the way is there soon.
            Thread.sleep(300);
            Future<?> closing = readers.submit(() -> gateway().apply(new Config()));
            Thread.sleep(100);
            List<Future<Integer>> bodies = new ArrayList<>();
            for (RawClient client : clients) {
                client.socket().setReceiveBufferSize(KIB * KIB);
                bodies.add(readers.submit(() -> client.read().body().length));
            }
            for (int i = 0; i < count; i++) {
                assertThat(bodies.get(i).get(30, TimeUnit.SECONDS)).isEqualTo((i + 1) * STEP);
                assertThat(clients.get(i).isClosedByPeer()).isTrue();
                clients.get(i).close();
            }
            closing.get(30, TimeUnit.SECONDS);
        }
    }
}
