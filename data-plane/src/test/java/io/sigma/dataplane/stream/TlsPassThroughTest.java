package io.sigma.dataplane.stream;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.SocketNode;
import io.sigma.dataplane.testkit.TestTls;
import io.sigma.model.Node;
import io.sigma.model.NodeProxyProtocol;
import io.sigma.model.Protocol;
import io.sigma.model.ServerTls;
import io.sigma.model.StreamMatch;
import io.sigma.model.Upstream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TlsPassThroughTest extends StreamContract {

    private static final TestTls MAIL = TestTls.create("mail", "mail.example");

    private static SocketNode node(String name) {
        return SocketNode.start(MAIL.context(), socket -> {
            socket.getOutputStream().write(bytes(name));
            socket.getOutputStream().write(socket.getInputStream().readNBytes(4));
        });
    }

    private SSLSocket client(String version, String name, String... alpn) throws IOException {
        SSLSocket socket = (SSLSocket) MAIL.context().getSocketFactory().createSocket(connect(), name, port(), true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setProtocols(new String[] {version});
        parameters.setApplicationProtocols(alpn);
        if (!name.isEmpty()) {
            parameters.setServerNames(List.of(new SNIHostName(name)));
        }
        socket.setSSLParameters(parameters);
        return socket;
    }

    private String answer(String version, String name, String... alpn) throws IOException {
        try (SSLSocket socket = client(version, name, alpn)) {
            socket.getOutputStream().write(bytes("ping"));
            return rest(socket);
        }
    }

    private Config byName(String exact, String wildcard, String rest) {
        return new Config()
                .server(server(Protocol.TLS).build())
                .router(router("exact", sni("mail.example"), "to-exact"))
                .router(router("wildcard", sni("*.example"), "to-wildcard"))
                .router(router("rest", null, "to-rest"))
                .pass("to-exact", "exact")
                .pass("to-wildcard", "wildcard")
                .pass("to-rest", "rest")
                .upstream("exact", exact)
                .upstream("wildcard", wildcard)
                .upstream("rest", rest);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void serverNameChoosesTheNodeAndNothingIsDecrypted(String version) throws Exception {
        try (SocketNode exact = node("exact ");
                SocketNode wildcard = node("wildcard ");
                SocketNode rest = node("rest ")) {
            // What the URL says of TLS is between client and node here.
            gateway().apply(byName(exact.url().replace("http:", "https:"), wildcard.url(), rest.url()));
            assertThat(answer(version, "mail.example")).isEqualTo("exact ping");
            assertThat(record().path("serverName").asText()).isEqualTo("mail.example");
            assertThat(record().path("protocol").asText()).isEqualTo("TLS");
            assertThat(record().path("router").asText()).isEqualTo("exact");
            assertThat(answer(version, "MAIL.example")).isEqualTo("exact ping");
            assertThat(answer(version, "a.b.example")).isEqualTo("wildcard ping");
            assertThat(answer(version, "example")).isEqualTo("rest ping");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void clientWithoutAServerNameGetsTheRouterWithoutOne(String version) throws Exception {
        try (SocketNode named = node("named ");
                SocketNode rest = node("rest ")) {
            gateway().apply(byName(named.url(), named.url(), rest.url()));
            // An address is no server name (RFC 6066 §3), so the client sends none.
            assertThat(answer(version, "")).isEqualTo("rest ping");
            assertThat(record().path("router").asText()).isEqualTo("rest");
            assertThat(record().path("serverName").asText("")).isEmpty();
            assertThat(named.accepted()).isZero();
        }
    }

    @Test
    void protocolThatTheClientOffersChoosesTheNode() throws Exception {
        try (SocketNode h2 = node("h2 ");
                SocketNode rest = node("rest ")) {
            gateway()
                    .apply(passing(Protocol.TLS, rest.url())
                            .router(router(
                                    "h2",
                                    StreamMatch.builder().alpn(List.of("h2")).build(),
                                    "to-h2"))
                            .pass("to-h2", "h2")
                            .upstream("h2", h2.url()));
            assertThat(answer("TLSv1.3", "mail.example", "http/1.1", "h2")).isEqualTo("h2 ping");
            assertThat(answer("TLSv1.3", "mail.example", "http/1.1")).isEqualTo("rest ping");
            assertThat(answer("TLSv1.2", "mail.example")).isEqualTo("rest ping");
        }
    }

    @Test
    void unknownNameIsAnsweredWithAnAlert() throws Exception {
        try (SocketNode node = node("node ")) {
            gateway().apply(passing(Protocol.TLS, node.url()).router(router("all", sni("mail.example"), "pass")));
            try (SSLSocket socket = client("TLSv1.3", "other.example")) {
                assertThatThrownBy(socket::startHandshake)
                        .isInstanceOf(SSLException.class)
                        .hasMessageContaining("unrecognized_name");
            }
            assertThat(record().path("end").asText()).isEqualTo("no_router");
            assertThat(record().path("serverName").asText()).isEqualTo("other.example");
            assertThat(node.accepted()).isZero();
        }
    }

    /** Returns the first message of BoringSSL, with GREASE where it has it. */
    private static byte[] hello(SslProvider provider, String name) throws Exception {
        var context = SslContextBuilder.forClient()
                .sslProvider(provider)
                .trustManager(InsecureTrustManagerFactory.INSTANCE)
                .build();
        SSLEngine engine = context.newEngine(ByteBufAllocator.DEFAULT, name, 443);
        try {
            SSLParameters parameters = engine.getSSLParameters();
            parameters.setServerNames(List.of(new SNIHostName(name)));
            engine.setSSLParameters(parameters);
            engine.beginHandshake();
            ByteBuffer out = ByteBuffer.allocate(64 * 1024);
            engine.wrap(ByteBuffer.allocate(0), out);
            return Arrays.copyOf(out.array(), out.position());
        } finally {
            io.netty.util.ReferenceCountUtil.release(engine);
        }
    }

    /** Puts each {@code size} bytes of a message into a record of its own. */
    private static byte[] split(byte[] record, int size) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int at = 5; at < record.length; at += size) {
            int length = Math.min(size, record.length - at);
            out.write(record, 0, 3);
            out.write(length >> 8);
            out.write(length & 0xff);
            out.write(record, at, length);
        }
        return out.toByteArray();
    }

    /** A node that says how many bytes it got until there were {@code wanted}. */
    private static SocketNode counting(int wanted) {
        return SocketNode.start(socket -> {
            byte[] got = socket.getInputStream().readNBytes(wanted);
            socket.getOutputStream().write(got);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"JDK", "OPENSSL"})
    void firstMessageMayComeInAnyPieces(String provider) throws Exception {
        byte[] whole = hello(SslProvider.valueOf(provider), "mail.example");
        for (byte[] hello : List.of(whole, split(whole, 100), split(whole, 1))) {
            try (SocketNode node = counting(hello.length)) {
                gateway().apply(passing(Protocol.TLS, node.url()).router(router("all", sni("mail.example"), "pass")));
                for (int step : new int[] {hello.length, 50, 7}) {
                    try (Socket client = connect()) {
                        client.setTcpNoDelay(true);
                        OutputStream out = client.getOutputStream();
                        for (int at = 0; at < hello.length; at += step) {
                            out.write(hello, at, Math.min(step, hello.length - at));
                        }
                        assertThat(client.getInputStream().readAllBytes()).isEqualTo(hello);
                    }
                }
            }
        }
    }

    @Test
    void clientThatDoesNotBeginTlsIsClosed() throws Exception {
        try (SocketNode node = node("node ")) {
            gateway().apply(passing(Protocol.TLS, node.url()));
            byte[] otherMessage = {22, 3, 1, 0, 4, 2, 0, 0, 0};
            byte[] tooLong = {22, 3, 1, 0, 4, 1, 0, 64, 1};
            byte[] empty = {22, 3, 1, 0, 0};
            // A first message of SSL 2.0 that offers TLS 1.0 (RFC 5246 E.2).
            byte[] ssl2 = {
                (byte) 0x80, 28, 1, 3, 1, 0, 3, 0, 0, 0, 16, 0, 0, 47, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
            };
            for (byte[] bad : List.of(bytes("GET / HTTP/1.1\r\n\r\n"), otherMessage, tooLong, empty, ssl2)) {
                try (Socket client = connect()) {
                    client.getOutputStream().write(bad);
                    assertThat(rest(client)).isEmpty();
                }
            }
            assertThat(records(5))
                    .allSatisfy(
                            record -> assertThat(record.path("end").asText()).isEqualTo("bad_hello"));
            assertThat(node.accepted()).isZero();
        }
    }

    /** It is held as it came, to be passed on, and once more to be read. */
    @Test
    void firstMessageThatIsNotCompleteIsCounted() throws Exception {
        try (SocketNode node = SocketNode.echo()) {
            gateway().apply(passing(Protocol.TLS, node.url()));
            try (Socket client = connect()) {
                byte[] begun = new byte[10_000];
                // A record of 16 KiB with the beginning of a message that is as long.
                System.arraycopy(new byte[] {22, 3, 1, 0x40, 0, 1, 0, 0x3f, (byte) 0xf0}, 0, begun, 0, 9);
                client.getOutputStream().write(begun);
                GatewayHarness.eventually(() -> gateway().metric("sigma_held_bytes") >= 2 * begun.length);
            }
            GatewayHarness.eventually(() -> gateway().metric("sigma_held_bytes") == 0);
        }
    }

    @Test
    void firstMessageThatComesTooSlowlyEndsTheConnection() throws Exception {
        try (SocketNode node = node("node ")) {
            gateway()
                    .apply(passing(Protocol.TLS, node.url())
                            .server(server(Protocol.TLS)
                                    .limits(limits().headTimeoutMillis(400).build())
                                    .build()));
            byte[] hello = hello(SslProvider.JDK, "mail.example");
            try (Socket client = connect()) {
                client.getOutputStream().write(hello, 0, hello.length - 1);
                assertThat(rest(client)).isEmpty();
            }
            assertThat(record().path("end").asText()).isEqualTo("hello_timeout");
        }
    }

    @Test
    void tcpMayTerminateTls() throws Exception {
        TestTls own = TestTls.create("mail.example", "mail.example");
        try (SocketNode node = SocketNode.echo();
                SocketNode rest = SocketNode.greeting("rest")) {
            gateway()
                    .apply(passing(Protocol.TCP, rest.url())
                            .server(server(Protocol.TCP)
                                    .tls(ServerTls.builder()
                                            .certificates(List.of("mail"))
                                            .build())
                                    .build())
                            .certificate(own.resource("mail"))
                            .router(router("mail", sni("mail.example"), "to-mail"))
                            .pass("to-mail", "mail")
                            .upstream("mail", node.url()));
            for (String version : List.of("TLSv1.2", "TLSv1.3")) {
                try (SSLSocket socket = (SSLSocket)
                        own.context().getSocketFactory().createSocket(connect(), "mail.example", port(), true)) {
                    SSLParameters parameters = socket.getSSLParameters();
                    parameters.setProtocols(new String[] {version});
                    parameters.setServerNames(List.of(new SNIHostName("mail.example")));
                    parameters.setApplicationProtocols(new String[] {"postgresql"});
                    socket.setSSLParameters(parameters);
                    socket.getOutputStream().write(bytes("ping"));
                    assertThat(text(socket.getInputStream().readNBytes(4))).isEqualTo("ping");
                }
            }
        }
    }

    @Test
    void tcpMaySpeakTlsToNodes() throws Exception {
        try (SocketNode node = node("encrypted ")) {
            gateway()
                    .apply(passing(Protocol.TCP, node.url().replace("http:", "https:"))
                            .nodeTls(
                                    "nodes",
                                    io.sigma.model.ClientTls.builder()
                                            .verify(false)
                                            .build()));
            try (Socket client = connect()) {
                client.getOutputStream().write(bytes("ping"));
                assertThat(rest(client)).isEqualTo("encrypted ping");
            }
        }
    }

    @Test
    void nodeHearsOfTheServerNameInItsProxyHeader() throws Exception {
        CompletableFuture<byte[]> header = new CompletableFuture<>();
        try (SocketNode node = SocketNode.start(socket -> {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            in.readNBytes(14);
            header.complete(in.readNBytes(in.readUnsignedShort()));
        })) {
            gateway()
                    .apply(new Config()
                            .server(server(Protocol.TLS).build())
                            .router(router("all", null, "pass"))
                            .pass("pass", "nodes")
                            .upstream(Upstream.builder()
                                    .id("nodes")
                                    .nodes(List.of(
                                            Node.builder().url(node.url()).build()))
                                    .proxyProtocol(NodeProxyProtocol.V2)
                                    .build()));
            try (SSLSocket socket = client("TLSv1.3", "mail.example")) {
                assertThatThrownBy(socket::startHandshake).isInstanceOf(IOException.class);
            }
            // Authority, and then the checksum: nothing is known of the rest of the handshake.
            byte[] told = header.get(20, TimeUnit.SECONDS);
            assertThat(new String(told, 12, told.length - 12 - 7, ISO_8859_1)).isEqualTo("\u0002\0\u000cmail.example");
        }
    }
}
