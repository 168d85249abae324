package io.sigma.dataplane.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestTls;
import io.sigma.model.ClientTls;
import io.sigma.model.Protocol;
import io.sigma.model.ProxyServer;
import io.sigma.model.ServerTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The end of TLS (RFC 8446 §6.1) is the end of the connection, whether or not that of TCP follows. */
class CloseNotifyTest extends EngineContract {

    private static final String GET = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

    private final TestTls tls = TestTls.create("test");

    /** Its output can end for TLS alone. */
    private static final class Plain extends Socket {

        private final boolean open;

        Plain(boolean open) {
            this.open = open;
        }

        @Override
        public void shutdownOutput() throws IOException {
            if (!open) {
                super.shutdownOutput();
            }
        }
    }

    private Config encrypted(String node) throws IOException {
        return forwarding(node)
                .server(ProxyServer.builder()
                        .id("web")
                        .host("127.0.0.1")
                        .port(port())
                        .protocol(Protocol.HTTPS)
                        .tls(ServerTls.builder()
                                .certPath(tls.writeCertificate(folder.resolve("cert.pem"))
                                        .toString())
                                .keyPath(tls.writeKey(folder.resolve("key.pem")).toString())
                                .build())
                        .build());
    }

    private SSLSocket connect(boolean open) throws IOException {
        Socket plain = new Plain(open);
        plain.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port()));
        return (SSLSocket) tls.context().getSocketFactory().createSocket(plain, "localhost", port(), true);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void clientThatEndsWhileItIsAnsweredIsGone(boolean open) throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        try (TestNode node = TestNode.start((request, connection) -> {
            if (connection.in().read() < 0) {
                done.countDown();
            }
        })) {
            gateway().apply(encrypted(node.url()));
            try (RawClient client = new RawClient(connect(open))) {
                client.send(GET);
                GatewayHarness.eventually(() -> !node.received().isEmpty());
                ((SSLSocket) client.socket()).shutdownOutput();
                assertThat(client.isClosedByPeer()).isTrue();
            }
            assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void clientThatEndsWhenItIsAnsweredIsClosed(boolean open) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(encrypted(node.url()));
            try (RawClient client = new RawClient(connect(open))) {
                client.send(GET);
                assertThat(client.read().status()).isEqualTo(200);
                ((SSLSocket) client.socket()).shutdownOutput();
                assertThat(client.isClosedByPeer()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nodeThatEndsAfterItsAnswerIsNotAskedAgain(boolean open) throws Exception {
        ServerSocket server = new ServerSocket(0, 16, InetAddress.getLoopbackAddress()) {
            @Override
            public Socket accept() throws IOException {
                Plain plain = new Plain(open);
                implAccept(plain);
                return tls.context().getSocketFactory().createSocket(plain, null, true);
            }
        };
        CountDownLatch closed = new CountDownLatch(1);
        try (TestNode node = TestNode.startOn(server, (request, connection) -> {
            connection.ok("ok");
            connection.socket().shutdownOutput();
            if (connection.in().read() < 0) {
                closed.countDown();
            }
        })) {
            gateway()
                    .apply(forwarding("https://127.0.0.1:" + node.port())
                            .nodeTls("nodes", ClientTls.builder().verify(false).build()));
            assertThat(get("/").text()).isEqualTo("ok");
            assertThat(closed.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(exchange("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
                            .text())
                    .isEqualTo("ok");
        }
    }
}
