package io.sigma.dataplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.json.Json;
import io.sigma.model.AccessLogFormat;
import io.sigma.model.AccessLogPlugin;
import io.sigma.model.ClientAuth;
import io.sigma.model.ClientTls;
import io.sigma.model.Plugins;
import io.sigma.model.Protocol;
import io.sigma.model.ProxyServer;
import io.sigma.model.ServerTls;
import io.sigma.model.TlsVersion;
import io.sigma.snapshot.ResourceType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Certificates as resources: which one is presented, and how they change. */
final class CertificateTest extends EngineContract {

    private static final String GET = "GET / HTTP/1.1\r\nHost: shop.example.com\r\n\r\n";

    private final TestTls shop = TestTls.create("shop", "shop.example.com");
    private final TestTls wild = TestTls.create("wild", "*.example.com");
    private final TestTls other = TestTls.create("other", "other.example.net");

    private Config encrypted(ServerTls tls, String node) {
        return forwarding(node)
                .certificate(shop.resource("b-shop"))
                .certificate(wild.resource("c-wild"))
                .certificate(other.resource("a-other"))
                .server(ProxyServer.builder()
                        .id("web")
                        .host("127.0.0.1")
                        .port(port())
                        .protocol(Protocol.HTTPS)
                        .tls(tls)
                        .build());
    }

    private static SSLContext client(@Nullable TestTls own) throws Exception {
        return client(own, "TLS");
    }

    private static SSLContext client(@Nullable TestTls own, String protocol) throws Exception {
        SSLContext context = SSLContext.getInstance(protocol);
        KeyManager[] keys = null;
        if (own != null) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("own", own.keys().getPrivate(), new char[0], new Certificate[] {own.certificate()});
            KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
            factory.init(store, new char[0]);
            keys = factory.getKeyManagers();
        }
        context.init(keys, new TrustManager[] {new TrustAll()}, null);
        return context;
    }

    private static final class TrustAll implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    private SSLSocket connect(SSLContext context, @Nullable String name, String... alpn) throws IOException {
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port());
        SSLParameters parameters = socket.getSSLParameters();
        if (name != null) {
            parameters.setServerNames(List.of(new SNIHostName(name)));
        }
        parameters.setApplicationProtocols(alpn);
        socket.setSSLParameters(parameters);
        socket.setSoTimeout(15_000);
        socket.startHandshake();
        return socket;
    }

    private String presented(@Nullable String name) throws Exception {
        try (SSLSocket socket = connect(client(null), name)) {
            return socket.getSession().getPeerPrincipal().getName();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "shop.example.com, CN=shop",
        "SHOP.example.com, CN=shop",
        "cart.example.com, CN=wild",
        "other.example.net, CN=other",
        "a.b.example.com, CN=other",
        "unknown.example.org, CN=other"
    })
    void exactNameGoesBeforeWildcardBeforeDefault(String name, String subject) throws Exception {
        gateway().apply(encrypted(ServerTls.builder().build(), "http://127.0.0.1:1"));
        assertThat(presented(name)).isEqualTo(subject);
    }

    @Test
    void namedDefaultIsPresentedWhereNothingFits() throws Exception {
        gateway()
                .apply(encrypted(
                        ServerTls.builder()
                                .certificates(List.of("a-other", "c-wild"))
                                .defaultCertificateId("c-wild")
                                .build(),
                        "http://127.0.0.1:1"));
        assertThat(presented("unknown.example.org")).isEqualTo("CN=wild");
        assertThat(presented("shop.example.com")).isEqualTo("CN=wild");
    }

    @Test
    void changedCertificateIsPresentedAndClosesNoConnection() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            Config config = encrypted(ServerTls.builder().build(), node.url());
            gateway().apply(config);
            try (RawClient open = new RawClient(connect(client(null), "shop.example.com"))) {
                open.send(GET);
                assertThat(open.read().text()).isEqualTo("ok");
                gateway()
                        .apply(config.certificate(
                                TestTls.create("renewed", "shop.example.com").resource("b-shop")));
                assertThat(presented("shop.example.com")).isEqualTo("CN=renewed");
                open.send(GET);
                assertThat(open.read().text()).isEqualTo("ok");
            }
        }
    }

    @Test
    void oldTlsIsRefusedWhereItIsNotWanted() throws Exception {
        Config config = encrypted(ServerTls.builder().build(), "http://127.0.0.1:1");
        gateway().apply(config);
        SSLContext old = SSLContext.getInstance("TLSv1.2");
        old.init(null, new TrustManager[] {new TrustAll()}, null);
        connect(old, "shop.example.com").close();
        gateway()
                .apply(encrypted(
                        ServerTls.builder().minVersion(TlsVersion.TLS_1_3).build(), "http://127.0.0.1:1"));
        assertThatThrownBy(() -> connect(old, "shop.example.com")).isInstanceOf(IOException.class);
        assertThat(presented("shop.example.com")).isEqualTo("CN=shop");
    }

    @Test
    void clientsShowTheirCertificateAndTheNodeHearsOfIt() throws Exception {
        TestTls known = TestTls.create("known client");
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(encrypted(
                            ServerTls.builder()
                                    .clientAuth(ClientAuth.OPTIONAL)
                                    .clientCa(known.resource("x").chain())
                                    .clientSubjectHeader("X-Client-Subject")
                                    .build(),
                            node.url()));
            String spoofing = GET.replace("\r\n\r\n", "\r\nX-Client-Subject: CN=admin\r\n\r\n");
            try (RawClient client = new RawClient(connect(client(known), "shop.example.com"))) {
                client.send(spoofing);
                assertThat(client.read().status()).isEqualTo(200);
                assertThat(node.last().field("x-client-subject")).isEqualTo("CN=known client");
            }
            try (RawClient client = new RawClient(connect(client(null), "shop.example.com"))) {
                client.send(spoofing);
                assertThat(client.read().status()).isEqualTo(200);
                assertThat(node.last().field("x-client-subject")).isNull();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "TEMPLATE, 'SUCCESS CN=Zo\\xEB \\x5C\\x22client\\x5C\\x22,O=Sigma|NONE -'",
        "JSON, 'SUCCESS CN=Zo\u00eb \\\"client\\\",O=Sigma|NONE -'"
    })
    void subjectOfTheClientIsLogged(AccessLogFormat format, String expected) throws Exception {
        TestTls known = TestTls.create("Zo\u00eb \\\"client\\\", O=Sigma");
        Path file = folder.resolve("tls.log");
        AccessLogPlugin log = AccessLogPlugin.builder()
                .format(format)
                .template(format == AccessLogFormat.TEMPLATE ? "$ssl_client_verify $ssl_client_s_dn" : null)
                .path(file.toString())
                .build();
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(encrypted(
                                    ServerTls.builder()
                                            .clientAuth(ClientAuth.OPTIONAL)
                                            .clientCa(known.resource("x").chain())
                                            .build(),
                                    node.url())
                            .with(
                                    ResourceType.PROXY_PASS,
                                    "pass",
                                    pass -> pass.toBuilder()
                                            .plugins(Plugins.builder()
                                                    .accessLog(log)
                                                    .build())
                                            .build()));
            for (TestTls shown : new TestTls[] {known, null}) {
                try (RawClient client = new RawClient(connect(client(shown), "shop.example.com"))) {
                    client.send(GET);
                    assertThat(client.read().status()).isEqualTo(200);
                }
                int lines = shown == null ? 2 : 1;
                GatewayHarness.eventually(() -> lines(file).size() == lines);
            }
        }
        List<String> logged =
                lines(file).stream().map(line -> said(format, line)).toList();
        assertThat(String.join("|", logged)).isEqualTo(expected);
    }

    private static String said(AccessLogFormat format, String line) {
        if (format == AccessLogFormat.TEMPLATE) {
            return line;
        }
        JsonNode json = Json.read(line, JsonNode.class);
        return json.path("clientVerify").asText("-") + " "
                + json.path("clientSubject").asText("-");
    }

    private static List<String> lines(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void clientWithoutACertificateIsRefusedWhereItMustHaveOne() throws Exception {
        TestTls known = TestTls.create("known client");
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(encrypted(
                            ServerTls.builder()
                                    .clientAuth(ClientAuth.REQUIRED)
                                    .clientCa(known.resource("x").chain())
                                    .build(),
                            node.url()));
            for (TestTls unknown : new TestTls[] {null, TestTls.create("stranger")}) {
                assertThatThrownBy(() -> {
                            try (RawClient client = new RawClient(connect(client(unknown), "shop.example.com"))) {
                                client.send(GET);
                                client.read();
                            }
                        })
                        .isInstanceOf(IOException.class);
            }
            try (RawClient client = new RawClient(connect(client(known), "shop.example.com"))) {
                client.send(GET);
                assertThat(client.read().status()).isEqualTo(200);
            }
            assertThat(node.received()).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void sessionsAreResumedEvenAfterCertificatesChanged(String version) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            Config config = encrypted(ServerTls.builder().build(), node.url());
            gateway().apply(config);
            SSLContext context = SSLContext.getInstance(version);
            context.init(null, new TrustManager[] {new TrustAll()}, null);
            long first = session(context);
            assertThat(session(context)).isEqualTo(first);
            gateway()
                    .apply(config.certificate(
                            TestTls.create("more", "more.example.org").resource("d-more")));
            assertThat(session(context)).isEqualTo(first);
        }
    }

    @Test
    void keyOfAnyAlgorithmIsPresentedAndReplacesAnother() throws Exception {
        Config config = encrypted(ServerTls.builder().build(), "http://127.0.0.1:1");
        for (String algorithm : List.of("Ed25519", "RSA", "EC", "Ed25519", "EC")) {
            gateway()
                    .apply(config.copy()
                            .certificate(TestTls.create(algorithm, "shop.example.com", algorithm)
                                    .resource("b-shop")));
            assertThat(presented("shop.example.com")).isEqualTo("CN=" + algorithm);
            assertThat(presented("cart.example.com")).isEqualTo("CN=wild");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void ofSeveralKeysForANameTheClientGetsOneThatItCanUse(String version) throws Exception {
        gateway()
                .apply(encrypted(ServerTls.builder().build(), "http://127.0.0.1:1")
                        .certificate(
                                TestTls.create("rsa", "shop.example.com", "RSA").resource("b-shop-rsa")));
        for (String algorithm : List.of("RSA", "EC")) {
            SSLContext context = client(null);
            SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port());
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setServerNames(List.of(new SNIHostName("shop.example.com")));
            parameters.setProtocols(new String[] {version});
            parameters.setSignatureSchemes(
                    algorithm.equals("RSA")
                            ? new String[] {"rsa_pss_rsae_sha256", "rsa_pkcs1_sha256"}
                            : new String[] {"ecdsa_secp256r1_sha256"});
            socket.setSSLParameters(parameters);
            try (socket) {
                socket.startHandshake();
                assertThat(socket.getSession()
                                .getPeerCertificates()[0]
                                .getPublicKey()
                                .getAlgorithm())
                        .isEqualTo(algorithm);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void resumedSessionKnowsWhoTheClientIs(String version) throws Exception {
        TestTls known = TestTls.create("known client");
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(encrypted(
                            ServerTls.builder()
                                    .clientAuth(ClientAuth.REQUIRED)
                                    .clientCa(known.resource("x").chain())
                                    .clientSubjectHeader("X-Client-Subject")
                                    .build(),
                            node.url()));
            SSLContext context = client(known, version);
            long first = session(context);
            assertThat(node.last().field("x-client-subject")).isEqualTo("CN=known client");
            assertThat(session(context)).isEqualTo(first);
            assertThat(node.last().field("x-client-subject")).isEqualTo("CN=known client");
        }
    }

    /** Returns when the session of a connection was made, which one that is resumed has from its first handshake. */
    private long session(SSLContext context) throws Exception {
        SSLSocket socket = connect(context, "shop.example.com");
        try (RawClient client = new RawClient(socket)) {
            client.send(GET);
            assertThat(client.read().status()).isEqualTo(200);
            return socket.getSession().getCreationTime();
        }
    }

    @Test
    void authorityOfAnotherCertificateIsMisdirected() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(encrypted(ServerTls.builder().build(), node.url()));
            try (RawHttp2 client = RawHttp2.on(connect(client(null), "shop.example.com", "h2"))) {
                client.send(RawHttp2.HEADERS, 5, 1, head("other.example.net"));
                assertThat(new String(client.next().payload(), StandardCharsets.ISO_8859_1))
                        .contains("421");
                client.send(RawHttp2.HEADERS, 5, 3, head("shop.example.com"));
                RawHttp2.Frame frame = client.next();
                while (frame.stream() != 3) {
                    frame = client.next();
                }
                assertThat(frame.type()).isEqualTo(RawHttp2.HEADERS);
                // The indexed field ":status: 200".
                assertThat(frame.payload()).contains((byte) 0x88);
            }
            assertThat(node.received()).hasSize(1);
        }
    }

    private static byte[] head(String authority) {
        return RawHttp2.fields(":method", "GET", ":scheme", "https", ":path", "/", ":authority", authority);
    }

    @Test
    void listenerWithoutACertificateRefusesTheSnapshot() {
        Config none = forwarding("http://127.0.0.1:1")
                .server(ProxyServer.builder()
                        .id("web")
                        .host("127.0.0.1")
                        .port(port())
                        .protocol(Protocol.HTTPS)
                        .tls(ServerTls.builder().build())
                        .build());
        assertThat(gateway().refused(none).pointer()).isEqualTo("/proxyServers/web/tls/certificates");
        Config missing =
                encrypted(ServerTls.builder().certificates(List.of("nowhere")).build(), "http://127.0.0.1:1");
        assertThat(gateway().refused(missing).pointer()).isEqualTo("/proxyServers/web/tls/certificates/0");
    }

    @Test
    void snapshotOnDiskIsForItsOwnerOnly() throws Exception {
        gateway().apply(encrypted(ServerTls.builder().build(), "http://127.0.0.1:1"));
        Path file = folder.resolve("data/snapshot.bin");
        GatewayHarness.eventually(() -> Files.exists(file));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void nodeIsAskedForANameAndCheckedAgainstAuthoritiesOfTheConfiguration() throws Exception {
        TestTls inner = TestTls.create("node", "inner.example.com");
        try (TestNode node = TestNode.startTls(inner.context(), (request, connection) -> connection.ok("tls"))) {
            Config config = forwarding("https://127.0.0.1:" + node.port());
            gateway().apply(named(config, inner, "inner.example.com"));
            assertThat(get("/").text()).isEqualTo("tls");
            gateway().apply(named(config, inner, "outer.example.com"));
            assertThat(get("/").status()).isEqualTo(502);
        }
    }

    private static Config named(Config config, TestTls authority, String name) {
        return config.with(
                        ResourceType.UPSTREAM,
                        "nodes",
                        upstream -> upstream.toBuilder()
                                .tls(ClientTls.builder()
                                        .ca(authority.resource("x").chain())
                                        .serverName(name)
                                        .build())
                                .build())
                .with(
                        ResourceType.PROXY_PASS,
                        "pass",
                        pass -> pass.toBuilder()
                                .timeouts(pass.timeouts().toBuilder()
                                        .connectMillis(20_000)
                                        .build())
                                .build());
    }
}
