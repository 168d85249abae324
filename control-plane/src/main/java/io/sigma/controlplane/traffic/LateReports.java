package io.sigma.controlplane.traffic;

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

    private final Map<String, Left> left = new HashMap<>();

    private record Left(double slots, long seconds) {}

    /**
     * Takes one.
     *
     * @param now in seconds, of any clock
     * @return false when there is none left
     */
    boolean take(String gatewayId, long now) {
        if (left.size() >= GATEWAYS_MAX) {
            left.values().removeIf(each -> refilled(each, now) >= SLOTS_MAX);
        }
        double slots = refilled(left.getOrDefault(gatewayId, new Left(SLOTS_MAX, now)), now);
        if (slots < 1) {
            return false;
        }
        left.put(gatewayId, new Left(slots - 1, now));
        return true;
    }

    private static double refilled(Left left, long now) {
        long seconds = Math.max(0, now - left.seconds());
        return Math.min(SLOTS_MAX, left.slots() + seconds * (double) SLOTS_MAX / SECONDS_MAX);
    }
}
