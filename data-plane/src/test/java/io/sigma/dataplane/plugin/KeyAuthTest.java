package io.sigma.dataplane.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.PluginContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.AclPlugin;
import io.sigma.model.Consumer;
import io.sigma.model.ConsumerKey;
import io.sigma.model.KeyAuthPlugin;
import io.sigma.model.LimitKey;
import io.sigma.model.Plugins;
import io.sigma.model.RateLimitPlugin;
import io.sigma.value.Sha256;
import java.util.List;
import org.junit.jupiter.api.Test;

final class KeyAuthTest extends PluginContract {

    private static final String KEY = "8Yc3xw2Tq9LmVb4Kd7Pz";
    private static final String OTHER_KEY = "0123456789abcdef0123";

    private static Consumer consumer(String id, String key, String... groups) {
        return Consumer.builder()
                .id(id)
                .groups(List.of(groups))
                .apiKeys(List.of(ConsumerKey.builder().sha256(Sha256.hex(key)).build()))
                .build();
    }

    private Config keys(TestNode node, Plugins.Builder plugins) {
        return withPlugins(node.url(), plugins)
                .consumer(consumer("app", KEY, "mobile"))
                .consumer(consumer("partner", OTHER_KEY, "partners"));
    }

    private static Plugins.Builder everywhere() {
        return Plugins.builder()
                .keyAuth(KeyAuthPlugin.builder().query("api_key").cookie("key").build());
    }

    @Test
    void whoShowsNothingOrSomethingWrongIsRefused() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(keys(node, everywhere()));
            RawClient.Answer nothing = get("/");
            assertThat(nothing.status()).isEqualTo(401);
            assertThat(nothing.field("www-authenticate")).isEqualTo("Key realm=\"sigma\"");
            assertThat(send("GET", "/", "X-Api-Key: wrong\r\n").status()).isEqualTo(401);
            assertThat(node.received()).isEmpty();
        }
    }

    @Test
    void nodeLearnsTheConsumerAndNotTheKey() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(keys(node, everywhere()));
            assertThat(send("GET", "/", "X-Api-Key: " + KEY + "\r\nX-Consumer-Id: forged\r\n")
                            .status())
                    .isEqualTo(200);
            assertThat(send("GET", "/?a=1&api_key=" + KEY + "&b=2", "").status())
                    .isEqualTo(200);
            assertThat(send("GET", "/", "Cookie: a=1; key=" + KEY + "; b=2\r\n").status())
                    .isEqualTo(200);
            assertThat(node.received()).allSatisfy(request -> {
                assertThat(request.all("x-consumer-id")).containsExactly("app");
                assertThat(request.line() + request.fields()).doesNotContain(KEY);
            });
            assertThat(node.received().get(1).target()).isEqualTo("/?a=1&b=2");
            assertThat(node.received().get(2).field("cookie")).isEqualTo("a=1; b=2");
        }
    }

    @Test
    void consumerThatIsGoneOrSwitchedOffIsRefusedAtOnce() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            Config config = keys(node, everywhere());
            gateway().apply(config);
            assertThat(send("GET", "/", "X-Api-Key: " + KEY + "\r\n").status()).isEqualTo(200);
            gateway()
                    .apply(config.consumer(
                            consumer("app", KEY).toBuilder().enabled(false).build()));
            assertThat(send("GET", "/", "X-Api-Key: " + KEY + "\r\n").status()).isEqualTo(401);
        }
    }

    @Test
    void groupsAndConsumersAreAllowedAndDenied() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(keys(
                            node,
                            everywhere()
                                    .acl(AclPlugin.builder()
                                            .allowGroups(List.of("mobile"))
                                            .build())));
            assertThat(send("GET", "/", "X-Api-Key: " + KEY + "\r\n").status()).isEqualTo(200);
            assertThat(send("GET", "/", "X-Api-Key: " + OTHER_KEY + "\r\n").status())
                    .isEqualTo(403);
            assertThat(get("/").status()).isEqualTo(401);
            gateway()
                    .apply(keys(
                            node,
                            everywhere()
                                    .acl(AclPlugin.builder()
                                            .denyConsumers(List.of("app"))
                                            .build())));
            assertThat(send("GET", "/", "X-Api-Key: " + KEY + "\r\n").status()).isEqualTo(403);
            assertThat(send("GET", "/", "X-Api-Key: " + OTHER_KEY + "\r\n").status())
                    .isEqualTo(200);
        }
    }

    @Test
    void denialGoesBeforePermissionAndOneOfThemIsEnough() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(keys(
                            node,
                            everywhere()
                                    .acl(AclPlugin.builder()
                                            .allowConsumers(List.of("app", "partner"))
                                            .denyGroups(List.of("partners"))
                                            .build())));
            assertThat(send("GET", "/", "X-Api-Key: " + KEY + "\r\n").status()).isEqualTo(200);
            assertThat(send("GET", "/", "X-Api-Key: " + OTHER_KEY + "\r\n").status())
                    .isEqualTo(403);
            gateway()
                    .apply(keys(
                            node,
                            everywhere()
                                    .acl(AclPlugin.builder()
                                            .allowConsumers(List.of("partner"))
                                            .allowGroups(List.of("nobody"))
                                            .build())));
            assertThat(send("GET", "/", "X-Api-Key: " + KEY + "\r\n").status()).isEqualTo(403);
            assertThat(send("GET", "/", "X-Api-Key: " + OTHER_KEY + "\r\n").status())
                    .isEqualTo(200);
            assertThat(node.received()).hasSize(2);
        }
    }

    @Test
    void consumersHaveRateLimitsOfTheirOwn() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(keys(
                            node,
                            everywhere()
                                    .rateLimit(RateLimitPlugin.builder()
                                            .requests(1)
                                            .periodSeconds(3600)
                                            .key(LimitKey.CONSUMER)
                                            .build())));
            assertThat(send("GET", "/", "X-Api-Key: " + KEY + "\r\n").status()).isEqualTo(200);
            assertThat(send("GET", "/", "X-Api-Key: " + OTHER_KEY + "\r\n").status())
                    .isEqualTo(200);
            assertThat(send("GET", "/", "X-Api-Key: " + KEY + "\r\n").status()).isEqualTo(429);
        }
    }
}
