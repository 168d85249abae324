package io.sigma.dataplane.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.snapshot.SnapshotTarget;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestTls;
import io.sigma.dataplane.testkit.TlsContract;
import io.sigma.model.Certificate;
import io.sigma.model.Kind;
import io.sigma.model.ServerTls;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.ResourceType;
import io.sigma.snapshot.Snapshot;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Certificates as resources: which one is presented, and how they change. */
final class CertificateTest extends TlsContract {

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
    void certificateThatAloneChangedAfterARouteDidIsPresented() throws Exception {
        SnapshotTarget target = gateway().gateway().snapshotTarget();
        Config config = encrypted(ServerTls.builder().build(), "http://127.0.0.1:1");
        Snapshot first = Snapshot.of(1, config.state());
        Snapshot second = first.advance(2, List.of(new EntityChange(Kind.ROUTE, "any", null)));
        GatewayHarness.await(target.apply(first));
        GatewayHarness.await(target.apply(second));
        assertThat(presented("shop.example.com")).isEqualTo("CN=shop");
        Certificate renewed = TestTls.create("renewed", "shop.example.com").resource("b-shop");
        GatewayHarness.await(
                target.apply(second.advance(3, List.of(new EntityChange(Kind.CERTIFICATE, "b-shop", renewed)))));
        assertThat(presented("shop.example.com")).isEqualTo("CN=renewed");
        assertThat(presented("cart.example.com")).isEqualTo("CN=wild");
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

    @Test
    void authorityOfAnotherCertificateIsMisdirected() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(encrypted(ServerTls.builder().build(), node.url()));
            try (RawHttp2 client = RawHttp2.on(connect(client(null), "shop.example.com", "h2"))) {
                client.send(RawHttp2.HEADERS, 5, 1, head("other.example.net"));
                assertThat(client.status(client.next())).isEqualTo("421");
                client.send(RawHttp2.HEADERS, 5, 3, head("shop.example.com"));
                RawHttp2.Frame frame = client.next();
                while (frame.stream() != 3) {
                    frame = client.next();
                }
                assertThat(client.status(frame)).isEqualTo("200");
            }
            assertThat(node.received()).hasSize(1);
        }
    }

    @Test
    void hostOfAnotherCertificateIsMisdirectedOnHttp1Too() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            Config config = encrypted(ServerTls.builder().build(), node.url());
            gateway().apply(config);
            assertThat(ask("shop.example.com", "GET / HTTP/1.1\r\nHost: other.example.net\r\n\r\n"))
                    .isEqualTo(421);
            assertThat(ask("shop.example.com", "GET https://other.example.net/ HTTP/1.1\r\nHost: a\r\n\r\n"))
                    .isEqualTo(421);
            assertThat(node.received()).isEmpty();
            assertThat(ask("shop.example.com", "GET / HTTP/1.1\r\nHost: SHOP.example.com.:443\r\n\r\n"))
                    .isEqualTo(200);
            assertThat(ask("shop.example.com", "GET / HTTP/1.0\r\n\r\n")).isEqualTo(200);
            assertThat(ask(null, "GET / HTTP/1.1\r\nHost: other.example.net\r\n\r\n"))
                    .isEqualTo(200);
            // A load balancer that ends TLS and encrypts again knows one name of the gateway.
            gateway()
                    .apply(config.copy()
                            .with(
                                    ResourceType.PROXY_SERVER,
                                    "web",
                                    server -> server.toBuilder()
                                            .trustedProxies(List.of("127.0.0.0/8"))
                                            .build()));
            assertThat(ask("shop.example.com", "GET / HTTP/1.1\r\nHost: other.example.net\r\n\r\n"))
                    .isEqualTo(200);
        }
    }

    private int ask(@Nullable String name, String request) throws Exception {
        try (RawClient client = new RawClient(connect(client(null), name, "http/1.1"))) {
            client.send(request);
            return client.read().status();
        }
    }

    private static byte[] head(String authority) {
        return RawHttp2.fields(":method", "GET", ":scheme", "https", ":path", "/", ":authority", authority);
    }

    @Test
    void listenerWithoutACertificateRefusesTheSnapshot() {
        Config none = forwarding("http://127.0.0.1:1")
                .encrypted("web", ServerTls.builder().build());
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
}
