package io.sigma.dataplane.snapshot;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.dataplane.filter.FilterServices;
import io.sigma.dataplane.telemetry.GatewayMetrics;
import io.sigma.json.Json;
import io.sigma.model.Kind;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.Snapshot;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ConfigurationBoundTest {

    private static final long MAX = 1 << 20;

    private final ConfigurationBound bound = new ConfigurationBound(MAX);

    private static List<EntityChange> bodies(int count) {
        List<EntityChange> changes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String json = Json.text(Map.of("id", "p" + i, "fixedResponse", Map.of("body", "x".repeat(60_000))));
            changes.add(EntityChange.of(Kind.PROXY_PASS, "p" + i, Json.read(json, JsonNode.class)));
        }
        return changes;
    }

    private static EntityChange route(String field) {
        String json = "{\"id\":\"r\",\"routerId\":\"a\",\"proxyPassId\":\"p0\"," + field + "}";
        return EntityChange.of(Kind.ROUTE, "r", Json.read(json, JsonNode.class));
    }

    @Test
    void largerConfigurationIsRefusedWithItsSize() {
        ConfigState small = ConfigState.empty().with(bodies(10));
        ConfigState large = small.with(bodies(20));

        assertThatCode(() -> bound.check(small, ConfigState.empty())).doesNotThrowAnyException();
        assertThatThrownBy(() -> bound.check(large, small))
                .isInstanceOf(SnapshotRefused.class)
                .hasMessageContaining("1.15")
                .hasMessageContaining("(expected: at most 1.000 MiB");
        assertThatCode(() -> bound.check(small, small)).doesNotThrowAnyException();
    }

    @Test
    void whatBecomesSmallerPasses() {
        ConfigState large = ConfigState.empty().with(bodies(30));
        ConfigState smaller = large.with(List.of(new EntityChange(Kind.PROXY_PASS, "p0", null)));

        assertThatCode(() -> bound.check(smaller, large)).doesNotThrowAnyException();
        assertThatThrownBy(() -> bound.check(large, smaller)).isInstanceOf(SnapshotRefused.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"path\":\"~/x{1000}\"",
                "\"path\":\"/\",\"headers\":[{\"name\":\"a\",\"regex\":\"x{1000}\"}]",
                "\"path\":\"/\",\"plugins\":{\"rewritePath\":{\"regexp\":\"x{1000}\",\"replacement\":\"/\"}}"
            })
    void expressionsCountAsWhatTheyAreCompiledTo(String field) {
        ConfigurationBound little = new ConfigurationBound(10_000);
        ConfigState state = ConfigState.empty().with(List.of(route(field)));

        assertThatThrownBy(() -> little.check(state, ConfigState.empty())).isInstanceOf(SnapshotRefused.class);
    }

    /** A node is short in JSON, and has pools on each event loop. */
    @Test
    void nodesCountAsWhatTheyTake() {
        String nodes = "{\"url\":\"http://10.0.0.1\"},".repeat(999) + "{\"url\":\"http://10.0.0.1\"}";
        String json = "{\"id\":\"u\",\"nodes\":[" + nodes + "]}";
        ConfigState state =
                ConfigState.empty().with(List.of(EntityChange.of(Kind.UPSTREAM, "u", Json.read(json, JsonNode.class))));

        assertThatThrownBy(() -> bound.check(state, ConfigState.empty()))
                .isInstanceOf(SnapshotRefused.class)
                .hasMessageContaining("nodes");
    }

    @Test
    void voteRefusesIt() throws Exception {
        try (SnapshotApplier applier = SnapshotApplier.of(
                (endpoint, loop, connected, failed) -> failed.accept(new IllegalStateException("no network")),
                List.of(),
                new GatewayMetrics(100, 1),
                FilterServices.NONE,
                new ActiveSnapshot(),
                new Preparation() {
                    @Override
                    public Future<Preparation.Prepared> prepare(RuntimeSnapshot next) {
                        return Future.succeededFuture(() -> {});
                    }

                    @Override
                    public void check(RuntimeSnapshot next, boolean unnamed) {}

                    @Override
                    public void judge(RuntimeSnapshot next) {}
                },
                bound)) {
            Snapshot small = Snapshot.NONE.advance(1, bodies(10));
            applier.prepare(small).await(20, TimeUnit.SECONDS);
            applier.apply(small).await(20, TimeUnit.SECONDS);
            Snapshot large = small.advance(2, bodies(20));
            assertThatThrownBy(() -> applier.prepare(large).await(20, TimeUnit.SECONDS))
                    .isInstanceOf(SnapshotRefused.class)
                    .hasMessageContaining("of configuration");
        }
    }
}
