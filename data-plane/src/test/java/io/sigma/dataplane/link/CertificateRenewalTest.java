package io.sigma.dataplane.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.TestTls;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CertificateRenewalTest {

    @TempDir
    Path dir;

    /** A gateway whose certificate nobody renews is shut out when it is over. */
    @Test
    void itIsLookedAgainWhateverIsThrown() throws Exception {
        TestTls tls = TestTls.create("edge");
        Instant nearTheEnd = tls.certificate().getNotAfter().toInstant().minusSeconds(1);
        Credentials own = new Credentials(tls.keys().getPrivate(), tls.certificate(), tls.certificate());
        AtomicInteger looks = new AtomicInteger();
        Vertx vertx = Vertx.vertx();
        CertificateRenewal renewal = new CertificateRenewal(vertx, "edge", new CredentialFiles(dir), () -> {
            if (looks.incrementAndGet() == 1) {
                throw new IllegalStateException("no clock");
            }
            return nearTheEnd;
        });
        List<String> failures = new CopyOnWriteArrayList<>();
        CountDownLatch renewed = new CountDownLatch(2);
        vertx.runOnContext(any -> renewal.follow(
                own,
                false,
                () -> renewed.getCount() > 0,
                () -> {
                    renewed.countDown();
                    if (renewed.getCount() == 1) {
                        throw new StackOverflowError("no stack");
                    }
                    return Future.succeededFuture();
                },
                e -> failures.add(e.getMessage())));
        assertThat(renewed.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(failures).containsExactly("no clock", "no stack");
        vertx.close().await(30, TimeUnit.SECONDS);
    }
}
