package io.sigma.dataplane.http1.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestTls;
import io.sigma.model.Protocol;
import io.sigma.model.ProxyProtocol;
import io.sigma.model.ProxyServer;
import io.sigma.model.ServerTls;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Load balancers that tell the address of the client before its first byte. */
final class ProxyProtocolTest extends EngineContract {

    private static final String GET = "GET / HTTP/1.1\r\nHost: shop.example.com\r\n\r\n";
    private static final String HEADER = "PROXY TCP4 203.0.113.7 192.0.2.1 4711 80\r\n";
    private static final byte[] SIGNATURE = {13, 10, 13, 10, 0, 13, 10, 'Q', 'U', 'I', 'T', 10};

    private final TestTls own = TestTls.create("localhost");

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

    @ParameterizedTest
    @EnumSource(
            value = ProxyProtocol.class,
            names = {"REQUIRED", "OPTIONAL"})
    void requestBehindAHeaderThatIsNotValidIsNotServed(ProxyProtocol mode) throws Exception {
        byte[] version2 = version2(8);
        version2[12] = 0x2f;
        List<byte[]> bad = List.of(
                "PROXY TCP4 localhost 192.0.2.1 1 2\r\n".getBytes(StandardCharsets.US_ASCII),
                "PROXY TCP9 203.0.113.7 192.0.2.1 1 2\r\n".getBytes(StandardCharsets.US_ASCII),
                version2);
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(forwarding(node.url())
                            .server(server("127.0.0.0/8").proxyProtocol(mode).build()));
            for (byte[] header : bad) {
                for (int i = 0; i < 10; i++) {
                    try (RawClient client = RawClient.connect(port())) {
                        ByteArrayOutputStream all = new ByteArrayOutputStream();
                        all.writeBytes(header);
                        all.writeBytes(GET.getBytes(StandardCharsets.US_ASCII));
                        client.out().write(all.toByteArray());
                        assertThat(client.isClosedByPeer()).isTrue();
                    }
                }
            }
            assertThat(exchange(HEADER + GET).text()).isEqualTo("ok");
            assertThat(node.received()).hasSize(1);
        }
    }

    /** A connection that is over, or not, when its header was sent. */
    private RawClient begin(byte[] header, boolean encrypted) throws Exception {
        Socket plain = new Socket(InetAddress.getLoopbackAddress(), port());
        plain.setTcpNoDelay(true);
        for (byte octet : header) {
            // Byte by byte, so that no decision may wait for a whole one.
            plain.getOutputStream().write(octet);
        }
        return new RawClient(
                encrypted ? own.context().getSocketFactory().createSocket(plain, "localhost", port(), true) : plain);
    }

    private Config optional(String node, boolean encrypted, String trusted) {
        ProxyServer.Builder server = server(trusted).proxyProtocol(ProxyProtocol.OPTIONAL);
        return forwarding(node)
                .certificate(own.resource("own"))
                .server(
                        encrypted
                                ? server.protocol(Protocol.HTTPS)
                                        .tls(ServerTls.builder().build())
                                        .build()
                                : server.build());
    }

    private static byte[] version2(int last) {
        ByteArrayOutputStream header = new ByteArrayOutputStream();
        header.writeBytes(SIGNATURE);
        header.writeBytes(
                new byte[] {0x21, 0x11, 0, 12, (byte) 203, 0, 113, (byte) last, (byte) 192, 0, 2, 1, 1, 2, 0, 80});
        return header.toByteArray();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whereItIsOptionalATrustedPeerMayLeaveTheHeaderOut(boolean encrypted) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(optional(node.url(), encrypted, "127.0.0.0/8"));
            assertThat(forwardedFor(node, HEADER.getBytes(StandardCharsets.US_ASCII), encrypted))
                    .isEqualTo("203.0.113.7");
            assertThat(forwardedFor(node, version2(8), encrypted)).isEqualTo("203.0.113.8");
            assertThat(forwardedFor(node, new byte[0], encrypted)).isEqualTo("127.0.0.1");
            byte[] unknown = "PROXY UNKNOWN\r\n".getBytes(StandardCharsets.US_ASCII);
            assertThat(forwardedFor(node, unknown, encrypted)).isEqualTo("127.0.0.1");
        }
    }

    private String forwardedFor(TestNode node, byte[] header, boolean encrypted) throws Exception {
        try (RawClient client = begin(header, encrypted)) {
            for (int i = 0; i < 2; i++) {
                client.send(GET);
                assertThat(client.read().text()).isEqualTo("ok");
            }
            return String.valueOf(node.last().field("x-forwarded-for"));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whereItIsOptionalNobodyElseMaySendTheHeader(boolean encrypted) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(optional(node.url(), encrypted, "192.0.2.0/24"));
            assertThat(forwardedFor(node, new byte[0], encrypted)).isEqualTo("127.0.0.1");
            int served = node.received().size();
            for (byte[] header : List.of(HEADER.getBytes(StandardCharsets.US_ASCII), version2(8))) {
                assertThat(isServed(header, encrypted)).isFalse();
            }
            assertThat(node.received()).hasSize(served);
        }
    }

    private boolean isServed(byte[] header, boolean encrypted) throws Exception {
        try (RawClient client = begin(header, encrypted)) {
            client.send(GET);
            return client.read().status() != 400;
        } catch (IOException e) {
            // Neither TLS nor HTTP/2 begins so.
            return false;
        }
    }

    @Test
    void whereItIsOptionalHttp2WithPriorKnowledgeIsNoHeader() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(optional(node.url(), false, "127.0.0.0/8"));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(
                        RawHttp2.HEADERS,
                        5,
                        1,
                        RawHttp2.fields(":method", "GET", ":scheme", "http", ":path", "/", ":authority", "a"));
                assertThat(client.next().type()).isEqualTo(RawHttp2.HEADERS);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(value = ProxyProtocol.class, names = "OFF", mode = EnumSource.Mode.EXCLUDE)
    void someoneMustBeTrusted(ProxyProtocol wanted) {
        ProxyServer server = server("127.0.0.0/8")
                .proxyProtocol(wanted)
                .trustedProxies(List.of())
                .build();
        assertThat(gateway()
                        .refused(forwarding("http://127.0.0.1:1").server(server))
                        .pointer())
                .isEqualTo("/proxyServers/web/trustedProxies");
    }

    @Test
    void damagedHeaderIsNotServed() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(optional(node.url(), false, "127.0.0.0/8"));
            try (RawClient client = RawClient.connect(port())) {
                client.send("PROXY TCP4 203.0.113.7 nowhere 1 2\r\n" + GET);
                assertThat(client.isClosedByPeer()).isTrue();
            }
            assertThat(node.received()).isEmpty();
        }
    }
}
