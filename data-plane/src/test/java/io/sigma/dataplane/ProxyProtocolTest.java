package io.sigma.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.model.Protocol;
import io.sigma.model.ProxyProtocol;
import io.sigma.model.ProxyServer;
import io.sigma.model.ServerTls;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

/** Load balancers that tell the address of the client before its first byte. */
final class ProxyProtocolTest extends EngineContract {

    private static final String GET = "GET / HTTP/1.1\r\nHost: shop.example.com\r\n\r\n";
    private static final String HEADER = "PROXY TCP4 203.0.113.7 192.0.2.1 4711 80\r\n";
    private static final byte[] SIGNATURE = {13, 10, 13, 10, 0, 13, 10, 'Q', 'U', 'I', 'T', 10};

    private ProxyServer.Builder server(String trusted) {
        return ProxyServer.builder()
                .id("web")
                .host("127.0.0.1")
                .port(port())
                .proxyProtocol(ProxyProtocol.REQUIRED)
                .trustedProxies(List.of(trusted));
    }

    @Test
    void addressOfTheClientIsThatOfTheHeader() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()).server(server("127.0.0.0/8").build()));
            assertThat(exchange(HEADER + GET).text()).isEqualTo("ok");
            assertThat(node.last().field("x-forwarded-for")).isEqualTo("203.0.113.7");
            try (RawClient client = RawClient.connect(port())) {
                ByteArrayOutputStream second = new ByteArrayOutputStream();
                second.writeBytes(SIGNATURE);
                second.writeBytes(
                        new byte[] {0x21, 0x11, 0, 12, (byte) 203, 0, 113, 8, (byte) 192, 0, 2, 1, 1, 2, 0, 80});
                client.out().write(second.toByteArray());
                client.send(GET);
                assertThat(client.read().text()).isEqualTo("ok");
                assertThat(node.last().field("x-forwarded-for")).isEqualTo("203.0.113.8");
            }
        }
    }

    @Test
    void headerComesBeforeTls() throws Exception {
        TestTls tls = TestTls.create("localhost");
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(forwarding(node.url())
                            .certificate(tls.resource("own"))
                            .server(server("127.0.0.0/8")
                                    .protocol(Protocol.HTTPS)
                                    .tls(ServerTls.builder().build())
                                    .build()));
            Socket plain = new Socket(InetAddress.getLoopbackAddress(), port());
            plain.getOutputStream().write(HEADER.getBytes(StandardCharsets.US_ASCII));
            SSLSocket socket =
                    (SSLSocket) tls.context().getSocketFactory().createSocket(plain, "localhost", port(), true);
            try (RawClient client = new RawClient(socket)) {
                client.send(GET);
                assertThat(client.read().text()).isEqualTo("ok");
                assertThat(node.last().field("x-forwarded-for")).isEqualTo("203.0.113.7");
            }
        }
    }

    @Test
    void connectionWithoutAHeaderOrFromAnyoneElseIsClosed() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()).server(server("127.0.0.0/8").build()));
            try (RawClient client = RawClient.connect(port())) {
                client.send(GET);
                assertThat(client.isClosedByPeer()).isTrue();
            }
            gateway().apply(forwarding(node.url()).server(server("192.0.2.0/24").build()));
            try (RawClient client = RawClient.connect(port())) {
                client.send(HEADER + GET);
                assertThat(client.isClosedByPeer()).isTrue();
            }
            assertThat(node.received()).isEmpty();
        }
    }
}
