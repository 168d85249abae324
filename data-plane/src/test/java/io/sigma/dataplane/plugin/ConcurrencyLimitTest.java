package io.sigma.dataplane.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.PluginContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.ConcurrencyLimitPlugin;
import io.sigma.model.LimitKey;
import io.sigma.model.Plugins;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class ConcurrencyLimitTest extends PluginContract {

    private Config limited(TestNode node, LimitKey key) {
        return withPlugins(
                node.url(),
                Plugins.builder()
                        .concurrencyLimit(ConcurrencyLimitPlugin.builder()
                                .requests(1)
                                .key(key)
                                .build()));
    }

    private void oneMoreIsRefusedWhileOneRuns(LimitKey key, int status) throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        try (TestNode node = TestNode.start((request, connection) -> {
            if (request.target().equals("/slow") && !release.await(30, TimeUnit.SECONDS)) {
                throw new AssertionError("never released");
            }
            connection.ok("ok");
        })) {
            gateway().apply(limited(node, key));
            try (RawClient slow = RawClient.connect(port())) {
                slow.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
                GatewayHarness.eventually(() -> node.received().size() == 1);
                RawClient.Answer refused = get("/");
                assertThat(refused.status()).isEqualTo(status);
                assertThat(refused.field("retry-after")).isEqualTo("1");
                release.countDown();
                assertThat(slow.read().text()).isEqualTo("ok");
            }
            GatewayHarness.eventually(() -> statusOfGet() == 200);
        }
    }

    private int statusOfGet() {
        try {
            return get("/").status();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void oneMoreOfAClientGets429UntilTheOtherEnds() throws Exception {
        oneMoreIsRefusedWhileOneRuns(LimitKey.ADDRESS, 429);
    }

    @Test
    void oneMoreOfARouteGets503UntilTheOtherEnds() throws Exception {
        oneMoreIsRefusedWhileOneRuns(LimitKey.ROUTE, 503);
    }

    @Test
    void clientThatLeavesGivesBackItsSlot() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> {
            if (!request.target().equals("/never")) {
                connection.ok("ok");
            }
        })) {
            gateway().apply(limited(node, LimitKey.ADDRESS));
            try (RawClient client = RawClient.connect(port())) {
                client.send("GET /never HTTP/1.1\r\nHost: a\r\n\r\n");
                GatewayHarness.eventually(() -> node.received().size() == 1);
                assertThat(get("/").status()).isEqualTo(429);
                client.reset();
            }
            GatewayHarness.eventually(() -> statusOfGet() == 200);
        }
    }
}
