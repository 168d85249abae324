package io.sigma.dataplane.tls;

import static io.sigma.dataplane.testkit.GatewayHarness.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.sigma.dataplane.engine.node.NodeDialer;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestTls;
import io.sigma.model.ClientTls;
import io.sigma.model.HealthCheck;
import io.sigma.model.NodeProtocol;
import io.sigma.model.Pool;
import io.sigma.model.Upstream;
import io.sigma.snapshot.ResourceType;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.bouncycastle.asn1.x509.GeneralName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** TLS with nodes: which certificate they are shown, which of theirs is trusted, and what is spoken. */
final class NodeCertificateTest extends EngineContract {

    private final TestTls own = TestTls.create("node");
    private final TestTls first = TestTls.create("first gateway");
    private final TestTls second = TestTls.create("second gateway");
    private final Vertx vertx = Vertx.vertx();
    private final Set<Object> connections = ConcurrentHashMap.newKeySet();

    @AfterEach
    void closeNodes() {
        GatewayHarness.await(vertx.close());
    }

    /** Starts a node that answers with the subject of the certificate that it is shown. */
    private int node(ClientAuth auth, String tls, HttpVersion... versions) {
        HttpServerOptions options = new HttpServerOptions()
                .setSsl(true)
                .setUseAlpn(true)
                .setAlpnVersions(List.of(versions))
                .setEnabledSecureTransportProtocols(Set.of(tls))
                .setClientAuth(auth)
                .setKeyCertOptions(new PemKeyCertOptions()
                        .addCertValue(Buffer.buffer(own.resource("x").chain()))
                        .addKeyValue(
                                Buffer.buffer(String.valueOf(own.resource("x").privateKey()))))
                .setTrustOptions(new PemTrustOptions()
                        .addCertValue(Buffer.buffer(first.resource("x").chain()))
                        .addCertValue(Buffer.buffer(second.resource("x").chain())));
        HttpServer server = vertx.createHttpServer(options)
                .connectionHandler(connections::add)
                .requestHandler(request -> request.response().end(subject(request)));
        return GatewayHarness.await(server.listen(0, "127.0.0.1")).actualPort();
    }

    private static String subject(HttpServerRequest request) {
        try {
            X509Certificate shown =
                    (X509Certificate) request.connection().peerCertificates().getFirst();
            return request.version() + " " + shown.getSubjectX500Principal().getName();
        } catch (SSLPeerUnverifiedException e) {
            return request.version() + " nobody";
        }
    }

    private Config to(int port, @Nullable String certificateId, UnaryOperator<Upstream.Builder> more) {
        return forwarding("https://127.0.0.1:" + port)
                .certificate(first.resource("gateway"))
                .with(
                        ResourceType.UPSTREAM,
                        "nodes",
                        upstream -> more.apply(upstream.toBuilder()
                                        .tls(ClientTls.builder()
                                                .ca(own.resource("x").chain())
                                                .certificateId(certificateId)
                                                .build()))
                                .build());
    }

    @ParameterizedTest
    @EnumSource(NodeProtocol.class)
    void nodeThatWantsACertificateIsShownOne(NodeProtocol protocol) throws Exception {
        int port = node(ClientAuth.REQUIRED, "TLSv1.3", HttpVersion.HTTP_2, HttpVersion.HTTP_1_1);
        gateway().apply(to(port, null, upstream -> upstream.protocol(protocol)));
        assertThat(get("/").status()).isEqualTo(502);
        gateway().apply(to(port, "gateway", upstream -> upstream.protocol(protocol)));
        assertThat(get("/").text())
                .isEqualTo((protocol == NodeProtocol.HTTP1 ? "HTTP_1_1" : "HTTP_2") + " CN=first gateway");
    }

    @Test
    void nodeThatDoesNotTrustTheCertificateIsNotReached() throws Exception {
        int port = node(ClientAuth.REQUIRED, "TLSv1.2", HttpVersion.HTTP_1_1);
        gateway()
                .apply(to(port, "gateway", UnaryOperator.identity())
                        .certificate(TestTls.create("stranger").resource("gateway")));
        assertThat(get("/").status()).isEqualTo(502);
    }

    @Test
    void nodeThatWantsNoneIsShownNone() throws Exception {
        int port = node(ClientAuth.NONE, "TLSv1.3", HttpVersion.HTTP_1_1);
        gateway().apply(to(port, "gateway", UnaryOperator.identity()));
        assertThat(get("/").text()).isEqualTo("HTTP_1_1 nobody");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void changedCertificateIsShownOnNewConnectionsAndClosesNone(String version) throws Exception {
        int port = node(ClientAuth.REQUIRED, version, HttpVersion.HTTP_1_1);
        Config config = to(port, "gateway", UnaryOperator.identity());
        gateway().apply(config);
        try (RawClient client = RawClient.connect(port())) {
            assertThat(ask(client)).isEqualTo("HTTP_1_1 CN=first gateway");
            gateway().apply(config.copy().certificate(second.resource("gateway")));
            // The same client is served on the same event loop, where the connection to the node is still open.
            assertThat(ask(client)).isEqualTo("HTTP_1_1 CN=first gateway");
            assertThat(connections).hasSize(1);
            // Another pool has no connection yet.
            gateway()
                    .apply(to(
                                    port,
                                    "gateway",
                                    upstream -> upstream.slowStartMillis(0)
                                            .pool(Pool.builder()
                                                    .connectionsMax(7)
                                                    .build()))
                            .certificate(second.resource("gateway")));
            assertThat(ask(client)).isEqualTo("HTTP_1_1 CN=second gateway");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void sessionsAreResumedOnNewConnections(String version) throws Exception {
        SSLContext context = own.context();
        List<Long> sessions = new CopyOnWriteArrayList<>();
        List<String> versions = new CopyOnWriteArrayList<>();
        try (TestNode node = TestNode.startTls(context, version, (request, connection) -> {
            SSLSession session = ((SSLSocket) connection.socket()).getSession();
            sessions.add(session.getCreationTime());
            versions.add(session.getProtocol());
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            connection.socket().close();
        })) {
            gateway().apply(to(node.port(), null, UnaryOperator.identity()));
            try (RawClient client = RawClient.connect(port())) {
                for (int i = 0; i < 4; i++) {
                    ask(client);
                }
            }
            assertThat(node.accepted()).isEqualTo(4);
        }
        assertThat(versions).containsOnly(version);
        assertThat(sessions).hasSize(4);
        assertThat(Set.copyOf(sessions)).hasSizeLessThan(4);
    }

    private static String ask(RawClient client) throws Exception {
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        return client.read().text();
    }

    /** As in docker compose, where nodes have names without a dot (RFC 6066 §3). */
    @ParameterizedTest
    @CsvSource({"localhost, localhost", "my_node, ''", "127.0.0.1, ''"})
    void nameOfANodeIsAskedForWhateverItLooksLike(String host, String asked) throws Exception {
        TestTls node = TestTls.create("node", "localhost");
        List<String> names = new CopyOnWriteArrayList<>();
        try (TestNode server = TestNode.startTls(node.context(), (request, connection) -> {
            ExtendedSSLSession session = (ExtendedSSLSession) ((SSLSocket) connection.socket()).getSession();
            names.add(request.target() + " "
                    + session.getRequestedServerNames().stream()
                            .map(name -> ((SNIHostName) name).getAsciiName())
                            .collect(Collectors.joining()));
            connection.ok("ok");
        })) {
            gateway()
                    .apply(forwarding("https://" + host + ":" + server.port())
                            .with(
                                    ResourceType.UPSTREAM,
                                    "nodes",
                                    upstream -> upstream.toBuilder()
                                            .tls(ClientTls.builder()
                                                    .verify(false)
                                                    .build())
                                            .healthCheck(HealthCheck.builder()
                                                    .path("/health")
                                                    .build())
                                            .build())
                            .patient("pass"));
            assertThat(get("/").text()).isEqualTo("ok");
            eventually(() -> names.contains("/health " + asked));
            assertThat(names).contains("/ " + asked);
        }
    }

    @ParameterizedTest
    @CsvSource({"localhost, 200", "other, 502"})
    void nameOfANodeWithoutADotIsChecked(String certified, int status) throws Exception {
        TestTls node = TestTls.create("node", "EC", List.of(new GeneralName(GeneralName.dNSName, certified)));
        try (TestNode server = TestNode.startTls(node.context(), (request, connection) -> connection.ok("ok"))) {
            gateway()
                    .apply(forwarding("https://localhost:" + server.port())
                            .nodeTls(
                                    "nodes",
                                    ClientTls.builder()
                                            .ca(node.resource("x").chain())
                                            .build())
                            .patient("pass"));
            assertThat(get("/").status()).isEqualTo(status);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = NodeProtocol.class,
            names = {"HTTP1", "HTTP2"})
    void checksOfHealthShowItToo(NodeProtocol protocol) throws Exception {
        int port = node(ClientAuth.REQUIRED, "TLSv1.3", HttpVersion.HTTP_2, HttpVersion.HTTP_1_1);
        UnaryOperator<Upstream.Builder> checked = upstream -> upstream.protocol(protocol)
                .panicThresholdPercent(0)
                .healthCheck(HealthCheck.builder()
                        .intervalMillis(100)
                        .rise(1)
                        .fall(1)
                        .timeoutMillis(5_000)
                        .bodyContains("CN=second gateway")
                        .build());
        gateway().apply(to(port, "gateway", checked));
        eventually(() -> status() == 503);
        gateway().apply(to(port, "gateway", checked).certificate(second.resource("gateway")));
        eventually(() -> status() == 200);
    }

    private int status() {
        try {
            return get("/").status();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void certificateThatDoesNotExistIsRefused() {
        assertThat(gateway().refused(to(1, "nowhere", UnaryOperator.identity())).pointer())
                .isEqualTo("/upstreams/nodes/tls/certificateId");
    }

    @Test
    void protocolsThatAreOfferedAreThoseOfTheUpstreamWhateverAnotherOffers() throws Exception {
        int both = node(ClientAuth.NONE, "TLSv1.3", HttpVersion.HTTP_2, HttpVersion.HTTP_1_1);
        int old = node(ClientAuth.NONE, "TLSv1.3", HttpVersion.HTTP_1_1);
        Config config = to(both, null, upstream -> upstream.protocol(NodeProtocol.HTTP2));
        gateway().apply(config);
        assertThat(get("/").text()).isEqualTo("HTTP_2 nobody");
        gateway().apply(to(old, null, upstream -> upstream.protocol(NodeProtocol.AUTO)));
        assertThat(get("/").text()).isEqualTo("HTTP_1_1 nobody");
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

    /** RFC 9110 §4.3.4: the common name of a subject names nobody. */
    @ParameterizedTest
    @EnumSource(NodeProtocol.class)
    void commonNameIsNoNameOfANode(NodeProtocol protocol) throws Exception {
        String host = "inner.example.com";
        GeneralName address = new GeneralName(GeneralName.iPAddress, "127.0.0.1");
        GeneralName other = new GeneralName(GeneralName.dNSName, "outer.example.com");
        for (List<GeneralName> names : List.of(List.<GeneralName>of(), List.of(address), List.of(other))) {
            TestTls nobody = TestTls.create(host, "EC", names);
            try (TestNode node = TestNode.startTls(nobody.context(), (request, connection) -> connection.ok("tls"))) {
                Config config = named(forwarding("https://127.0.0.1:" + node.port()), nobody, host)
                        .with(
                                ResourceType.UPSTREAM,
                                "nodes",
                                upstream ->
                                        upstream.toBuilder().protocol(protocol).build());
                gateway().apply(config);
                assertThat(get("/").status()).isEqualTo(502);
                assertThat(node.received()).isEmpty();
            }
        }
    }

    /** RFC 9110 §4.3.4. */
    @Test
    void certificateThatIsNotTrustedIsLogged() throws Exception {
        Logger logger = (Logger) LoggerFactory.getLogger(NodeDialer.class);
        ListAppender<ILoggingEvent> said = new ListAppender<>();
        said.start();
        logger.addAppender(said);
        try (TestNode node = TestNode.startTls(own.context(), (request, connection) -> connection.ok("tls"))) {
            String url = "https://127.0.0.1:" + node.port();
            gateway().apply(named(forwarding(url), first, "localhost"));
            for (int i = 0; i < 3; i++) {
                assertThat(get("/").status()).isEqualTo(502);
            }
            assertThat(said.list).hasSize(1);
            assertThat(said.list.getFirst().getFormattedMessage())
                    .startsWith("The certificate of the node " + url + " (localhost) is not trusted: ");
        } finally {
            logger.detachAppender(said);
        }
    }

    @Test
    void commonNameIsNoNameForChecksOfHealthEither() throws Exception {
        TestTls nobody = TestTls.create("inner.example.com", "EC", List.of());
        try (TestNode node = TestNode.startTls(nobody.context(), (request, connection) -> connection.ok("tls"))) {
            gateway()
                    .apply(named(forwarding("https://127.0.0.1:" + node.port()), nobody, "inner.example.com")
                            .with(
                                    ResourceType.UPSTREAM,
                                    "nodes",
                                    upstream -> upstream.toBuilder()
                                            .panicThresholdPercent(0)
                                            .healthCheck(HealthCheck.builder()
                                                    .intervalMillis(100)
                                                    .fall(1)
                                                    .build())
                                            .build()));
            eventually(() -> status() == 503);
            assertThat(node.received()).isEmpty();
        }
    }

    private static Config named(Config config, TestTls authority, String name) {
        return config.nodeTls(
                        "nodes",
                        ClientTls.builder()
                                .ca(authority.resource("x").chain())
                                .serverName(name)
                                .build())
                .patient("pass");
    }
}
