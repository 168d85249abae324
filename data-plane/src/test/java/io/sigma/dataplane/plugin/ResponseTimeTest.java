package io.sigma.dataplane.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.PluginContract;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.Plugins;
import io.sigma.model.ResponseTimePlugin;
import org.junit.jupiter.api.Test;

final class ResponseTimeTest extends PluginContract {

    @Test
    void clientIsToldTheTimeThatTheNodeTook() throws Exception {
        long nodeMillis = 30;
        try (TestNode node = TestNode.start((request, connection) -> {
            Thread.sleep(nodeMillis);
            connection.ok("ok");
        })) {
            gateway()
                    .apply(withPlugins(
                            node.url(),
                            Plugins.builder()
                                    .responseTime(ResponseTimePlugin.builder()
                                            .header("X-Took")
                                            .build())));
            String took = String.valueOf(get("/").field("x-took"));
            assertThat(took).matches("[0-9]+\\.[0-9]{3}ms");
            assertThat(Double.parseDouble(took.substring(0, took.length() - 2)))
                    .isGreaterThanOrEqualTo((double) nodeMillis);
        }
    }
}
