package io.sigma.dataplane.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.upstream.balance.BalancePolicy;
import io.sigma.model.CircuitBreaker;
import io.sigma.model.Upstream;
import io.sigma.model.UpstreamLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A circuit that outlives a change of its upstream tells the nodes that there are. */
final class CarriedCircuitTest {

    private static UpstreamCluster cluster(@Nullable UpstreamCluster before, NodeEndpoint node) {
        Upstream source = Upstream.builder()
                .id("u")
                .limits(UpstreamLimits.builder()
                        .circuitBreaker(CircuitBreaker.builder()
                                .requestsMin(1)
                                .failurePercent(1)
                                .build())
                        .build())
                .build();
        List<Member> members = List.of(new Member(node, 1, 0, HealthState.HEALTHY, Map.of()));
        UpstreamCluster cluster = UpstreamCluster.of("u", BalancePolicy.of(source, false), members, 1, before);
        cluster.serve();
        return cluster;
    }

    @Test
    void aCircuitThatIsCarriedOverTellsTheNodesOfNow() {
        NodeEndpoint gone = Endpoints.endpoint("http://10.0.0.1");
        NodeEndpoint here = Endpoints.endpoint("http://10.0.0.2");
        List<String> heard = new ArrayList<>();
        for (NodeEndpoint each : List.of(gone, here)) {
            each.health().listen((endpoint, event) -> heard.add(endpoint.name()));
        }
        UpstreamCluster first = cluster(null, gone);
        UpstreamCluster second = cluster(first, here);
        assertThat(second.core().circuit()).isSameAs(first.core().circuit());

        second.core().circuit().ended(0, true, System.nanoTime(), System.nanoTime());

        assertThat(heard).containsOnly(here.name());
    }
}
