package io.sigma.dataplane.upstream.balance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BalancerTest {

    private static List<Integer> turns(Balancer balancer, int count) {
        List<Integer> turns = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            turns.add(balancer.next(node -> true));
        }
        return turns;
    }

    @Test
    void roundRobinStartsWhereItsLoopStarts() {
        assertThat(turns(new RoundRobin(3, 0), 6)).containsExactly(0, 1, 2, 0, 1, 2);
        assertThat(turns(new RoundRobin(3, 2), 4)).containsExactly(2, 0, 1, 2);
    }

    @Test
    void nodesThatAreNotEligibleAreSkipped() {
        RoundRobin balancer = new RoundRobin(3, 0);
        assertThat(balancer.next(node -> node == 2)).isEqualTo(2);
        assertThat(balancer.next(node -> false)).isEqualTo(-1);
        SmoothWeighted weighted = new SmoothWeighted(new int[] {5, 0, 1}, 0);
        assertThat(weighted.next(node -> node == 1)).isEqualTo(-1);
        assertThat(weighted.next(node -> node == 2)).isEqualTo(2);
    }

    @Test
    void turnsOfAHeavyNodeAreSpread() {
        assertThat(turns(new SmoothWeighted(new int[] {5, 1, 1}, 0), 7)).containsExactly(0, 0, 1, 0, 2, 0, 0);
    }

    @Test
    void sharesFollowTheWeightsExactlyOverARound() {
        List<Integer> turns = turns(new SmoothWeighted(new int[] {3, 2, 0, 5}, 4), 100);
        assertThat(turns).filteredOn(node -> node == 0).hasSize(30);
        assertThat(turns).filteredOn(node -> node == 1).hasSize(20);
        assertThat(turns).filteredOn(node -> node == 2).isEmpty();
        assertThat(turns).filteredOn(node -> node == 3).hasSize(50);
    }
}
