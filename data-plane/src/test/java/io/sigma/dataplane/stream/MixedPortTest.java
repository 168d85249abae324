package io.sigma.dataplane.stream;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.SocketNode;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestTls;
import io.sigma.model.Protocol;
import io.sigma.model.Route;
import io.sigma.model.Router;
import io.sigma.model.ServerTls;
import io.sigma.model.StreamMatch;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A port that passes some server names through, and terminates HTTPS for the others. */
final class MixedPortTest extends StreamContract {

    private static final TestTls MAIL = TestTls.create("mail", "mail.example");
    private static final TestTls WEB = TestTls.create("web", "web.example");
    private static final String GET = "GET / HTTP/1.1\r\nHost: web.example\r\nConnection: close\r\n\r\n";

    private static SocketNode mail() {
        return SocketNode.start(MAIL.context(), socket -> {
            socket.getOutputStream().write(bytes("mail "));
            socket.getOutputStream().write(socket.getInputStream().readNBytes(4));
        });
    }

    /** HTTPS for everything, without anything that is passed through. */
    private Config web(String node) {
        return new Config()
                .server(server(Protocol.HTTPS)
                        .tls(ServerTls.builder().certificates(List.of("web")).build())
                        .build())
                .certificate(WEB.resource("web"))
                .router(Router.builder().id("web").proxyServerId("in").build())
                .route(Route.builder()
                        .id("any")
                        .routerId("web")
                        .path("/*")
                        .proxyPassId("to-web")
                        .build())
                .pass("to-web", "web")
                .upstream("web", node);
    }

    private Config mixed(String web, String mail) {
        return web(web).router(router("mail", sni("mail.example"), "to-mail"))
                .pass("to-mail", "mail")
                .upstream("mail", mail);
    }

    private SSLSocket client(SSLContext context, @Nullable String name, Socket over, String... alpn)
            throws IOException {
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(over, "localhost", port(), true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(alpn);
        parameters.setServerNames(name == null ? List.of() : List.of(new SNIHostName(name)));
        socket.setSSLParameters(parameters);
        return socket;
    }

    /** Returns what a node of mail, or the gateway, says to a client that trusts the certificate of it alone. */
    private String mail(String name) throws IOException {
        try (SSLSocket socket = client(MAIL.context(), name, connect())) {
            socket.getOutputStream().write(bytes("ping"));
            return rest(socket);
        }
    }

    private String web(@Nullable String name, Socket over) throws IOException {
        try (SSLSocket socket = client(WEB.context(), name, over)) {
            socket.getOutputStream().write(bytes(GET));
            return rest(socket);
        }
    }

    @Test
    void someNamesArePassedThroughAndOthersAreDecrypted() throws Exception {
        try (SocketNode mail = mail();
                TestNode web = TestNode.named("hello")) {
            gateway().apply(mixed(web.url(), mail.url()));
            for (int i = 0; i < 3; i++) {
                assertThat(mail("mail.example")).isEqualTo("mail ping");
                assertThat(web("web.example", connect()))
                        .startsWith("HTTP/1.1 200")
                        .endsWith("hello");
                assertThat(web(null, connect())).startsWith("HTTP/1.1 200").endsWith("hello");
            }
            // Each event loop hands on its own lines, so those of different connections have no order.
            Map<String, List<JsonNode>> records = records(9).stream()
                    .collect(Collectors.groupingBy(
                            record -> record.path("protocol").asText()));
            JsonNode passed = records.get("TLS").getFirst();
            assertThat(passed.path("serverName").asText()).isEqualTo("mail.example");
            assertThat(passed.path("router").asText()).isEqualTo("mail");
            assertThat(passed.path("end").asText()).isEqualTo("complete");
            assertThat(records.get("TLS")).hasSize(3);
            assertThat(records.get("HTTP/1.1").getFirst().path("status").asInt())
                    .isEqualTo(200);
        }
    }

    @Test
    void protocolIsAgreedOnWithWhoeverDecrypts() throws Exception {
        try (SocketNode mail = mail();
                TestNode web = TestNode.named("hello")) {
            gateway().apply(mixed(web.url(), mail.url()));
            try (SSLSocket socket = client(WEB.context(), "web.example", connect(), "h2", "http/1.1")) {
                socket.startHandshake();
                assertThat(socket.getApplicationProtocol()).isEqualTo("h2");
            }
            try (SSLSocket socket = client(MAIL.context(), "mail.example", connect(), "h2", "http/1.1")) {
                socket.startHandshake();
                assertThat(socket.getApplicationProtocol()).isEmpty();
            }
        }
    }

    @Test
    void alpnOfAPassedNameCanBelongToOneRouter() throws Exception {
        try (SocketNode mail = mail();
                TestNode web = TestNode.named("hello")) {
            StreamMatch acme = StreamMatch.builder()
                    .sni(List.of("web.example"))
                    .alpn(List.of("acme-tls/1"))
                    .build();
            gateway().apply(mixed(web.url(), mail.url()).router(router("acme", acme, "to-mail")));
            try (SSLSocket socket = client(MAIL.context(), "web.example", connect(), "acme-tls/1")) {
                socket.getOutputStream().write(bytes("ping"));
                assertThat(rest(socket)).isEqualTo("mail ping");
            }
            assertThat(web("web.example", connect())).endsWith("hello");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 50})
    void firstMessageMayComeInPieces(int size) throws Exception {
        try (SocketNode mail = mail();
                TestNode web = TestNode.named("hello");
                Chopping chopping = new Chopping(port(), size)) {
            gateway().apply(mixed(web.url(), mail.url()));
            try (SSLSocket socket = client(MAIL.context(), "mail.example", chopping.connect())) {
                socket.getOutputStream().write(bytes("ping"));
                assertThat(rest(socket)).isEqualTo("mail ping");
            }
            assertThat(web("web.example", chopping.connect())).endsWith("hello");
        }
    }

    @Test
    void whatIsNoTlsIsAnsweredAsOnAnyPortOfHttps() throws Exception {
        try (SocketNode mail = mail();
                TestNode web = TestNode.named("hello")) {
            gateway().apply(web(web.url()));
            String alone = plain();
            gateway().apply(mixed(web.url(), mail.url()));
            assertThat(plain()).isEqualTo(alone);
        }
    }

    private String plain() throws IOException {
        try (Socket client = connect()) {
            client.getOutputStream().write(bytes(GET));
            return rest(client);
        } catch (IOException e) {
            return "reset";
        }
    }

    @Test
    void firstMessageThatComesTooSlowlyEndsTheConnection() throws Exception {
        try (SocketNode mail = mail();
                TestNode web = TestNode.named("hello")) {
            Config config = mixed(web.url(), mail.url());
            gateway()
                    .apply(config.server(server(Protocol.HTTPS)
                            .tls(ServerTls.builder()
                                    .certificates(List.of("web"))
                                    .build())
                            .limits(limits().headTimeoutMillis(400).build())
                            .build()));
            try (Socket client = connect()) {
                client.getOutputStream().write(new byte[] {22, 3, 1, 0, 100, 1});
                assertThat(rest(client)).isEmpty();
            }
        }
    }

    @Test
    void portStaysOpenWhenNamesComeAndGo() throws Exception {
        try (SocketNode mail = mail();
                TestNode web = TestNode.named("hello")) {
            gateway().apply(web(web.url()));
            try (SSLSocket before = client(WEB.context(), "web.example", connect())) {
                before.startHandshake();
                gateway().apply(mixed(web.url(), mail.url()));
                assertThat(mail("mail.example")).isEqualTo("mail ping");
                before.getOutputStream().write(bytes(GET));
                assertThat(rest(before)).endsWith("hello");
            }
            try (SSLSocket passed = client(MAIL.context(), "mail.example", connect())) {
                passed.startHandshake();
                gateway().apply(mixed(web.url(), mail.url()).router(router("mail", sni("post.example"), "to-mail")));
                // It keeps its node; the next one is the gateway's.
                passed.getOutputStream().write(bytes("ping"));
                assertThat(rest(passed)).isEqualTo("mail ping");
            }
            assertThat(web("mail.example", connect())).startsWith("HTTP/1.1 ");
        }
    }

    /** Passes what a client sends first on in pieces. */
    private static final class Chopping implements AutoCloseable {

        private static final int CHOPPED = 700;
        private final ServerSocket listening;
        private final int port;
        private final int size;

        Chopping(int port, int size) throws IOException {
            this.port = port;
            this.size = size;
            this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            Thread.ofVirtual().start(() -> {
                try {
                    while (true) {
                        Socket client = listening.accept();
                        Socket gateway = new Socket(InetAddress.getLoopbackAddress(), port());
                        gateway.setTcpNoDelay(true);
                        Thread.ofVirtual().start(() -> pass(client, gateway, true));
                        Thread.ofVirtual().start(() -> pass(gateway, client, false));
                    }
                } catch (IOException e) {
                    // The test ends by closing the socket.
                    return;
                }
            });
        }

        private int port() {
            return port;
        }

        Socket connect() throws IOException {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), listening.getLocalPort());
            socket.setSoTimeout(TIMEOUT_MILLIS);
            return socket;
        }

        private void pass(Socket from, Socket to, boolean chops) {
            try (from;
                    to) {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                int left = chops ? CHOPPED : 0;
                byte[] buffer = new byte[8192];
                for (int read = in.read(buffer); read > 0; read = in.read(buffer)) {
                    int at = 0;
                    while (left > 0 && at < read) {
                        int length = Math.min(size, read - at);
                        out.write(buffer, at, length);
                        at += length;
                        left -= length;
                    }
                    out.write(buffer, at, read - at);
                }
                to.shutdownOutput();
            } catch (IOException e) {
                // One side is gone, and so is the other.
                return;
            }
        }

        @Override
        public void close() throws IOException {
            listening.close();
        }
    }
}
