package io.sigma.dataplane.engine.accept;

import static io.sigma.dataplane.testkit.GatewayHarness.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sigma.dataplane.engine.uring.TunedIoUring;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.fault.FileLimit;
import io.sigma.dataplane.testkit.fault.LateSockets;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.transport.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ports of Vert.x, such as those of metrics and of the admin API, in a process without a descriptor. */
final class PortsWithoutDescriptorTest {

    private static final int CLIENTS = 20;

    private static @Nullable Transport transport(String name) {
        return switch (name) {
            case "io_uring" -> TunedIoUring.ifAvailable();
            case "epoll" -> Transport.EPOLL;
            default -> Transport.NIO;
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "epoll", "io_uring"})
    void clientsAreResetAndServedAgainLater(String name) throws Exception {
        Transport real = transport(name);
        assumeTrue(real != null && real.available());
        Vertx vertx = Vertx.builder().withTransport(RefusingTransport.of(real)).build();
        assertThat(vertx.isNativeTransportEnabled()).isEqualTo(!name.equals("nio"));
        try (FileLimit limit = FileLimit.leaving(300)) {
            HttpServer server = vertx.createHttpServer()
                    .requestHandler(request -> request.response().end("ok"))
                    .listen(0, "127.0.0.1")
                    .await(20, TimeUnit.SECONDS);
            int port = server.actualPort();
            assertThat(RawClient.get(port, "a", "/").status()).isEqualTo(200);
            List<Socket> clients = LateSockets.make(CLIENTS);
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            int answered = 0;
            limit.reach();
            try {
                for (Socket client : clients) {
                    client.connect(address);
                    answered += LateSockets.isAnswered(client) ? 1 : 0;
                }
            } finally {
                limit.leave();
                for (Socket client : clients) {
                    client.close();
                }
            }
            assertThat(answered).isEqualTo(CLIENTS);
            // The port may still be about to reset what comes.
            eventually(() -> isServed(port));
        } finally {
            vertx.close().await(20, TimeUnit.SECONDS);
        }
    }

    private static boolean isServed(int port) {
        try {
            return RawClient.get(port, "a", "/").status() == 200;
        } catch (IOException e) {
            return false;
        }
    }
}
