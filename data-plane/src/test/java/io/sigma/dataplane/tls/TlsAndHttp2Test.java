package io.sigma.dataplane.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sigma.dataplane.snapshot.SnapshotTarget;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.Http2Client;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestTls;
import io.sigma.model.ClientTls;
import io.sigma.model.HstsPlugin;
import io.sigma.model.HttpsRedirectPlugin;
import io.sigma.model.Kind;
import io.sigma.model.Plugins;
import io.sigma.model.Protocol;
import io.sigma.model.ProxyServer;
import io.sigma.model.ServerTls;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.ResourceType;
import io.sigma.snapshot.Snapshot;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Encrypted connections on both sides, and HTTP/2 clients. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class TlsAndHttp2Test extends EngineContract {

    private final TestTls tls = TestTls.create("gateway");

    private Config encrypted(String node) throws IOException {
        Path cert = tls.writeCertificate(folder.resolve("cert.pem"));
        Path key = tls.writeKey(folder.resolve("key.pem"));
        return forwarding(node)
                .server(ProxyServer.builder()
                        .id("web")
                        .host("127.0.0.1")
                        .port(port())
                        .protocol(Protocol.HTTPS)
                        .tls(ServerTls.builder()
                                .certPath(cert.toString())
                                .keyPath(key.toString())
                                .build())
                        .build());
    }

    private HttpResponse<String> send(HttpClient client, HttpRequest.Builder request) throws Exception {
        return client.send(request.timeout(Duration.ofSeconds(20)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private URI https(String target) {
        return URI.create("https://localhost:" + port() + target);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void httpsListenerSpeaksTls(String version) throws Exception {
        try (TestNode node = TestNode.named("secret")) {
            gateway().apply(encrypted(node.url()));
            SSLSocket socket =
                    (SSLSocket) tls.context().getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port());
            socket.setEnabledProtocols(new String[] {version});
            try (RawClient client = new RawClient(socket)) {
                client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
                assertThat(client.read().text()).isEqualTo("secret");
                assertThat(socket.getSession().getProtocol()).isEqualTo(version);
            }
            assertThat(node.last().field("x-forwarded-proto")).isEqualTo("https");
        }
    }

    @Test
    void plaintextOnAnHttpsListenerIsNotServed() throws Exception {
        try (TestNode node = TestNode.named("secret")) {
            gateway().apply(encrypted(node.url()));
            assertThatThrownBy(() -> get("/")).isInstanceOf(IOException.class);
            assertThat(node.received()).isEmpty();
        }
    }

    @Test
    void oldTlsIsRefused() throws Exception {
        gateway().apply(encrypted("http://127.0.0.1:1"));
        SSLContext context = tls.context();
        SSLSocket socket =
                (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port());
        assertThat(socket.getSupportedProtocols()).contains("TLSv1.1");
        socket.setEnabledProtocols(new String[] {"TLSv1.1"});
        assertThatThrownBy(socket::startHandshake).isInstanceOf(SSLHandshakeException.class);
    }

    @Test
    void http2IsNegotiatedAndManyStreamsShareAConnection() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> connection.ok(request.target() + request.text()));
                HttpClient client = HttpClient.newBuilder()
                        .sslContext(tls.context())
                        .version(HttpClient.Version.HTTP_2)
                        .build()) {
            gateway().apply(encrypted(node.url()));
            assertThat(send(client, HttpRequest.newBuilder(https("/first"))).version())
                    .isEqualTo(HttpClient.Version.HTTP_2);
            List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                answers.add(client.sendAsync(
                        HttpRequest.newBuilder(https("/" + i))
                                .POST(HttpRequest.BodyPublishers.ofString("=" + i))
                                .build(),
                        HttpResponse.BodyHandlers.ofString()));
            }
            for (int i = 0; i < 50; i++) {
                assertThat(answers.get(i).get(20, TimeUnit.SECONDS).body()).isEqualTo("/" + i + "=" + i);
            }
            assertThat(node.last().field("host")).isEqualTo("localhost:" + port());
        }
    }

    @Test
    void http2WithoutTlsIsSpokenWithPriorKnowledge() throws Exception {
        try (TestNode node =
                TestNode.start((request, connection) -> connection.ok(request.method() + request.text()))) {
            gateway().apply(forwarding(node.url()));
            Http2Client.Answer answer = Http2Client.exchange(port(), "POST", "/h2c", "body");
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("POSTbody");
            Http2Client.Answer bodiless = Http2Client.exchange(port(), "GET", "/h2c", null);
            assertThat(bodiless.body()).isEqualTo("GET");
            assertThat(node.last().field("transfer-encoding")).isNull();
            assertThat(node.last().field("content-length")).isNull();
        }
    }

    @Test
    void truncatedBodyResetsTheStream() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> {
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc");
            connection.socket().close();
        })) {
            gateway().apply(forwarding(node.url()));
            assertThatThrownBy(() -> Http2Client.exchange(port(), "GET", "/", null))
                    .hasMessageContaining("reset");
        }
    }

    @Test
    void errorsAreAnsweredOnHttp2() throws Exception {
        gateway().apply(forwarding("http://127.0.0.1:" + Config.freePort()));
        assertThat(Http2Client.exchange(port(), "GET", "/", null).status()).isEqualTo(502);
        assertThat(Http2Client.exchange(port(), "TRACE", "/", null).status()).isEqualTo(405);
        assertThat(Http2Client.exchange(port(), "GET", "/%00", null).status()).isEqualTo(400);
    }

    @Test
    void renewedCertificateIsPresentedWithoutANewSocket() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            Config config = encrypted(node.url());
            gateway().apply(config);
            TestTls renewed = TestTls.create("renewed");
            renewed.writeCertificate(folder.resolve("cert.pem"));
            renewed.writeKey(folder.resolve("key.pem"));
            gateway().apply(config.router("other", "web", "other.example.com"));
            SSLSocket socket = (SSLSocket)
                    renewed.context().getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port());
            try (socket) {
                socket.startHandshake();
                assertThat(socket.getSession().getPeerPrincipal().getName()).isEqualTo("CN=renewed");
            }
        }
    }

    @Test
    void certificateThatWasRenewedOnDiskIsPresentedAfterAChangeOfARoute() throws Exception {
        SnapshotTarget target = gateway().gateway().snapshotTarget();
        Config config = encrypted("http://127.0.0.1:1");
        Snapshot first = Snapshot.of(1, config.state());
        GatewayHarness.await(target.apply(first));
        TestTls renewed = TestTls.create("renewed");
        renewed.writeCertificate(folder.resolve("cert.pem"));
        renewed.writeKey(folder.resolve("key.pem"));
        EntityChange gone = new EntityChange(Kind.ROUTE, "any", null);
        GatewayHarness.await(target.apply(first.advance(2, List.of(gone))));
        SSLSocket socket =
                (SSLSocket) renewed.context().getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port());
        try (socket) {
            socket.startHandshake();
            assertThat(socket.getSession().getPeerPrincipal().getName()).isEqualTo("CN=renewed");
        }
    }

    @Test
    void missingKeyRefusesTheSnapshotWithItsPlace() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            Config broken = forwarding(node.url())
                    .server(ProxyServer.builder()
                            .id("tls")
                            .host("127.0.0.1")
                            .port(Config.freePort())
                            .protocol(Protocol.HTTPS)
                            .tls(ServerTls.builder()
                                    .certPath(folder.resolve("nowhere/cert.pem").toString())
                                    .keyPath(folder.resolve("nowhere/key.pem").toString())
                                    .build())
                            .build());
            assertThat(gateway().refused(broken).pointer()).isEqualTo("/proxyServers/tls/tls/certPath");
            assertThat(get("/").status()).isEqualTo(200);
        }
    }

    @Test
    void keyOfAnotherCertificateRefusesTheSnapshot() throws Exception {
        Config config = encrypted("http://127.0.0.1:1");
        TestTls.create("other").writeKey(folder.resolve("key.pem"));
        assertThat(gateway().refused(config).pointer()).isEqualTo("/proxyServers/web/tls");
    }

    // --- Towards the node

    @Test
    void httpsNodeIsSpokenToEncryptedAndItsCertificateChecked() throws Exception {
        TestTls nodeTls = TestTls.create("node");
        Path authority = nodeTls.writeCertificate(folder.resolve("ca.pem"));
        try (TestNode node = TestNode.startTls(nodeTls.context(), (request, connection) -> connection.ok("tls"))) {
            Config config = forwarding("https://127.0.0.1:" + node.port());
            gateway().apply(config);
            assertThat(get("/").status()).isEqualTo(502);
            gateway()
                    .apply(config.copy()
                            .nodeTls(
                                    "nodes",
                                    ClientTls.builder()
                                            .caPath(authority.toString())
                                            .build()));
            assertThat(get("/").text()).isEqualTo("tls");
            gateway()
                    .apply(config.copy()
                            .nodeTls("nodes", ClientTls.builder().verify(false).build()));
            assertThat(get("/").text()).isEqualTo("tls");
        }
    }

    @Test
    void httpsNodeIsSpokenToInPlainWhereThePassSaysSo() throws Exception {
        try (TestNode node = TestNode.named("plain")) {
            gateway()
                    .apply(forwarding("https://127.0.0.1:" + node.port())
                            .with(
                                    ResourceType.PROXY_PASS,
                                    "pass",
                                    pass -> pass.toBuilder()
                                            .httpsDegradeHttp(true)
                                            .build()));
            assertThat(get("/").text()).isEqualTo("plain");
        }
    }

    @Test
    void unreadableAuthorityRefusesTheSnapshot() {
        Config config = forwarding("https://127.0.0.1:1")
                .nodeTls(
                        "nodes",
                        ClientTls.builder()
                                .caPath(folder.resolve("nowhere/ca.pem").toString())
                                .build());
        assertThat(gateway().refused(config).pointer()).isEqualTo("/upstreams/nodes/tls/caPath");
    }

    // --- Plugins that depend on TLS

    @Test
    void strictTransportSecurityIsSentOnTlsOnly() throws Exception {
        Plugins plugins = Plugins.builder()
                .hsts(HstsPlugin.builder()
                        .maxAgeSeconds(60L)
                        .includeSubDomains(true)
                        .build())
                .build();
        try (TestNode node = TestNode.named("ok");
                HttpClient client =
                        HttpClient.newBuilder().sslContext(tls.context()).build()) {
            int plain = Config.freePort();
            gateway()
                    .apply(encrypted(node.url())
                            .with(
                                    ResourceType.ROUTER,
                                    "all",
                                    router ->
                                            router.toBuilder().plugins(plugins).build())
                            .server("plain", plain)
                            .router("also", "plain")
                            .with(
                                    ResourceType.ROUTER,
                                    "also",
                                    router ->
                                            router.toBuilder().plugins(plugins).build())
                            .route("too", "also", "/*", "pass"));
            assertThat(send(client, HttpRequest.newBuilder(https("/")))
                            .headers()
                            .allValues("strict-transport-security"))
                    .containsExactly("max-age=60; includeSubDomains");
            assertThat(RawClient.get(plain, "a", "/").field("strict-transport-security"))
                    .isNull();
        }
    }

    @Test
    void redirectToHttpsNamesItsPort() throws Exception {
        gateway()
                .apply(forwarding("http://127.0.0.1:1")
                        .with(
                                ResourceType.PROXY_SERVER,
                                "web",
                                server -> server.toBuilder()
                                        .plugins(Plugins.builder()
                                                .httpsRedirect(HttpsRedirectPlugin.builder()
                                                        .port(8443)
                                                        .build())
                                                .build())
                                        .build()));
        RawClient.Answer answer = get("/a?b=c");
        assertThat(answer.status()).isEqualTo(308);
        assertThat(answer.field("location")).isEqualTo("https://shop.example.com:8443/a?b=c");
    }
}
