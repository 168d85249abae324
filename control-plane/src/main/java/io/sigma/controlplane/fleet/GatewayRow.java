package io.sigma.controlplane.fleet;

import io.sigma.model.Gateway;
import io.sigma.model.GatewayState;
import io.sigma.model.Refusal;
import io.sigma.snapshot.GatewayStatus;
import java.time.Duration;
import java.time.Instant;

/**
 * What is known of a gateway.
 *
 * @param controlPlane the one that it hangs on
 * @param lastSeen by this process's clock
 */
record GatewayRow(GatewayStatus status, String controlPlane, Instant lastSeen) {

    String id() {
        return status.gatewayId();
    }

    boolean isLive(Instant now, Duration lostAfter) {
        return !status.stopping() && Duration.between(lastSeen, now).compareTo(lostAfter) <= 0;
    }

    /** Returns whether it refused {@code revision} or a newer one and serves an older one. */
    boolean refused(long revision) {
        Refusal refusal = status.refusal();
        return refusal != null && refusal.revision() >= revision && status.revision() < revision;
    }

    /** Returns whether this says something that others wait for, compared with {@code before}. */
    boolean isNews(GatewayRow before) {
        GatewayStatus old = before.status;
        return status.revision() != old.revision()
                || !status.stateHash().equals(old.stateHash())
                || status.stopping() != old.stopping()
                || !java.util.Objects.equals(status.refusal(), old.refusal());
    }

    Gateway view(long newestRevision, Instant now, Duration lostAfter) {
        return Gateway.builder()
                .id(id())
                .host(status.host())
                .version(status.version())
                .revision(status.revision())
                .lag(Math.max(0, newestRevision - status.revision()))
                .state(state(newestRevision, now, lostAfter))
                .lastSeen(lastSeen)
                .startedAt(status.startedAt())
                .controlPlane(controlPlane)
                .refusal(status.refusal())
                .build();
    }

    private GatewayState state(long newestRevision, Instant now, Duration lostAfter) {
        if (!isLive(now, lostAfter)) {
            return GatewayState.LOST;
        }
        if (status.revision() >= newestRevision) {
            return GatewayState.CURRENT;
        }
        Refusal refusal = status.refusal();
        return refusal != null && refusal.revision() > status.revision() ? GatewayState.REFUSED : GatewayState.BEHIND;
    }
}
