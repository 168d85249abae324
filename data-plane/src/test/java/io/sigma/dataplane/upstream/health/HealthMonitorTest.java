package io.sigma.dataplane.upstream.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.upstream.HealthState;
import io.sigma.dataplane.upstream.Member;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.dataplane.upstream.UpstreamCluster;
import io.sigma.dataplane.upstream.balance.BalancePolicy;
import io.sigma.model.ClientTls;
import io.sigma.model.HealthCheck;
import io.sigma.model.NodeProtocol;
import io.sigma.model.OutlierDetection;
import io.sigma.model.Pool;
import io.sigma.model.Upstream;
import io.sigma.value.NodeUrl;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Discovered nodes of one upstream cost the other upstreams nothing. */
final class HealthMonitorTest {

    private final AtomicInteger tasks = new AtomicInteger();

    private final Loop loop = new Loop(0, new Loop.Scheduler() {
        @Override
        public void execute(Runnable task) {
            tasks.incrementAndGet();
        }

        @Override
        public void schedule(Runnable task, long millis) {
            // Nothing is waited for.
        }
    });

    private Member member(String upstream, String url) {
        NodeEndpoint.Key key = new NodeEndpoint.Key(
                upstream,
                NodeUrl.parse(url),
                Pool.builder().idleMin(1).build(),
                ClientTls.builder().build(),
                NodeProtocol.AUTO,
                null,
                false);
        NodeEndpoint endpoint = new NodeEndpoint(
                key,
                (node, on, onConnected, onFailed) -> {
                    throw new AssertionError();
                },
                List.of(loop));
        return new Member(endpoint, 1, 0, HealthState.HEALTHY, Map.of());
    }

    private static UpstreamCluster cluster(String id, Member... members) {
        Upstream source = Upstream.builder()
                .id(id)
                .nodes(List.of())
                .healthCheck(HealthCheck.builder().intervalMillis(60_000).build())
                .build();
        return UpstreamCluster.of(id, BalancePolicy.of(source, false), List.of(members), 1, null);
    }

    @Test
    void whatIsKnownOfNodesGoesOnInAnotherMonitor() {
        Member good = member("a", "http://10.0.0.1");
        Member bad = member("a", "http://10.0.0.2");
        List<KnownNode> known;
        try (HealthMonitor before = new HealthMonitor((endpoint, check, done) -> {}, (endpoint, event) -> {})) {
            before.watch(List.of(cluster("a", good, bad, member("a", "http://10.0.0.3"))));
            good.endpoint().health().checked(HealthState.HEALTHY, "passed");
            bad.endpoint().health().checked(HealthState.UNHEALTHY, "failed 3 checks in a row");
            good.endpoint().health().failures(2);
            known = before.known();
        }
        assertThat(known).extracting(KnownNode::name).containsExactly("http://10.0.0.1", "http://10.0.0.2");

        Member goodAfter = member("a", "http://10.0.0.1");
        Member badAfter = member("a", "http://10.0.0.2");
        try (HealthMonitor after = new HealthMonitor((endpoint, check, done) -> {}, (endpoint, event) -> {})) {
            after.watch(List.of(cluster("a", goodAfter, badAfter)));
            after.know(known);
            assertThat(goodAfter.endpoint().health().checked()).isEqualTo(HealthState.HEALTHY);
            assertThat(goodAfter.endpoint().health().failures()).isEqualTo(2);
            assertThat(badAfter.endpoint().health().isUsable()).isFalse();
            assertThat(badAfter.endpoint().health().view().reason()).isEqualTo("failed 3 checks in a row");
        }
    }

    @Test
    void nodesThatAreFoundForOneUpstreamLeaveTheOthersAlone() {
        UpstreamCluster a = cluster("a", member("a", "http://10.0.0.1"), member("a", "http://10.0.0.2"));
        Member stays = member("b", "http://10.0.0.3");
        Member goes = member("b", "http://10.0.0.4");
        UpstreamCluster b = cluster("b", stays, goes);
        try (HealthMonitor monitor = new HealthMonitor((endpoint, check, done) -> {}, (endpoint, event) -> {})) {
            monitor.watch(List.of(a, b));
            goes.endpoint().health().checked(HealthState.UNHEALTHY, "on purpose");
            tasks.set(0);
            long version = monitor.version();
            Member comes = member("b", "http://10.0.0.5");
            b.update(List.of(stays, comes));
            assertThat(tasks).as("looks at pools of loops").hasValue(2);
            assertThat(monitor.version()).isGreaterThan(version);
            assertThat(goes.endpoint().health().view().state()).isEqualTo(HealthState.UNKNOWN);
            assertThat(monitor.count("b")).containsExactly(2, 2);
            // One that was replaced changes nothing any more.
            UpstreamCluster next = cluster("b", stays, comes);
            monitor.watch(List.of(a, next));
            tasks.set(0);
            b.update(List.of(stays));
            assertThat(tasks).hasValue(0);
        }
    }

    /** Each look takes time from the requests of its moment. */
    @Test
    void nobodyLooksAtNodesThatNobodyJudges() {
        try (HealthMonitor monitor = new HealthMonitor((endpoint, check, done) -> {}, (endpoint, event) -> {})) {
            UpstreamCluster plain = judged("a", null);
            monitor.watch(List.of(plain));
            assertThat(monitor.waiting()).isZero();
            for (int i = 0; i < 3; i++) {
                monitor.watch(
                        List.of(plain, judged("b", OutlierDetection.builder().build())));
                assertThat(monitor.waiting()).isEqualTo(1);
            }
            monitor.watch(List.of(plain));
            assertThat(monitor.waiting()).isZero();
        }
    }

    private static UpstreamCluster judged(String id, @Nullable OutlierDetection detection) {
        Upstream source = Upstream.builder()
                .id(id)
                .nodes(List.of())
                .outlierDetection(detection)
                .build();
        return UpstreamCluster.of(id, BalancePolicy.of(source, false), List.of(), 1, null);
    }
}
