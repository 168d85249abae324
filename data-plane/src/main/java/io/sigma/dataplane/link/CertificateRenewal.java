package io.sigma.dataplane.link;

import io.sigma.identity.CertificateReply;
import io.sigma.identity.CertificateRequest;
import io.sigma.identity.Pem;
import io.sigma.snapshot.SnapshotProtocol;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gets a gateway that is connected a new certificate before the one it has expires, without a join token: that it may
 * have one its connection shows. Confined to the link's event loop.
 */
final class CertificateRenewal {

    private static final Logger LOG = LoggerFactory.getLogger(CertificateRenewal.class);

    private static final long LOOK_MIN_MILLIS = 1_000;
    private static final long LOOK_MAX_MILLIS = Duration.ofHours(1).toMillis();
    private static final int LOOKS_BEFORE_END = 10;

    private final Vertx vertx;
    private final String gatewayId;
    private final CredentialFiles files;
    private final InstantSource clock;

    CertificateRenewal(Vertx vertx, String gatewayId, CredentialFiles files, InstantSource clock) {
        this.vertx = vertx;
        this.gatewayId = gatewayId;
        this.files = files;
        this.clock = clock;
    }

    /**
     * Has {@code own} renewed when it is time, and looks again and again until then, whatever comes of it.
     *
     * @param later whether there is no need to look at once
     * @param wanted whether anybody connects with {@code own} still
     * @param renew the action when the time has come
     * @param failed the action when that failed
     */
    void follow(
            Credentials own,
            boolean later,
            BooleanSupplier wanted,
            Supplier<Future<Void>> renew,
            Consumer<Throwable> failed) {
        if (later) {
            vertx.setTimer(pauseMillis(own), id -> follow(own, false, wanted, renew, failed));
            return;
        }
        if (!wanted.getAsBoolean()) {
            return;
        }
        // Composed, so that what is thrown on the way is a failure as well: a certificate that nobody renews shuts the
        // gateway out.
        Future.succeededFuture()
                .compose(begun -> own.areDueForRenewal(clock.instant()) ? renew.get() : Future.<Void>succeededFuture())
                .onComplete(done -> {
                    follow(own, true, wanted, renew, failed);
                    if (done.failed()) {
                        failed.accept(done.cause());
                    }
                });
    }

    /** Returns when to look again, in milliseconds. */
    private long pauseMillis(Credentials own) {
        Instant end = own.certificate().getNotAfter().toInstant();
        long left = Duration.between(clock.instant(), end).toMillis();
        return Math.clamp(left / LOOKS_BEFORE_END, LOOK_MIN_MILLIS, LOOK_MAX_MILLIS);
    }

    /** Asks for a certificate of a new key over {@code connection}, and stores both. */
    Future<Credentials> renew(BridgeConnection connection, Credentials own) {
        return vertx.executeBlocking(() -> Application.of(gatewayId))
                .compose(application -> connection
                        .request(
                                SnapshotProtocol.RENEW,
                                new CertificateRequest(gatewayId, application.signingRequest()),
                                CertificateReply.class)
                        .compose(reply -> vertx.executeBlocking(() -> saved(application, reply, own))))
                .onSuccess(fresh -> LOG.info(
                        "Gateway {} has a new certificate, until {}",
                        gatewayId,
                        fresh.certificate().getNotAfter().toInstant()));
    }

    private Credentials saved(Application application, CertificateReply reply, Credentials own) throws IOException {
        Credentials fresh =
                new Credentials(application.keys().getPrivate(), Pem.certificate(reply.certificate()), own.authority());
        if (!fresh.areValid(gatewayId, clock.instant())) {
            throw new EnrolmentFailed(
                    "The new certificate is not valid for gateway " + gatewayId + " now; do the clocks agree?");
        }
        files.save(fresh);
        return fresh;
    }
}
