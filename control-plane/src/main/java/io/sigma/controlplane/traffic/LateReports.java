package io.sigma.controlplane.traffic;

import io.sigma.limit.TokenBucket;
import java.util.HashMap;
import java.util.Map;

/**
 * The number of late slots that each gateway may still write: twice those that it keeps while no control plane answers.
 * Confined to the context of the traffic log.
 */
final class LateReports {

    /** A gateway keeps 240 reports, each of which touches two slots of 5 s and two of 60 s at most. */
    static final int SLOTS_MAX = 2 * 240 * 4;

    /** Until all of them are there again. */
    static final int SECONDS_MAX = 600;

    private static final int GATEWAYS_MAX = 10_000;

    private final Map<String, TokenBucket> left = new HashMap<>();

    /**
     * Takes one.
     *
     * @param now in seconds, of any clock
     * @return false when there is none left
     */
    boolean take(String gatewayId, long now) {
        if (left.size() >= GATEWAYS_MAX) {
            left.values().removeIf(each -> each.isFull(now));
        }
        TokenBucket slots = left.computeIfAbsent(gatewayId, id -> new TokenBucket(SLOTS_MAX, SECONDS_MAX, now));
        if (slots.tokens(now) < 1) {
            return false;
        }
        slots.take(1, now);
        return true;
    }
}
