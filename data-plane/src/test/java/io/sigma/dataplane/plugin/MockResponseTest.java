package io.sigma.dataplane.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.PluginContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.MockResponsePlugin;
import io.sigma.model.Plugins;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class MockResponseTest extends PluginContract {

    @Test
    void gatewayAnswersInPlaceOfTheNode() throws Exception {
        try (TestNode node = TestNode.named("node")) {
            gateway()
                    .apply(withPlugins(
                            node.url(),
                            Plugins.builder()
                                    .mockResponse(MockResponsePlugin.builder()
                                            .status(418)
                                            .headers(Map.of("Content-Type", "application/json"))
                                            .body("{\"tea\":\"\u00fc\"}")
                                            .build())));
            RawClient.Answer answer = send("POST", "/x", "Content-Length: 0\r\n");
            assertThat(answer.status()).isEqualTo(418);
            assertThat(answer.field("content-type")).isEqualTo("application/json");
            assertThat(answer.text()).isEqualTo("{\"tea\":\"\u00fc\"}");
            assertThat(send("HEAD", "/x", "").field("content-length")).isEqualTo("12");
            assertThat(node.received()).isEmpty();
        }
    }
}
