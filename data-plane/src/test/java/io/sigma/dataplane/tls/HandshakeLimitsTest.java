package io.sigma.dataplane.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestSettings;
import io.sigma.dataplane.testkit.TlsContract;
import io.sigma.model.ProxyProtocol;
import io.sigma.model.ProxyServer;
import io.sigma.model.ServerLimits;
import io.sigma.model.ServerTls;
import io.sigma.snapshot.ResourceType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The cost of clients that never send HTTP: they begin a TLS handshake, or a header of the PROXY protocol. */
final class HandshakeLimitsTest extends TlsContract {

    private static final long BUDGET = 8L * 1024 * 1024;
    private static final int CONNECTIONS_MAX = 20;
    private static final int MANY = 150;

    /** The first octets of a ClientHello that is longer. */
    private static final byte[] HALF_HELLO = {22, 3, 1, 2, 0, 1, 0, 1, (byte) 252, 3, 3};

    private final List<Socket> sockets = new ArrayList<>();

    @Override
    protected GatewaySettings settings(Path dataDir) {
        return TestSettings.of(dataDir).loops(1).heldBytesMax(BUDGET).build();
    }

    @AfterEach
    void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private Socket begin(int host, byte... octets) throws IOException {
        Socket socket = new Socket();
        sockets.add(socket);
        socket.bind(new InetSocketAddress("127.0.0." + host, 0));
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port()), 5_000);
        socket.getOutputStream().write(octets);
        return socket;
    }

    private static ServerLimits limits() {
        return ServerLimits.builder().connectionsMax(CONNECTIONS_MAX).build();
    }

    private boolean isOneMoreClosed(int host, byte... octets) {
        try {
            Socket socket = begin(host, octets);
            socket.setSoTimeout(500);
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    void halfHandshakesCountAsConnectionsOfTheirAddress() throws Exception {
        gateway()
                .apply(encrypted(ServerTls.builder().build(), "http://127.0.0.1:1")
                        .with(
                                ResourceType.PROXY_SERVER,
                                "web",
                                server -> server.toBuilder().limits(limits()).build()));
        for (int i = 0; i < CONNECTIONS_MAX; i++) {
            begin(2);
        }
        GatewayHarness.eventually(() -> isOneMoreClosed(2));
        assertThat(presented("shop.example.com")).isEqualTo("CN=shop");
    }

    @Test
    void halfHandshakesAreHeldWithinTheShareOfTheirAddress() throws Exception {
        gateway().apply(encrypted(ServerTls.builder().build(), "http://127.0.0.1:1"));
        for (int i = 0; i < MANY; i++) {
            begin(2, HALF_HELLO);
        }
        GatewayHarness.eventually(() -> gateway().metric("sigma_held_ended_total") > 0);
        assertThat(gateway().metric("sigma_held_bytes")).isBetween(1.0, (double) BUDGET / 2);
        assertThat(presented("shop.example.com")).isEqualTo("CN=shop");
        close();
        GatewayHarness.eventually(() -> gateway().metric("sigma_held_bytes") == 0);
    }

    @Test
    void whatIsSentInsteadOfAHandshakeIsNotTakenWithoutEnd() throws Exception {
        gateway().apply(encrypted(ServerTls.builder().build(), "http://127.0.0.1:1"));
        byte[] record = new byte[5 + 0x4000];
        record[0] = 22;
        record[1] = 3;
        record[2] = 1;
        record[3] = 0x40;
        // A ClientHello of 16 MiB.
        record[5] = 1;
        record[6] = (byte) 0xff;
        Socket socket = begin(2);
        boolean ended = false;
        try {
            for (int i = 0; i < 1_000; i++) {
                socket.getOutputStream().write(record);
            }
        } catch (IOException e) {
            ended = true;
        }
        assertThat(ended).isTrue();
    }

    @Test
    void halfHeadersOfTheProxyProtocolCountAsConnectionsOfTheirAddress() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            ProxyServer.Builder server = ProxyServer.builder()
                    .id("web")
                    .host("127.0.0.1")
                    .port(port())
                    .trustedProxies(List.of("127.0.0.1/32"))
                    .limits(limits());
            gateway()
                    .apply(forwarding(node.url())
                            .server(server.proxyProtocol(ProxyProtocol.OPTIONAL).build()));
            byte[] half = "PROXY TCP4 203.0.113.7".getBytes(StandardCharsets.US_ASCII);
            for (int i = 0; i < CONNECTIONS_MAX; i++) {
                begin(1, half);
            }
            GatewayHarness.eventually(() -> isOneMoreClosed(1, half));
        }
    }
}
