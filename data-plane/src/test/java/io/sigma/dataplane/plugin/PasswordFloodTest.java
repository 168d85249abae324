package io.sigma.dataplane.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.PluginContract;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.BasicAuthPlugin;
import io.sigma.model.Consumer;
import io.sigma.model.ConsumerLogin;
import io.sigma.model.Plugins;
import io.sigma.snapshot.ResourceType;
import io.sigma.value.PasswordHash;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A client that tries wrong passwords keeps out only clients of its own address. */
final class PasswordFloodTest extends PluginContract {

    private static final int WRONG = 40;

    private Config logins(TestNode node) {
        return withPlugins(
                        node.url(),
                        Plugins.builder().basicAuth(BasicAuthPlugin.builder().build()))
                .with(
                        ResourceType.PROXY_SERVER,
                        "web",
                        server -> server.toBuilder()
                                .trustedProxies(List.of("127.0.0.1"))
                                .build())
                .consumer(Consumer.builder()
                        .id("app")
                        .logins(List.of(ConsumerLogin.builder()
                                .username("shop")
                                .passwordHash(PasswordHash.of("right").text())
                                .build()))
                        .build());
    }

    private int login(String password, String from) throws Exception {
        String pair = Base64.getEncoder().encodeToString(("shop:" + password).getBytes(StandardCharsets.UTF_8));
        return send("GET", "/", "X-Forwarded-For: " + from + "\r\nAuthorization: Basic " + pair + "\r\n")
                .status();
    }

    @Test
    void theRightPasswordOfAnotherAddressIsChecked() throws Exception {
        try (TestNode node = TestNode.named("ok");
                ExecutorService executor = Executors.newFixedThreadPool(WRONG)) {
            gateway().apply(logins(node));
            CountDownLatch refused = new CountDownLatch(1);
            for (int i = 0; i < WRONG; i++) {
                String wrong = "wrong" + i;
                executor.submit(() -> {
                    // The last of them wait for longer than they like.
                    if (login(wrong, "192.0.2.1") == 503) {
                        refused.countDown();
                    }
                    return true;
                });
            }
            // So the checks of the flood are under way, and there is no room for more of them.
            assertThat(refused.await(60, TimeUnit.SECONDS)).isTrue();

            assertThat(login("right", "192.0.2.2")).isEqualTo(200);
        }
    }
}
