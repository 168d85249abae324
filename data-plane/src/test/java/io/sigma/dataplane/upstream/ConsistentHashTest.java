package io.sigma.dataplane.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.upstream.balance.Balancer;
import io.sigma.dataplane.upstream.balance.HashInput;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

final class ConsistentHashTest {

    private static final int KEYS = 10_000;

    private static ConsistentHash hash(Member[] members, int loadPercentMax) {
        return new ConsistentHash(members, new HashRing(members), loadPercentMax, new SplittableRandom(1));
    }

    private static int owner(ConsistentHash balancer, int key, IntPredicate eligible) {
        return balancer.next(new Balancer.Eligible() {
            @Override
            public boolean test(int node) {
                return eligible.test(node);
            }

            @Override
            public long hash() {
                return HashInput.hash("key-" + key);
            }
        });
    }

    private static NodeEndpoint[] owners(Member[] members) {
        ConsistentHash balancer = hash(members, 0);
        NodeEndpoint[] owners = new NodeEndpoint[KEYS];
        Arrays.setAll(owners, key -> members[owner(balancer, key, node -> true)].endpoint());
        return owners;
    }

    private static long moved(NodeEndpoint[] before, NodeEndpoint[] after) {
        long moved = 0;
        for (int key = 0; key < KEYS; key++) {
            moved += before[key] == after[key] ? 0 : 1;
        }
        return moved;
    }

    @Test
    void aNodeThatComesTakesItsShareAndMovesNothingElse() {
        Member[] eleven = Endpoints.members(11);
        NodeEndpoint[] before = owners(Arrays.copyOf(eleven, 10));
        NodeEndpoint[] after = owners(eleven);
        assertThat(moved(before, after)).isBetween(KEYS / 22L, KEYS / 7L);
        for (int key = 0; key < KEYS; key++) {
            assertThat(after[key]).isIn(before[key], eleven[10].endpoint());
        }
    }

    @Test
    void aNodeThatGoesMovesItsKeysOnly() {
        Member[] ten = Endpoints.members(10);
        NodeEndpoint[] before = owners(ten);
        NodeEndpoint[] after = owners(Arrays.copyOf(ten, 9));
        for (int key = 0; key < KEYS; key++) {
            if (before[key] != ten[9].endpoint()) {
                assertThat(after[key]).isSameAs(before[key]);
            }
        }
    }

    @Test
    void orderOfTheNodesDoesNotMatter() {
        Member[] ten = Endpoints.members(10);
        NodeEndpoint[] before = owners(ten);
        Member[] reversed = new Member[10];
        Arrays.setAll(reversed, i -> ten[9 - i]);
        assertThat(moved(before, owners(reversed))).isZero();
    }

    @Test
    void aNodeThatIsNotHealthyMovesItsKeysOnly() {
        ConsistentHash balancer = hash(Endpoints.members(5), 0);
        for (int key = 0; key < 1000; key++) {
            int before = owner(balancer, key, node -> true);
            int after = owner(balancer, key, node -> node != 2);
            assertThat(after).isNotEqualTo(2);
            if (before != 2) {
                assertThat(after).isEqualTo(before);
            }
        }
    }

    @Test
    void sharesFollowWeights() {
        Member[] members = {Endpoints.member(1, 1), Endpoints.member(2, 3), Endpoints.member(3, 0)};
        ConsistentHash balancer = hash(members, 0);
        Map<Integer, Integer> count = new HashMap<>();
        for (int key = 0; key < KEYS; key++) {
            count.merge(owner(balancer, key, node -> true), 1, Integer::sum);
        }
        assertThat(count.get(1) / (double) count.get(0)).isBetween(2.2, 4.2);
        assertThat(count).doesNotContainKey(2);
    }

    @Test
    void aNodeWithMoreThanItsBoundedLoadPassesTheKeyOn() {
        Member[] members = Endpoints.members(4);
        ConsistentHash balancer = hash(members, 125);
        int[] running = new int[4];
        // One hot key: its node takes at most 1.25 times the fair share of what is in progress.
        for (int i = 0; i < 400; i++) {
            int node = owner(balancer, 7, any -> true);
            members[node].endpoint().load(0).begun();
            running[node]++;
        }
        assertThat(Arrays.stream(running).max().orElse(0)).isLessThanOrEqualTo(126);
        assertThat(Arrays.stream(running).sum()).isEqualTo(400);
    }
}
