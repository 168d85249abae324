package io.sigma.dataplane.link;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The credentials to connect with: those on disk while they are good, else new ones where there is a join token.
 * Confined to the link's event loop.
 */
final class CredentialSource {

    private static final Logger LOG = LoggerFactory.getLogger(CredentialSource.class);

    /** Doubts about good credentials lead to a new enrolment at most so often. */
    private static final Duration DOUBT_INTERVAL = Duration.ofMinutes(1);

    private final Vertx vertx;
    private final String gatewayId;
    private final CredentialFiles files;
    private final @Nullable String joinToken;
    private final InstantSource clock;

    private boolean doubted;
    private Instant doubtedAt = Instant.EPOCH;

    CredentialSource(
            Vertx vertx, String gatewayId, CredentialFiles files, @Nullable String joinToken, InstantSource clock) {
        this.vertx = vertx;
        this.gatewayId = gatewayId;
        this.files = files;
        this.joinToken = joinToken;
        this.clock = clock;
    }

    /**
     * Returns credentials for {@code address}, enrolling there if need be.
     *
     * @return fails with {@link EnrolmentFailed} when there are none
     */
    Future<Credentials> get(ControlPlaneAddress address) {
        Instant now = clock.instant();
        Future<Optional<Credentials>> valid =
                vertx.executeBlocking(() -> files.load().filter(found -> found.areValid(gatewayId, now)));
        return valid.compose(good -> {
            // A certificate that is about to expire is renewed after the connection is made with it.
            if (good.isPresent() && (!doubted || joinToken == null)) {
                return Future.succeededFuture(good.get());
            }
            if (joinToken == null) {
                return Future.failedFuture(
                        new EnrolmentFailed(
                                "Gateway " + gatewayId
                                        + " has no valid certificate: enroll it, or set joinToken to the join token of the control planes"));
            }
            doubted = false;
            Future<Credentials> fresh = Enrolment.enrol(vertx, gatewayId, files, address, joinToken);
            return good.isEmpty()
                    ? fresh
                    : fresh.recover(e -> {
                        LOG.warn("No new certificate was issued, so the old one stays in use: {}", e.getMessage());
                        return Future.succeededFuture(good.get());
                    });
        });
    }

    /**
     * Says that good credentials were refused: the cluster may have another authority, as when its database was made
     * again, or this gateway was shut out and let in again. An attacker who provokes this gains nothing, because
     * enrolment trusts the join token alone.
     */
    void doubt() {
        Instant now = clock.instant();
        // A clock that was put back says nothing of how long ago it was.
        if (now.isBefore(doubtedAt) || doubtedAt.plus(DOUBT_INTERVAL).isBefore(now)) {
            doubtedAt = now;
            doubted = true;
        }
    }
}
