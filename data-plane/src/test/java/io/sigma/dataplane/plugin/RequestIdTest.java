package io.sigma.dataplane.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.PluginContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.Plugins;
import io.sigma.model.RequestIdPlugin;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RequestIdTest extends PluginContract {

    private Config ids(TestNode node, RequestIdPlugin.Builder plugin) {
        return withPlugins(node.url(), Plugins.builder().requestId(plugin.build()));
    }

    @Test
    void nodeAndClientReceiveOneNewId() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(ids(node, RequestIdPlugin.builder()));
            RawClient.Answer answer = send("GET", "/", "X-Request-Id: forged\r\n");
            assertThat(answer.all("x-request-id")).hasSize(1);
            assertThat(node.received().getFirst().all("x-request-id")).isEqualTo(answer.all("x-request-id"));
            UUID id = UUID.fromString(String.valueOf(answer.field("x-request-id")));
            assertThat(id.version()).isEqualTo(7);
            assertThat(id.variant()).isEqualTo(2);
            assertThat(get("/").field("x-request-id")).isNotEqualTo(id.toString());
        }
    }

    @Test
    void trustedIdIsKept() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(ids(
                            node,
                            RequestIdPlugin.builder()
                                    .header("X-Correlation")
                                    .trustIncoming(true)
                                    .echo(false)));
            RawClient.Answer answer = send("GET", "/", "X-Correlation: a-1/b\r\n");
            assertThat(node.received().getFirst().all("x-correlation")).containsExactly("a-1/b");
            assertThat(answer.field("x-correlation")).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "\"x\"", "<script>"})
    void idThatIsNoneIsReplacedEvenWhenTrusted(String sent) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(ids(node, RequestIdPlugin.builder().trustIncoming(true)));
            send("GET", "/", "X-Request-Id: " + sent + "\r\n");
            String received = String.valueOf(node.received().getFirst().field("x-request-id"));
            assertThat(UUID.fromString(received).version()).isEqualTo(7);
        }
    }
}
