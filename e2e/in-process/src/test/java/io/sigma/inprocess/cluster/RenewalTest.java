package io.sigma.inprocess.cluster;

import static io.sigma.inprocess.testkit.MemoryLog.upstream;
import static io.sigma.inprocess.testkit.Waiting.await;
import static io.sigma.inprocess.testkit.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.link.BridgeLink;
import io.sigma.dataplane.link.Enrolment;
import io.sigma.identity.Pem;
import io.sigma.inprocess.testkit.Installation;
import io.sigma.inprocess.testkit.WithInstallation;
import io.sigma.snapshot.FetchRequest;
import io.sigma.snapshot.SnapshotProtocol;
import io.sigma.snapshot.StateHash;
import java.nio.file.Files;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The renewal of the certificate of a connected gateway. */
final class RenewalTest extends WithInstallation {

    /**
     * So short that a certificate is due at once: gateways renew when a third is left, and clocks may differ by an
     * hour.
     */
    private static final Duration SHORT = Duration.ofMinutes(10);

    private static final String RENEWED = "select count(*) from gateway_certificates where renewed";

    private void enrol(String id, int port) throws Exception {
        await(Enrolment.enrol(
                installation.vertx(), id, dir.resolve(id), List.of("127.0.0.1:" + port), Installation.JOIN_TOKEN));
    }

    private String serial(String id) {
        return certificate(id).getSerialNumber().toString(16);
    }

    private long endSeconds(String id) {
        return certificate(id).getNotAfter().toInstant().getEpochSecond();
    }

    private X509Certificate certificate(String id) {
        try {
            return Pem.certificate(Files.readString(dir.resolve(id).resolve("gateway-cert.pem")));
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private long count(String sql) throws Exception {
        return await(installation.pool().query(sql).execute()).iterator().next().getLong(0);
    }

    @Test
    void aGatewayRenewsWithoutATokenAndGoesOverWithoutLosingAnything() throws Exception {
        int port = installation.controlPlane("one", SHORT).port();
        enrol("edge", port);
        String before = serial("edge");
        BridgeLink link = BridgeLink.of(installation.settings("edge", List.of("127.0.0.1:" + port), null), "edge");
        AtomicInteger connections = new AtomicInteger();
        Set<Long> announced = new ConcurrentSkipListSet<>();
        link.onConnected(connections::incrementAndGet);
        link.onAnnouncement(announcement -> announced.add(announcement.revision()));
        link.open();
        until("connected", () -> connections.get() > 0);

        // From the first connection on something is asked all the time, and something is announced.
        FetchRequest fetch = new FetchRequest("edge", 0, StateHash.EMPTY.hex(), null, 0);
        List<Long> committed = new ArrayList<>();
        while (connections.get() < 2 || committed.size() < 50) {
            await(link.request(SnapshotProtocol.FETCH, fetch));
            committed.add(installation
                    .log()
                    .commit(upstream("a", "n" + committed.size() + ".test"))
                    .revision());
            assertThat(committed).hasSizeLessThan(10_000);
        }

        assertThat(serial("edge")).isNotEqualTo(before);
        assertThat(link.certificateEndSeconds()).isEqualTo(endSeconds("edge"));
        until("all is announced", () -> announced.containsAll(committed));

        // It hangs on the new certificate: without the old one it stays.
        await(installation
                .pool()
                .query("update gateway_certificates set revoked_at = now() where serial = '" + before + "'")
                .execute());
        await(installation
                .pool()
                .query(
                        "insert into gateway_revocations (gateway_id, revoked_by, lifted_at) values ('edge', 'test', now())")
                .execute());
        await(installation
                .pool()
                .query("select pg_notify('sigma_revocation', 'edge')")
                .execute());
        long newest = installation.log().commit(upstream("a", "last.test")).revision();
        until("the last is announced", () -> announced.contains(newest));
        await(link.request(SnapshotProtocol.FETCH, fetch));
        assertThat(connections).hasValue(2);
        await(link.close());
    }

    @Test
    void aCertificateThatIsGoodForLongIsKept() throws Exception {
        int port = installation.controlPlane("one").port();
        enrol("edge", port);
        String before = serial("edge");

        Installation.Gateway gateway = installation.gateway("edge", List.of("127.0.0.1:" + port), null);
        long newest = installation.log().commit(upstream("a", "a.test")).revision();

        until("edge serves", () -> gateway.target().current().revision() == newest);
        assertThat(serial("edge")).isEqualTo(before);
        assertThat(count(RENEWED)).isZero();
    }

    @Test
    void aGatewayServesWhileItRenewsAndStartsWithTheNewCertificateAgain() throws Exception {
        int port = installation.controlPlane("one", SHORT).port();
        enrol("edge", port);
        String before = serial("edge");
        Installation.Gateway gateway = installation.gateway("edge", List.of("127.0.0.1:" + port), null);
        until("edge has renewed", () -> !serial("edge").equals(before));
        await(gateway.client().close());
        int next = installation.controlPlane("two", SHORT).port();

        Installation.Gateway again = installation.gateway("edge", List.of("127.0.0.1:" + next), null);

        long newest = installation.log().commit(upstream("a", "a.test")).revision();
        until("edge serves again", () -> again.target().current().revision() == newest);
        assertThat(count(RENEWED)).isPositive();
    }
}
