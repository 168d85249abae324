package io.sigma.dataplane.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.upstream.balance.BalancePolicy;
import io.sigma.dataplane.upstream.balance.HashInput;
import io.sigma.model.Balancing;
import io.sigma.model.Upstream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class NodeGroupTest {

    private static final long MILLI = 1_000_000;

    private static int[] share(NodeGroup group, List<Member> members, int picks, boolean keep) {
        int[] share = new int[members.size()];
        for (int i = 0; i < picks; i++) {
            NodeEndpoint node = group.pick(0, null, HashInput.hash("k" + i), System.nanoTime());
            for (int m = 0; m < share.length; m++) {
                if (members.get(m).endpoint() == node) {
                    share[m]++;
                }
            }
            if (keep && node != null) {
                node.load(0).begun();
            }
        }
        return share;
    }

    private static NodeGroup group(Balancing balancing, List<Member> members) {
        return new NodeGroup(members, Endpoints.policy(balancing), 1, null);
    }

    @ParameterizedTest
    @EnumSource(Balancing.class)
    void everyBalancingUsesEveryNodeAndSkipsTriedOnes(Balancing balancing) {
        List<Member> members = List.of(Endpoints.members(4));
        NodeGroup group = group(balancing, members);
        assertThat(share(group, members, 400, false)).doesNotContain(0);
        Set<NodeEndpoint> tried = Set.of(
                members.get(0).endpoint(),
                members.get(1).endpoint(),
                members.get(3).endpoint());
        assertThat(group.pick(0, tried, 1, System.nanoTime()))
                .isSameAs(members.get(2).endpoint());
    }

    @ParameterizedTest
    @EnumSource(
            value = Balancing.class,
            names = {"ROUND_ROBIN"},
            mode = EnumSource.Mode.EXCLUDE)
    void weightsCountExceptUnderRoundRobin(Balancing balancing) {
        List<Member> members = List.of(Endpoints.member(1, 1), Endpoints.member(2, 4), Endpoints.member(3, 0));
        // Requests that go on running: those that look at them then see the weights too.
        int[] share = share(group(balancing, members), members, 1000, true);
        assertThat(share[2]).isZero();
        assertThat(share[1]).isBetween(680, 900);
    }

    @ParameterizedTest
    @ValueSource(strings = {"LEAST_REQUESTS", "BEST_AVAILABLE", "PEAK_EWMA"})
    void busyNodesAreAvoided(Balancing balancing) {
        List<Member> members = List.of(Endpoints.members(3));
        members.forEach(member -> {
            member.endpoint().load(0).begun();
            member.endpoint().load(0).ended(Outcome.SUCCESS, MILLI, System.nanoTime());
        });
        for (int i = 0; i < 50; i++) {
            members.get(1).endpoint().load(0).begun();
        }
        assertThat(share(group(balancing, members), members, 300, false)[1]).isZero();
    }

    @Test
    void slowNodesAreAvoidedByPeakEwma() {
        List<Member> members = List.of(Endpoints.members(3));
        for (int i = 0; i < 3; i++) {
            NodeLoad load = members.get(i).endpoint().load(0);
            load.begun();
            load.ended(Outcome.SUCCESS, i == 1 ? 200 * MILLI : MILLI, System.nanoTime());
        }
        assertThat(share(group(Balancing.PEAK_EWMA, members), members, 300, false)[1])
                .isZero();
    }

    @Test
    void backupsTakeRequestsOnlyWhileNoOtherNodeCan() {
        List<Member> members = new ArrayList<>(List.of(Endpoints.members(2)));
        Member backup = new Member(Endpoints.endpoint("http://10.0.1.1"), 1, 1, HealthState.HEALTHY, Map.of());
        members.add(backup);
        NodeGroup group = group(Balancing.ROUND_ROBIN, members);
        assertThat(share(group, members, 100, false)).containsExactly(50, 50, 0);
        members.subList(0, 2)
                .forEach(member -> member.endpoint().load(0).ended(Outcome.CONNECT_FAILED, 0, System.nanoTime()));
        assertThat(share(group, members, 10, false)).containsExactly(0, 0, 10);
    }

    @Test
    void nodesThatTakeNoRequestsGetNone() {
        List<Member> members = List.of(
                Endpoints.member(1, 1),
                new Member(Endpoints.endpoint("http://10.0.0.9"), 1, 0, HealthState.DRAINING, Map.of()));
        for (Balancing balancing : Balancing.values()) {
            assertThat(share(group(balancing, members), members, 50, false)).containsExactly(50, 0);
        }
    }

    @Test
    void aNodeThatComesGrowsToItsShare() {
        List<Member> members = List.of(Endpoints.members(2));
        BalancePolicy slow = Endpoints.policy(Upstream.builder().id("test").slowStartMillis(1000));
        NodeGroup group = new NodeGroup(members, slow, 1, null);
        long now = System.nanoTime();
        members.get(1).endpoint().health().warm(now);
        int[] shares = new int[3];
        long[] ages = {100 * MILLI, 500 * MILLI, 1000 * MILLI};
        for (int step = 0; step < 3; step++) {
            for (int i = 0; i < 2000; i++) {
                NodeEndpoint node = group.pick(0, null, 0, now + ages[step]);
                shares[step] += node == members.get(1).endpoint() ? 1 : 0;
            }
        }
        assertThat(shares[0]).isBetween(40, 260);
        assertThat(shares[1]).isBetween(500, 850);
        assertThat(shares[2]).isEqualTo(1000);
        assertThat(Arrays.stream(shares).sum()).isPositive();
    }

    @Test
    void whenTooFewNodesAreHealthyAllAreUsed() {
        List<Member> members = List.of(Endpoints.members(4));
        NodeGroup group = new NodeGroup(
                members, Endpoints.policy(Upstream.builder().id("test").panicThresholdPercent(50)), 1, null);
        members.subList(0, 2)
                .forEach(member -> member.endpoint().health().checked(HealthState.UNHEALTHY, "for this test"));
        assertThat(share(group, members, 100, false)).containsExactly(0, 0, 50, 50);
        members.subList(0, 4)
                .forEach(member -> member.endpoint().health().checked(HealthState.UNHEALTHY, "for this test"));
        // At once: a request that finds nothing looks again.
        assertThat(share(group, members, 100, false)).containsExactly(25, 25, 25, 25);
    }

    @Test
    void withoutPanicAnUpstreamWithoutHealthyNodesHasNone() {
        List<Member> members = List.of(Endpoints.members(2));
        members.forEach(member -> member.endpoint().health().checked(HealthState.UNHEALTHY, "for this test"));
        assertThat(group(Balancing.RANDOM, members).pick(0, null, 0, System.nanoTime()))
                .isNull();
    }
}
