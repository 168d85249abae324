package io.sigma.dataplane.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestTls;
import io.sigma.dataplane.testkit.TlsContract;
import io.sigma.model.ClientTls;
import io.sigma.model.JwtAlgorithm;
import io.sigma.model.JwtPlugin;
import io.sigma.model.Plugins;
import io.sigma.model.ServerTls;
import io.sigma.snapshot.ResourceType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Date;
import org.junit.jupiter.api.Test;

/** Files that the configuration names change, and the configuration does not. */
final class ChangedFilesTest extends TlsContract {

    private final TestTls before = TestTls.create("before");
    private final TestTls after = TestTls.create("after");

    private Config ofFiles(Path cert, Path key, String node) {
        return forwarding(node)
                .encrypted(
                        "web",
                        ServerTls.builder()
                                .certPath(cert.toString())
                                .keyPath(key.toString())
                                .build());
    }

    private boolean presents(String name) {
        try {
            return presented(null).equals("CN=" + name);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private String telemetry(String target) {
        try {
            return RawClient.get(gateway().gateway().telemetryPort(), "localhost", target)
                    .text();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void chainThatIsTooLongForClientsIsRefusedAndTheEarlierOneStays() throws Exception {
        Path cert = before.writeCertificate(folder.resolve("cert.pem"));
        Path key = before.writeKey(folder.resolve("key.pem"));
        gateway().apply(ofFiles(cert, key, "http://127.0.0.1:1"));
        Files.writeString(cert, Files.readString(cert).repeat(2000));
        GatewayHarness.eventually(() -> telemetry("/metrics").contains("sigma_files_stale 1.0"));
        assertThat(presented(null)).isEqualTo("CN=before");
    }

    @Test
    void newHandshakesGetTheCertificateThatWasWrittenAndOpenConnectionsStay() throws Exception {
        Path cert = before.writeCertificate(folder.resolve("cert.pem"));
        Path key = before.writeKey(folder.resolve("key.pem"));
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(ofFiles(cert, key, node.url()));
            assertThat(presented(null)).isEqualTo("CN=before");
            try (RawClient open = new RawClient(connect(client(null), null))) {
                open.send(GET);
                assertThat(open.read().status()).isEqualTo(200);
                after.writeCertificate(cert);
                after.writeKey(key);
                GatewayHarness.eventually(() -> presents("after"));
                open.send(GET);
                assertThat(open.read().status()).isEqualTo(200);
            }
            assertThat(telemetry("/metrics")).contains("sigma_files_reread_total 1.0");
            assertThat(telemetry("/health/ready")).isEqualTo("{\"status\":\"UP\"}\n");
        }
    }

    /** As Kubernetes and certbot do it: what is named is a link to what a link leads to. */
    @Test
    void linkThatLeadsElsewhereCounts() throws Exception {
        Path old = Files.createDirectory(folder.resolve("1"));
        Path fresh = Files.createDirectory(folder.resolve("2"));
        before.writeCertificate(old.resolve("tls.crt"));
        before.writeKey(old.resolve("tls.key"));
        after.writeCertificate(fresh.resolve("tls.crt"));
        after.writeKey(fresh.resolve("tls.key"));
        Path data = Files.createSymbolicLink(folder.resolve("..data"), Path.of("1"));
        Path cert = Files.createSymbolicLink(folder.resolve("tls.crt"), Path.of("..data/tls.crt"));
        Path key = Files.createSymbolicLink(folder.resolve("tls.key"), Path.of("..data/tls.key"));
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(ofFiles(cert, key, node.url()));
            assertThat(presented(null)).isEqualTo("CN=before");
            Path next = Files.createSymbolicLink(folder.resolve("..next"), Path.of("2"));
            Files.move(next, data, StandardCopyOption.ATOMIC_MOVE);
            GatewayHarness.eventually(() -> presents("after"));
        }
    }

    @Test
    void pairThatDoesNotFitIsNotTakenAndIsTold() throws Exception {
        Path cert = before.writeCertificate(folder.resolve("cert.pem"));
        Path key = before.writeKey(folder.resolve("key.pem"));
        try (TestNode node = TestNode.named("ok")) {
            Config config = ofFiles(cert, key, node.url());
            gateway().apply(config);
            after.writeCertificate(cert);
            GatewayHarness.eventually(() -> telemetry("/metrics").contains("sigma_files_stale 1.0"));
            assertThat(telemetry("/health/ready")).isEqualTo("{\"status\":\"UP\",\"staleFiles\":1}\n");
            assertThat(presented(null)).isEqualTo("CN=before");
            // What it has nothing to do with can be changed meanwhile.
            gateway().apply(config.copy().route("other", "all", "/other", "pass"));
            Files.delete(key);
            gateway().apply(config.copy().server("more", Config.freePort()));
            assertThat(presented(null)).isEqualTo("CN=before");
            after.writeKey(key);
            GatewayHarness.eventually(() -> presents("after"));
            assertThat(telemetry("/health/ready")).isEqualTo("{\"status\":\"UP\"}\n");
        }
    }

    @Test
    void authoritiesOfNodesCountForNewConnections() throws Exception {
        Path authorities = after.writeCertificate(folder.resolve("ca.pem"));
        try (TestNode node = TestNode.startTls(before.context(), (request, connection) -> {
            connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok");
            connection.socket().close();
        })) {
            gateway()
                    .apply(forwarding("https://127.0.0.1:" + node.port())
                            .nodeTls(
                                    "nodes",
                                    ClientTls.builder()
                                            .caPath(authorities.toString())
                                            .build()));
            assertThat(get("/").status()).isEqualTo(502);
            before.writeCertificate(authorities);
            GatewayHarness.eventually(() -> status() == 200);
            Files.writeString(authorities, "no certificates");
            GatewayHarness.eventually(() -> telemetry("/metrics").contains("sigma_files_stale 1.0"));
            assertThat(status()).isEqualTo(200);
            after.writeCertificate(authorities);
            GatewayHarness.eventually(() -> status() == 502);
        }
    }

    private int status() {
        try {
            return get("/").status();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void secretOfTokensCountsAtOnceAlsoForTokensThatWereRight() throws Exception {
        String old = "o".repeat(32);
        String fresh = "f".repeat(32);
        Path secret = Files.writeString(folder.resolve("secret"), old);
        Plugins plugins = Plugins.builder()
                .jwt(JwtPlugin.builder()
                        .algorithms(java.util.List.of(JwtAlgorithm.HS256))
                        .secretPath(secret.toString())
                        .build())
                .build();
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(forwarding(node.url())
                            .with(
                                    ResourceType.ROUTE,
                                    "any",
                                    route -> route.toBuilder().plugins(plugins).build()));
            String first = token(old);
            String second = token(fresh);
            assertThat(status(first)).isEqualTo(200);
            assertThat(status(second)).isEqualTo(401);
            Files.writeString(secret, fresh);
            GatewayHarness.eventually(() -> status(second) == 200);
            assertThat(status(first)).isEqualTo(401);
        }
    }

    private static String token(String secret) throws Exception {
        SignedJWT token = new SignedJWT(
                new JWSHeader(JWSAlgorithm.HS256),
                new JWTClaimsSet.Builder()
                        .subject("any")
                        .expirationTime(Date.from(Instant.now().plusSeconds(600)))
                        .build());
        token.sign(new MACSigner(secret));
        return token.serialize();
    }

    private int status(String token) {
        try {
            return exchange("GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + token + "\r\n\r\n")
                    .status();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
