package io.sigma.dataplane;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.dataplane.filter.FilterServices;
import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.snapshot.ActiveSnapshot;
import io.sigma.dataplane.snapshot.SnapshotApplier;
import io.sigma.dataplane.tail.RequestTail;
import io.sigma.dataplane.telemetry.GatewayMetrics;
import io.sigma.json.Json;
import io.sigma.model.Kind;
import io.sigma.model.RouteTest;
import io.sigma.plugin.Phase;
import io.sigma.plugin.PluginFilter;
import io.sigma.plugin.PluginProvider;
import io.sigma.plugin.PluginReplies;
import io.sigma.plugin.PluginRequest;
import io.sigma.plugin.PluginServices;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.RouteQuestion;
import io.sigma.snapshot.Snapshot;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class RouteTesterTest {

    /** Its filters may be tried out, and recurse without end. */
    private static final class Recursing implements PluginProvider {

        @Override
        public String name() {
            return "recursing";
        }

        @Override
        public Phase phase() {
            return Phase.TRANSFORMATION;
        }

        @Override
        public PluginFilter filter(JsonNode configuration, PluginServices services) {
            return new PluginFilter() {
                @Override
                public boolean isPure() {
                    return true;
                }

                @Override
                public Verdict onRequest(PluginRequest request, PluginReplies replies) {
                    throw new StackOverflowError("on purpose");
                }
            };
        }
    }

    private static EntityChange server() {
        String json = "{\"id\":\"web\",\"port\":80,\"plugins\":{\"extensions\":{\"recursing\":{}}}}";
        return EntityChange.of(Kind.PROXY_SERVER, "web", Json.read(json, JsonNode.class));
    }

    @Test
    void whoeverAsksIsAnsweredWhateverAFilterThrows() throws Exception {
        FilterServices none = FilterServices.NONE;
        FilterServices services = new FilterServices(
                none.loops(),
                none.worker(),
                none.clock(),
                none.nanoTime(),
                none.random(),
                none.consumers(),
                Map.of("recursing", new Recursing()),
                none.addresses(),
                none.files(),
                none.disk(),
                none.passesSessions());
        ActiveSnapshot active = new ActiveSnapshot();
        try (SnapshotApplier applier = SnapshotApplier.of(
                        (endpoint, loop, connected, failed) -> failed.accept(new IllegalStateException("no network")),
                        List.<Loop>of(),
                        new GatewayMetrics(100, 1),
                        services,
                        active,
                        next -> Future.succeededFuture(() -> {}));
                ExecutorService worker = Executors.newSingleThreadExecutor()) {
            applier.apply(Snapshot.NONE.advance(1, List.of(server()))).await(20, TimeUnit.SECONDS);
            RouteTester tester = new RouteTester(
                    active,
                    applier.trials(),
                    worker,
                    List.of(),
                    (material, name) -> List.of(),
                    none.disk(),
                    new RequestTail(1));
            RouteQuestion question = RouteQuestion.of(
                    "q", "edge", RouteTest.builder().url("/").host("a.test").build(), 0, 0, "", null);
            assertThatThrownBy(() -> tester.answer(question).await(20, TimeUnit.SECONDS))
                    .hasMessage("on purpose");
        }
    }
}
