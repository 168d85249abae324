package io.sigma.dataplane.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.dataplane.snapshot.SnapshotRefused;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.PluginContract;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.json.Json;
import io.sigma.model.Plugins;
import io.sigma.model.Timeouts;
import io.sigma.snapshot.ResourceType;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Plugins that others wrote; {@link TagProvider} is one. */
final class ExtensionTest extends PluginContract {

    private static Plugins.Builder extension(String name, String json) {
        return Plugins.builder().extensions(Map.of(name, Json.read(json, JsonNode.class)));
    }

    @Test
    void pluginOfAnotherIsFoundAndRuns() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(withPlugins(node.url(), extension("tag", "{\"value\":\"blue\"}")));
            assertThat(get("/").field("x-tag")).isEqualTo("blue 1");
            assertThat(get("/").field("x-tag")).isEqualTo("blue 2");
        }
    }

    @Test
    void responseThatAFilterFailsAtIsAnErrorAndTheGatewayGoesOn() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> {
            if (request.target().equals("/late")) {
                Thread.sleep(1_000);
            }
            connection.ok("ok");
        })) {
            Config config = withPlugins(node.url(), extension("tag", "{\"value\":\"\"}"))
                    .with(
                            ResourceType.PROXY_PASS,
                            "pass",
                            pass -> pass.toBuilder()
                                    .timeouts(Timeouts.builder()
                                            .responseMillis(100)
                                            .build())
                                    .build());
            gateway().apply(config);
            assertThat(get("/").status()).isEqualTo(500);
            // Deadlines of the loops go on, although a filter fails at what they lead to.
            for (int i = 0; i < 4; i++) {
                assertThat(get("/late").status()).isEqualTo(504);
            }
            assertThat(get("/").status()).isEqualTo(500);
        }
    }

    @Test
    void filterKeepsWhatItRemembersWhileItsPluginStays() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            Config config = withPlugins(node.url(), extension("tag", "{\"value\":\"blue\"}"));
            gateway().apply(config);
            assertThat(get("/").field("x-tag")).isEqualTo("blue 1");
            gateway().apply(config.route("other", "all", "/other", "pass"));
            assertThat(get("/").field("x-tag")).isEqualTo("blue 2");
            gateway()
                    .apply(config.with(
                            ResourceType.ROUTE,
                            "any",
                            route -> route.toBuilder()
                                    .plugins(extension("tag", "{\"value\":\"red\"}")
                                            .build())
                                    .build()));
            assertThat(get("/").field("x-tag")).isEqualTo("red 1");
        }
    }

    @Test
    void levelsAreMergedNameByNameAndSwitchedOff() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            Config config = withPlugins(node.url(), extension("tag", "{\"enabled\":false}"))
                    .with(
                            ResourceType.ROUTER,
                            "all",
                            router -> router.toBuilder()
                                    .plugins(extension("tag", "{\"value\":\"blue\"}")
                                            .build())
                                    .build())
                    .route("other", "all", "/other", "pass");
            gateway().apply(config);
            assertThat(get("/").field("x-tag")).isNull();
            assertThat(get("/other").field("x-tag")).isEqualTo("blue 1");
        }
    }

    @Test
    void unknownNameIsRefusedWithItsPointer() throws Exception {
        SnapshotRefused refused = gateway().refused(withPlugins("http://127.0.0.1:1", extension("nothing", "{}")));
        assertThat(refused.pointer()).isEqualTo("/routes/any/plugins/extensions/nothing");
        assertThat(refused.detail()).contains("\"nothing\" (expected: a plugin on the gateway's class path, one of [");
    }

    @Test
    void pointerOfTheProviderIsBelowThatOfThePlugin() throws Exception {
        SnapshotRefused refused =
                gateway().refused(withPlugins("http://127.0.0.1:1", extension("tag", "{\"value\":7}")));
        assertThat(refused.pointer()).isEqualTo("/routes/any/plugins/extensions/tag/value");
        assertThat(refused.detail()).contains("7 (expected: a text)");
    }
}
