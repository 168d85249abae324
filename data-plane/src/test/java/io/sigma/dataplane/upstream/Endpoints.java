package io.sigma.dataplane.upstream;

import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.loop.NoScheduler;
import io.sigma.dataplane.upstream.balance.BalancePolicy;
import io.sigma.model.ClientTls;
import io.sigma.model.NodeProtocol;
import io.sigma.model.Pool;
import io.sigma.value.NodeUrl;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Nodes to which nothing connects. */
public final class Endpoints {

    private Endpoints() {}

    public static NodeEndpoint endpoint(String url) {
        NodeEndpoint.Key key = new NodeEndpoint.Key(
                "test",
                NodeUrl.parse(url),
                Pool.builder().build(),
                ClientTls.builder().build(),
                NodeProtocol.AUTO,
                null,
                false);
        return new NodeEndpoint(
                key,
                (node, loop, onConnected, onFailed) -> {
                    throw new AssertionError();
                },
                List.of(new Loop(0, new NoScheduler())));
    }

    static Member member(int number, int weight) {
        return new Member(endpoint("http://10.0.0." + number), weight, 0, HealthState.HEALTHY, Map.of());
    }

    /** Returns nodes 10.0.0.1 to 10.0.0.{@code count}. */
    static Member[] members(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(i -> member(i, 1)).toArray(Member[]::new);
    }

    static BalancePolicy policy(io.sigma.model.Balancing balancing) {
        return policy(io.sigma.model.Upstream.builder()
                .id("test")
                .balancing(balancing)
                .panicThresholdPercent(0));
    }

    static BalancePolicy policy(io.sigma.model.Upstream.Builder upstream) {
        return BalancePolicy.of(upstream.nodes(List.of()).build(), false);
    }
}
