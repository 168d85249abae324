package io.sigma.inprocess.cluster;

import static io.sigma.inprocess.testkit.MemoryLog.upstream;
import static io.sigma.inprocess.testkit.Waiting.await;
import static io.sigma.inprocess.testkit.Waiting.failure;
import static io.sigma.inprocess.testkit.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.cluster.ClusterKeyException;
import io.sigma.dataplane.link.BridgeLink;
import io.sigma.dataplane.link.Enrolment;
import io.sigma.dataplane.link.EnrolmentFailed;
import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.identity.ClusterEndpoint;
import io.sigma.identity.PeerIdentity;
import io.sigma.identity.Pem;
import io.sigma.inprocess.testkit.Installation;
import io.sigma.inprocess.testkit.SettingsOf;
import io.sigma.inprocess.testkit.WithInstallation;
import io.sigma.snapshot.Snapshot;
import io.vertx.core.Future;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.SelfSignedCertificate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The enrolment of a gateway, and its refusals. */
class EnrolmentTest extends WithInstallation {

    private Future<Enrolment.Enrolled> enrol(String id, int port, String token) {
        return Enrolment.enrol(installation.vertx(), id, dir.resolve(id), List.of("127.0.0.1:" + port), token);
    }

    @Test
    void theRightTokenGivesACertificateOfTheClustersAuthority() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");

        Enrolment.Enrolled enrolled = await(enrol("edge", one.port(), Installation.JOIN_TOKEN));

        Path dataDir = dir.resolve("edge");
        X509Certificate certificate = Pem.certificate(Files.readString(dataDir.resolve("gateway-cert.pem")));
        X509Certificate authority = Pem.certificate(Files.readString(dataDir.resolve("cluster-ca.pem")));
        certificate.verify(authority.getPublicKey());
        assertThat(PeerIdentity.of(certificate)).isEqualTo(new PeerIdentity(PeerIdentity.Role.GATEWAY, "edge"));
        assertThat(certificate.getBasicConstraints()).isNegative();
        assertThat(enrolled.validUntil()).isEqualTo(certificate.getNotAfter().toInstant());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(dataDir.resolve("gateway-key.pem"))))
                .isEqualTo("rw-------");
    }

    @Test
    void aWrongTokenIsRefusedAndAfterTenOfThemTheAddressMustWaitUnlessItShowsTheRightOne() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");
        for (int i = 0; i < 10; i++) {
            assertThat(failure(enrol("edge", one.port(), "another-token-0123456789")))
                    .isInstanceOf(EnrolmentFailed.class)
                    .hasMessageContaining("has another join token");
        }

        assertThat(failure(enrol("edge", one.port(), "another-token-0123456789")))
                .isInstanceOf(EnrolmentFailed.class)
                .hasMessageContaining("429");
        assertThat(dir.resolve("edge")).doesNotExist();
        await(enrol("edge", one.port(), Installation.JOIN_TOKEN));
    }

    @Test
    void whoeverSitsInBetweenIsFoundOutByTheControlPlane() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");
        HttpClient behind = installation
                .vertx()
                .createHttpClient(
                        new HttpClientOptions().setSsl(true).setTrustAll(true).setVerifyHost(false));
        AtomicInteger passedOn = new AtomicInteger();
        SelfSignedCertificate own = SelfSignedCertificate.create();
        HttpServer between = await(installation
                .vertx()
                .createHttpServer(new HttpServerOptions().setSsl(true).setKeyCertOptions(own.keyCertOptions()))
                .requestHandler(request -> request.body()
                        .compose(body -> behind.request(
                                        HttpMethod.POST, one.port(), "127.0.0.1", ClusterEndpoint.ENROL_PATH)
                                .compose(onwards -> onwards.send(body)))
                        .onSuccess(answer -> {
                            passedOn.incrementAndGet();
                            answer.body()
                                    .onSuccess(body -> request.response()
                                            .setStatusCode(answer.statusCode())
                                            .end(body));
                        }))
                .listen(0, "127.0.0.1"));

        Throwable refused = failure(enrol("edge", between.actualPort(), Installation.JOIN_TOKEN));

        assertThat(passedOn).hasValue(1);
        assertThat(refused).isInstanceOf(EnrolmentFailed.class).hasMessageContaining("in between");
        assertThat(dir.resolve("edge")).doesNotExist();
        await(between.close());
        await(behind.close());
        own.delete();
    }

    @Test
    void anAnswerFromSomebodyWithoutTheTokenIsNotBelieved() throws Exception {
        SelfSignedCertificate own = SelfSignedCertificate.create();
        Installation.ControlPlane one = installation.controlPlane("one");
        await(enrol("other", one.port(), Installation.JOIN_TOKEN));
        String certificate = base64(dir.resolve("other/gateway-cert.pem"));
        String authority = base64(dir.resolve("other/cluster-ca.pem"));
        HttpServer impostor = await(installation
                .vertx()
                .createHttpServer(new HttpServerOptions().setSsl(true).setKeyCertOptions(own.keyCertOptions()))
                .requestHandler(request -> request.response()
                        .end("{\"certificate\":\"" + certificate + "\",\"authority\":\"" + authority
                                + "\",\"proof\":\"AAAA\"}"))
                .listen(0, "127.0.0.1"));

        Throwable refused = failure(enrol("edge", impostor.actualPort(), Installation.JOIN_TOKEN));

        assertThat(refused).isInstanceOf(EnrolmentFailed.class).hasMessageContaining("does not know the join token");
        assertThat(dir.resolve("edge")).doesNotExist();
        await(impostor.close());
        own.delete();
    }

    private static String base64(Path pem) throws Exception {
        return java.util.Base64.getEncoder()
                .encodeToString(Pem.certificate(Files.readString(pem)).getEncoded());
    }

    @Test
    void aGatewayThatLostItsDiskComesBackUnderItsName() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");
        await(enrol("edge", one.port(), Installation.JOIN_TOKEN));
        Files.delete(dir.resolve("edge/gateway-key.pem"));
        Snapshot newest = installation.log().commit(upstream("a", "a.test"));

        Installation.Gateway gateway = installation.gateway("edge", one.port());

        until("edge serves", () -> gateway.target().current().revision() == newest.revision());
    }

    /** What carries the link says in its own way that a certificate is not right. */
    @ParameterizedTest
    @CsvSource({"openssl, epoll", "jdk, nio"})
    void aGatewayEnrollsAnewWhenTheClusterHasAnotherAuthority(String tls, String transport) throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");
        await(enrol("edge", one.port(), Installation.JOIN_TOKEN));
        String before = Files.readString(dir.resolve("edge/cluster-ca.pem"));
        installation.kill(one);
        await(installation.pool().query("delete from cluster_authority").execute());
        Installation.ControlPlane anew = installation.controlPlane("one");
        Snapshot newest = installation.log().commit(upstream("a", "a.test"));

        GatewaySettings settings = SettingsOf.gateway(
                dir.resolve("edge"),
                List.of("127.0.0.1:" + anew.port()),
                Installation.JOIN_TOKEN,
                Map.of("SIGMA_TLS", tls, "SIGMA_TRANSPORT", transport));
        Installation.Gateway gateway =
                installation.gateway("edge", BridgeLink.of(settings, "edge"), installation.vertx());

        until("edge serves", () -> gateway.target().current().revision() == newest.revision());
        assertThat(Files.readString(dir.resolve("edge/cluster-ca.pem"))).isNotEqualTo(before);
        Snapshot second = installation.log().commit(upstream("a", "b.test"));
        until("edge follows", () -> gateway.target().current().revision() == second.revision());
    }

    @Test
    void aGatewayWithoutCertificateAndTokenKeepsTryingAndServesOnceItIsEnrolled() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");
        Snapshot newest = installation.log().commit(upstream("a", "a.test"));
        Installation.Gateway gateway = installation.gateway("edge", List.of("127.0.0.1:" + one.port()), null);
        assertThat(gateway.target().current()).isEqualTo(Snapshot.NONE);

        await(enrol("edge", one.port(), Installation.JOIN_TOKEN));

        until("edge serves", () -> gateway.target().current().revision() == newest.revision());
    }

    @Test
    void controlPlanesThatStartAtOnceAgreeOnOneAuthority() throws Exception {
        try (Installation.Starting first = installation.starting("one");
                Installation.Starting second = installation.starting("two")) {
            int portOne = first.await().port();
            int portTwo = second.await().port();
            await(enrol("edge-1", portOne, Installation.JOIN_TOKEN));
            await(enrol("edge-2", portTwo, Installation.JOIN_TOKEN));
        }

        assertThat(Files.readString(dir.resolve("edge-1/cluster-ca.pem")))
                .isEqualTo(Files.readString(dir.resolve("edge-2/cluster-ca.pem")));
    }

    @Test
    void aControlPlaneWithAnotherSecretDoesNotStartAndSaysWhy() throws Exception {
        installation.controlPlane("one");

        Throwable refused =
                failure(installation.starting("two", "another-secret").future());

        assertThat(refused).isInstanceOf(ClusterKeyException.class).hasMessageContaining("secretKey");
        assertThat(refused.getMessage()).doesNotContain("another-secret");
    }
}
