package io.sigma.controlplane.tail;

import io.sigma.model.LastRequest;
import io.sigma.snapshot.RequestsAnswer;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Bounds the last requests of a gateway, because an attacker may control the gateway. */
final class BoundedAnswer {

    private static final int TEXT_MAX = 256;
    private static final int STATUS_MAX = 999;
    private static final Instant FIRST = Instant.EPOCH;

    private BoundedAnswer() {}

    /**
     * Returns the requests.
     *
     * @param gatewayId the gateway that was asked, whatever the answer says
     * @param now no request came later
     */
    static List<LastRequest> items(RequestsAnswer answer, String gatewayId, int limit, Instant now) {
        return answer.items().stream()
                .limit(limit)
                .map(item -> bounded(item, gatewayId, now))
                .toList();
    }

    /** Returns where the next question goes on; null for from the start. */
    static @Nullable String next(RequestsAnswer answer) {
        String next = answer.next();
        return next == null || next.length() > RequestsAnswer.NEXT_MAX ? null : next;
    }

    private static LastRequest bounded(LastRequest item, String gatewayId, Instant now) {
        return LastRequest.builder()
                .id(text(item.id()))
                .at(at(item.at(), now))
                .gatewayId(gatewayId)
                .proxyServerId(text(item.proxyServerId()))
                .routerId(optional(item.routerId()))
                .routeId(optional(item.routeId()))
                .proxyPassId(optional(item.proxyPassId()))
                .upstreamId(optional(item.upstreamId()))
                .node(optional(item.node()))
                .protocol(text(item.protocol()))
                .method(text(item.method()))
                .host(text(item.host()))
                .path(text(item.path()))
                .status(Math.clamp(Objects.requireNonNullElse(item.status(), 0), 0, STATUS_MAX))
                .durationMicros(number(item.durationMicros()))
                .bytesIn(number(item.bytesIn()))
                .bytesOut(number(item.bytesOut()))
                .attempts(Math.max(0, Objects.requireNonNullElse(item.attempts(), 0)))
                .clientAddress(optional(item.clientAddress()))
                .error(optional(item.error()))
                .revision(number(item.revision()))
                .build();
    }

    private static Instant at(@Nullable Instant at, Instant now) {
        return at == null || at.isBefore(FIRST) ? FIRST : at.isAfter(now) ? now : at;
    }

    private static long number(@Nullable Long value) {
        return value == null ? 0 : Math.max(0, value);
    }

    private static String text(@Nullable String value) {
        return Objects.requireNonNullElse(optional(value), "");
    }

    private static @Nullable String optional(@Nullable String value) {
        return value == null || value.length() <= TEXT_MAX ? value : value.substring(0, TEXT_MAX);
    }
}
