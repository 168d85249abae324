package io.sigma.controlplane.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class SlotOwnersTest {

    private final SlotOwners owners = new SlotOwners();
    private final Set<TrafficTable.Slot> slots = new HashSet<>();

    private void add(String gatewayId, int number) {
        TrafficTable.Slot slot = new TrafficTable.Slot(5, "ROUTE", "r" + number, 0);
        slots.add(slot);
        owners.add(gatewayId, slot);
    }

    @Test
    void gatewayThatNamesEverythingLeavesOthersTheirShare() {
        for (int i = 0; i < 100; i++) {
            add("liar", i);
        }
        assertThat(owners.isOwed("liar", 100)).isFalse();
        for (int i = 100; i < 150; i++) {
            assertThat(owners.isOwed("edge", 100)).isTrue();
            add("edge", i);
        }
        assertThat(owners.isOwed("edge", 100)).isFalse();
        owners.retain(slots);
        assertThat(owners.isOwed("edge", 100)).isFalse();
        owners.retain(Set.of());
        assertThat(owners.isOwed("edge", 100)).isTrue();
        assertThat(owners.isOwed("liar", 100)).isTrue();
    }
}
