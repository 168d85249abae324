package io.sigma.dataplane.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.filter.FilterServices;
import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.loop.NoScheduler;
import io.sigma.dataplane.snapshot.ActiveSnapshot;
import io.sigma.dataplane.snapshot.SnapshotApplier;
import io.sigma.dataplane.telemetry.GatewayMetrics;
import io.sigma.dataplane.testkit.Config;
import io.sigma.model.CandidateNode;
import io.sigma.model.RouteTest;
import io.sigma.model.RouteTestOutcome;
import io.sigma.model.RouteTestResult;
import io.sigma.snapshot.Snapshot;
import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** The base of route tests without HTTP: an applied configuration, and the expected result. */
abstract class TrialContract {

    static final String NODE = "http://10.255.0.1:5432";

    private final ActiveSnapshot active = new ActiveSnapshot();
    private final SnapshotApplier applier = SnapshotApplier.of(
            (endpoint, loop, connected, failed) -> failed.accept(new IllegalStateException("no network")),
            List.of(new Loop(0, new NoScheduler())),
            new GatewayMetrics(100, 1),
            FilterServices.NONE,
            active,
            next -> Future.succeededFuture(() -> {}));

    final void apply(Config config) throws Exception {
        applier.apply(Snapshot.of(1, config.state())).await(20, TimeUnit.SECONDS);
    }

    @AfterEach
    void close() {
        applier.close();
    }

    static RouteTest.Builder test(String url) {
        return RouteTest.builder().url(url);
    }

    final RouteTestResult run(RouteTest.Builder test) {
        return new RouteTrial(
                        test.build(),
                        active.current(),
                        "edge",
                        1,
                        node -> node,
                        (material, name) -> List.of(),
                        FilterServices.NONE.disk())
                .run();
    }

    final void forwarded(RouteTest.Builder test, String server, String router) {
        RouteTestResult result = run(test);
        assertThat(result.outcome()).as(result.detail()).isEqualTo(RouteTestOutcome.FORWARDED);
        assertThat(result.proxyServerId()).isEqualTo(server);
        assertThat(result.routerId()).isEqualTo(router);
        assertThat(result.routeId()).isNull();
        assertThat(result.proxyPassId()).isEqualTo("pass");
        assertThat(result.upstreams().getFirst().nodes())
                .extracting(CandidateNode::url)
                .containsExactly(NODE);
    }

    final void refused(RouteTest.Builder test, @Nullable String server, String detail) {
        RouteTestResult result = run(test);
        assertThat(result.outcome()).isEqualTo(RouteTestOutcome.REFUSED);
        assertThat(result.proxyServerId()).isEqualTo(server);
        assertThat(result.routerId()).isNull();
        assertThat(result.detail()).contains(detail);
    }
}
