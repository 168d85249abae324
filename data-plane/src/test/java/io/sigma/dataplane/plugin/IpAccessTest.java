package io.sigma.dataplane.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.PluginContract;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.IpAccessPlugin;
import io.sigma.model.Plugins;
import io.sigma.snapshot.ResourceType;
import java.util.List;
import org.junit.jupiter.api.Test;

final class IpAccessTest extends PluginContract {

    private Config access(TestNode node, List<String> allow, List<String> deny) {
        return withPlugins(
                        node.url(),
                        Plugins.builder()
                                .ipAccess(IpAccessPlugin.builder()
                                        .allow(allow)
                                        .deny(deny)
                                        .build()))
                .with(
                        ResourceType.PROXY_SERVER,
                        "web",
                        server -> server.toBuilder()
                                .trustedProxies(List.of("127.0.0.1"))
                                .build());
    }

    private int statusOf(String client) throws Exception {
        return send("GET", "/", "X-Forwarded-For: " + client + "\r\n").status();
    }

    @Test
    void whoIsNotAllowedIsKeptOut() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(access(node, List.of("10.0.0.0/8", "2001:db8::/32"), List.of()));
            assertThat(statusOf("10.1.2.3")).isEqualTo(200);
            assertThat(statusOf("2001:db8::7")).isEqualTo(200);
            assertThat(statusOf("11.1.2.3")).isEqualTo(403);
            assertThat(node.received()).hasSize(2);
        }
    }

    @Test
    void denialWins() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(access(node, List.of("10.0.0.0/8"), List.of("10.0.0.13")));
            assertThat(statusOf("10.0.0.12")).isEqualTo(200);
            assertThat(statusOf("10.0.0.13")).isEqualTo(403);
        }
    }

    @Test
    void whoIsNotDeniedComesIn() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(access(node, List.of(), List.of("10.0.0.0/24")));
            assertThat(statusOf("10.0.0.200")).isEqualTo(403);
            assertThat(statusOf("10.0.1.200")).isEqualTo(200);
        }
    }
}
