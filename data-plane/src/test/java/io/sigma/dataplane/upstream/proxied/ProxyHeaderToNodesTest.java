package io.sigma.dataplane.upstream.proxied;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.HeaderFront;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestTls;
import io.sigma.model.ClientAuth;
import io.sigma.model.ClientTls;
import io.sigma.model.NodeProxyProtocol;
import io.sigma.model.Pool;
import io.sigma.model.Protocol;
import io.sigma.model.ProxyProtocol;
import io.sigma.model.ProxyServer;
import io.sigma.model.ServerTls;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A PROXY header has the addresses and the TLS of the client's connection. */
final class ProxyHeaderToNodesTest extends ProxyHeaderContract {

    private static final int ALPN = 1;
    private static final int AUTHORITY = 2;
    private static final int CRC32C = 3;
    private static final int SSL = 0x20;
    private static final int SSL_VERSION = 0x21;
    private static final int SSL_CN = 0x22;

    private ProxyServer.Builder server(String host) {
        return ProxyServer.builder().id("web").host(host).port(port());
    }

    @ParameterizedTest
    @EnumSource(NodeProxyProtocol.class)
    void headerHasTheAddressesOfTheClientsConnection(NodeProxyProtocol version) throws Exception {
        try (TestNode node = node();
                HeaderFront front = before(node)) {
            gateway().apply(told(forwarding(front.url()), version));
            try (RawClient client = RawClient.connect(port())) {
                client.send(REQUEST);
                assertThat(client.read().text()).isEqualTo(own(client));
                assertThat(front.last().version()).isEqualTo(version == NodeProxyProtocol.V1 ? 1 : 2);
                assertThat(front.last().told()).isEqualTo("TCP4");
                assertThat(front.last().destination()).isEqualTo("127.0.0.1:" + port());
            }
        }
    }

    @Test
    void headerOfAPlaintextConnectionSaysNothingOfTls() throws Exception {
        try (TestNode node = node();
                HeaderFront front = before(node)) {
            gateway().apply(told(forwarding(front.url()), NodeProxyProtocol.V2));
            assertThat(exchange(REQUEST).status()).isEqualTo(200);
            assertThat(front.last().extensions()).containsOnlyKeys(CRC32C);
        }
    }

    @ParameterizedTest
    @EnumSource(NodeProxyProtocol.class)
    void headerHasAddressesOfIpv6(NodeProxyProtocol version) throws Exception {
        try (TestNode node = node();
                HeaderFront front = before(node)) {
            gateway()
                    .apply(told(forwarding(front.url()), version)
                            .server(server("::1").build()));
            try (RawClient client = new RawClient(new Socket(InetAddress.ofLiteral("::1"), port()))) {
                client.send(REQUEST);
                assertThat(client.read().status()).isEqualTo(200);
                String loopback = version == NodeProxyProtocol.V1 ? "::1" : "0:0:0:0:0:0:0:1";
                assertThat(front.last().told()).isEqualTo("TCP6");
                assertThat(front.last().source())
                        .isEqualTo(loopback + ":" + client.socket().getLocalPort());
                assertThat(front.last().destination()).isEqualTo(loopback + ":" + port());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(NodeProxyProtocol.class)
    void headerOfATrustedPeerIsPassedOn(NodeProxyProtocol version) throws Exception {
        try (TestNode node = node();
                HeaderFront front = before(node)) {
            gateway()
                    .apply(told(forwarding(front.url()), version)
                            .server(server("127.0.0.1")
                                    .proxyProtocol(ProxyProtocol.REQUIRED)
                                    .trustedProxies(List.of("127.0.0.0/8"))
                                    .build()));
            exchange("PROXY TCP4 203.0.113.7 192.0.2.1 4711 80\r\n" + REQUEST);
            assertThat(front.last().source()).isEqualTo("203.0.113.7:4711");
            assertThat(front.last().destination()).isEqualTo("192.0.2.1:80");
            try (RawClient client = RawClient.connect(port())) {
                client.send("PROXY UNKNOWN\r\n" + REQUEST);
                assertThat(client.read().text()).isEqualTo(own(client));
                assertThat(front.last().destination()).isEqualTo("127.0.0.1:" + port());
            }
        }
    }

    /** The header is about a connection, and such a field about one request. */
    @Test
    void forwardedFieldsOfATrustedProxyDoNotChangeTheHeader() throws Exception {
        try (TestNode node = node();
                HeaderFront front = before(node)) {
            gateway()
                    .apply(told(forwarding(front.url()), NodeProxyProtocol.V2)
                            .server(server("127.0.0.1")
                                    .trustedProxies(List.of("127.0.0.0/8"))
                                    .build()));
            try (RawClient client = RawClient.connect(port())) {
                client.send(REQUEST.replace("\r\n\r\n", "\r\nX-Forwarded-For: 203.0.113.7\r\n\r\n"));
                assertThat(client.read().text()).isEqualTo(own(client));
                assertThat(node.last().field("x-forwarded-for")).startsWith("203.0.113.7");
            }
        }
    }

    @Test
    void version2TellsOfTheTlsOfTheClient() throws Exception {
        TestTls known = TestTls.create("known client");
        try (TestNode node = node();
                HeaderFront front = before(node)) {
            ServerTls tls = ServerTls.builder()
                    .clientAuth(ClientAuth.OPTIONAL)
                    .clientCa(known.resource("x").chain())
                    .build();
            gateway().apply(told(encrypted(tls, front.url()), NodeProxyProtocol.V2));
            try (SSLSocket socket = connect(client(known), "shop.example.com", "http/1.1");
                    RawClient client = new RawClient(socket)) {
                client.send(GET);
                assertThat(client.read().text()).isEqualTo(own(client));
                Map<Integer, String> told = front.last().extensions();
                assertThat(told)
                        .containsEntry(ALPN, "http/1.1")
                        .containsEntry(AUTHORITY, "shop.example.com")
                        .containsKey(CRC32C);
                assertThat(told.get(SSL)).startsWith("\u0005\0\0\0\0");
                assertThat(encapsulated(told))
                        .containsEntry(SSL_VERSION, socket.getSession().getProtocol())
                        .containsEntry(SSL_CN, "known client");
            }
            try (RawClient client = new RawClient(connect(client(null), null))) {
                client.send(GET);
                assertThat(client.read().text()).isEqualTo(own(client));
                Map<Integer, String> told = front.last().extensions();
                assertThat(told).containsOnlyKeys(SSL, CRC32C);
                assertThat(told.get(SSL)).startsWith("\u0001\0\0\0\u0001");
                assertThat(encapsulated(told)).containsOnlyKeys(SSL_VERSION);
            }
        }
    }

    private static Map<Integer, String> encapsulated(Map<Integer, String> told) {
        byte[] octets = String.valueOf(told.get(SSL)).getBytes(StandardCharsets.ISO_8859_1);
        return HeaderFront.extensions(ByteBuffer.wrap(octets, 5, octets.length - 5));
    }

    @ParameterizedTest
    @EnumSource(NodeProxyProtocol.class)
    void headerComesBeforeTheTlsOfTheNode(NodeProxyProtocol version) throws Exception {
        TestTls own = TestTls.create("node");
        try (TestNode node = TestNode.startTls(own.context(), (request, connection) -> connection.ok("secret"));
                HeaderFront front = before(node)) {
            gateway()
                    .apply(told(forwarding(front.tlsUrl()), version)
                            .nodeTls("nodes", ClientTls.builder().verify(false).build()));
            try (RawClient client = RawClient.connect(port())) {
                client.send(REQUEST);
                assertThat(client.read().text()).isEqualTo("secret");
                assertThat(front.last().source()).isEqualTo(own(client));
            }
        }
    }

    @Test
    void headerOfAnEncryptedListenerBehindATrustedPeerHasBoth() throws Exception {
        TestTls own = TestTls.create("localhost");
        try (TestNode node = node();
                HeaderFront front = before(node)) {
            gateway()
                    .apply(told(forwarding(front.url()), NodeProxyProtocol.V2)
                            .certificate(own.resource("own"))
                            .server(server("127.0.0.1")
                                    .proxyProtocol(ProxyProtocol.REQUIRED)
                                    .trustedProxies(List.of("127.0.0.0/8"))
                                    .protocol(Protocol.HTTPS)
                                    .tls(ServerTls.builder().build())
                                    .build()));
            Socket plain = new Socket(InetAddress.getLoopbackAddress(), port());
            plain.getOutputStream()
                    .write("PROXY TCP6 2001:db8::7 2001:db8::1 4711 443\r\n".getBytes(StandardCharsets.US_ASCII));
            try (RawClient client =
                    new RawClient(own.context().getSocketFactory().createSocket(plain, "localhost", port(), true))) {
                client.send(REQUEST);
                assertThat(client.read().status()).isEqualTo(200);
                assertThat(front.last().told()).isEqualTo("TCP6");
                assertThat(front.last().source()).isEqualTo("2001:db8:0:0:0:0:0:7:4711");
                assertThat(front.last().destination()).isEqualTo("2001:db8:0:0:0:0:0:1:443");
                assertThat(front.last().extensions()).containsKey(SSL);
            }
        }
    }

    @Test
    void readyConnectionsAreRefusedWithAPointer() {
        assertThat(gateway()
                        .refused(edited(
                                forwarding("http://127.0.0.1:1"),
                                upstream -> upstream.proxyProtocol(NodeProxyProtocol.V1)
                                        .pool(Pool.builder().idleMin(1).build())))
                        .pointer())
                .isEqualTo("/upstreams/nodes/pool/idleMin");
    }
}
