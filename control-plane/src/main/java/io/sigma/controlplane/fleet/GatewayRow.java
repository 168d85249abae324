package io.sigma.controlplane.fleet;

import io.sigma.model.Gateway;
import io.sigma.model.GatewayState;
import io.sigma.model.GatewayWaiver;
import io.sigma.model.Refusal;
import io.sigma.snapshot.GatewayStatus;
import io.sigma.snapshot.StateHash;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The stored state of a gateway.
 *
 * @param controlPlane the one that it hangs on
 * @param lastSeen by this process's clock
 */
record GatewayRow(GatewayStatus status, String controlPlane, Instant lastSeen) {

    String id() {
        return status.gatewayId();
    }

    /** Returns of {@code rows} the one that was seen before all others that {@code wanted} selects; null for none. */
    static @Nullable GatewayRow seenFirst(Collection<GatewayRow> rows, Predicate<GatewayRow> wanted) {
        return rows.stream()
                .filter(wanted)
                .min(Comparator.comparing(GatewayRow::lastSeen))
                .orElse(null);
    }

    boolean isLive(Instant now, Duration lostAfter) {
        return !status.stopping() && Duration.between(lastSeen, now).compareTo(lostAfter) <= 0;
    }

    /**
     * Returns whether it serves {@code revision} or a newer one. The hash of what it serves must be the one that
     * history has.
     */
    boolean acknowledges(long revision, Histories histories) {
        return status.revision() >= revision && isKnown(histories);
    }

    /** Returns whether history has what it serves. */
    boolean isKnown(Histories histories) {
        return histories.has(status.revision(), status.stateHash());
    }

    /** Returns whether what it refuses is known to be of another history. */
    boolean refusesOther(Histories histories) {
        Refusal refusal = status.refusal();
        return refusal != null && isOfAnotherHistory(refusal, histories);
    }

    /** Returns whether it refused {@code revision} or a newer one of this history, and does not serve it. */
    boolean refused(long revision, Histories histories) {
        Refusal refusal = status.refusal();
        return refusal != null
                && refusal.revision() >= revision
                && !isOfAnotherHistory(refusal, histories)
                && !acknowledges(revision, histories);
    }

    /** Gateways of older versions do not say the hash of what they refuse. */
    private static boolean isOfAnotherHistory(Refusal refusal, Histories histories) {
        String hash = refusal.stateHash();
        StateHash known = histories.hashOf(refusal.revision());
        return hash != null && known != null && !known.hex().equals(hash);
    }

    /** Returns whether this says something that others wait for, compared with {@code before}. */
    boolean isNews(GatewayRow before) {
        GatewayStatus old = before.status;
        return status.revision() != old.revision()
                || !status.stateHash().equals(old.stateHash())
                || status.stopping() != old.stopping()
                || !java.util.Objects.equals(status.refusal(), old.refusal());
    }

    /** @param waiver by which it holds up nobody's writes; null when there is none */
    Gateway view(Histories histories, Instant now, Duration lostAfter, @Nullable GatewayWaiver waiver) {
        return Gateway.builder()
                .id(id())
                .stateHash(status.stateHash())
                .waived(waiver == null ? null : true)
                .waiver(waiver)
                .host(status.host())
                .version(status.version())
                .revision(status.revision())
                .lag(Math.max(0, histories.newest() - status.revision()))
                .state(state(histories, now, lostAfter))
                .lastSeen(lastSeen)
                .startedAt(status.startedAt())
                .controlPlane(controlPlane)
                .refusal(status.refusal())
                .build();
    }

    private GatewayState state(Histories histories, Instant now, Duration lostAfter) {
        if (!isLive(now, lostAfter)) {
            return GatewayState.LOST;
        }
        if (histories.contradicts(status)) {
            return GatewayState.OTHER_HISTORY;
        }
        if (status.revision() >= histories.newest()) {
            return GatewayState.CURRENT;
        }
        Refusal refusal = status.refusal();
        return refusal != null && refusal.revision() > status.revision() ? GatewayState.REFUSED : GatewayState.BEHIND;
    }
}
