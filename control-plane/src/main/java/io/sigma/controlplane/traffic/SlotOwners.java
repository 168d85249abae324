package io.sigma.controlplane.traffic;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The gateway that named each slot first. So a gateway that names everything leaves room for the others. Confined to
 * the context of the traffic log.
 */
final class SlotOwners {

    private final Map<TrafficTable.Slot, String> owners = new HashMap<>();
    private final Map<String, Integer> counts = new HashMap<>();

    void add(String gatewayId, TrafficTable.Slot slot) {
        if (owners.putIfAbsent(slot, gatewayId) == null) {
            counts.merge(gatewayId, 1, Integer::sum);
        }
    }

    /** Returns whether a gateway named less than an equal part of {@code room}, which is divided among all. */
    boolean isOwed(String gatewayId, int room) {
        int own = counts.getOrDefault(gatewayId, 0);
        int gateways = counts.size() + (own == 0 ? 1 : 0);
        return own < room / gateways;
    }

    /** Forgets all others. */
    void retain(Set<TrafficTable.Slot> slots) {
        if (owners.keySet().retainAll(slots)) {
            counts.clear();
            owners.values().forEach(gatewayId -> counts.merge(gatewayId, 1, Integer::sum));
        }
    }
}
