package io.sigma.dataplane.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.PluginContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.LimitKey;
import io.sigma.model.Plugins;
import io.sigma.model.RateLimitPlugin;
import io.sigma.snapshot.ResourceType;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RateLimitTest extends PluginContract {

    /** Ten minutes for a token, so that none comes while a test runs. */
    private static RateLimitPlugin.Builder limit(int burst) {
        return RateLimitPlugin.builder().requests(6).periodSeconds(3600).burst(burst);
    }

    private static Plugins.Builder plugins(RateLimitPlugin.Builder limit) {
        return Plugins.builder().rateLimit(limit.build());
    }

    @Test
    void clientIsRefusedWhenItsBucketIsEmptyAndToldWhenToComeBack() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(withPlugins(node.url(), plugins(limit(2))));
            RawClient.Answer first = get("/");
            assertThat(first.status()).isEqualTo(200);
            assertThat(first.field("ratelimit-limit")).isEqualTo("2");
            assertThat(first.field("ratelimit-remaining")).isEqualTo("1");
            assertThat(first.field("ratelimit-reset")).isEqualTo("600");
            assertThat(get("/").field("ratelimit-remaining")).isEqualTo("0");
            RawClient.Answer refused = get("/");
            assertThat(refused.status()).isEqualTo(429);
            assertThat(Integer.parseInt(String.valueOf(refused.field("retry-after"))))
                    .isBetween(590, 600);
            assertThat(refused.field("ratelimit-remaining")).isEqualTo("0");
            assertThat(node.received()).hasSize(2);
        }
    }

    @Test
    void eachHeaderValueHasABucketOfItsOwn() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(withPlugins(
                            node.url(),
                            plugins(limit(1).key(LimitKey.HEADER)
                                    .header("X-Key")
                                    .fields(false))));
            assertThat(send("GET", "/", "X-Key: a\r\n").status()).isEqualTo(200);
            assertThat(send("GET", "/", "X-Key: b\r\n").status()).isEqualTo(200);
            assertThat(send("GET", "/", "X-Key: a\r\n").status()).isEqualTo(429);
            RawClient.Answer byAddress = get("/");
            assertThat(byAddress.status()).isEqualTo(200);
            assertThat(byAddress.field("ratelimit-limit")).isNull();
            assertThat(get("/").status()).isEqualTo(429);
        }
    }

    @Test
    void clientsAreTheirAddressesBehindTrustedProxies() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(withPlugins(node.url(), plugins(limit(1)))
                            .with(
                                    ResourceType.PROXY_SERVER,
                                    "web",
                                    server -> server.toBuilder()
                                            .trustedProxies(List.of("127.0.0.1"))
                                            .build()));
            assertThat(send("GET", "/", "X-Forwarded-For: 10.0.0.1\r\n").status())
                    .isEqualTo(200);
            assertThat(send("GET", "/", "X-Forwarded-For: 10.0.0.2\r\n").status())
                    .isEqualTo(200);
            assertThat(send("GET", "/", "X-Forwarded-For: 10.0.0.1\r\n").status())
                    .isEqualTo(429);
            assertThat(send("GET", "/", "X-Forwarded-For: 2001:db8::1\r\n").status())
                    .isEqualTo(200);
            assertThat(send("GET", "/", "X-Forwarded-For: 2001:db8::2\r\n").status())
                    .isEqualTo(429);
        }
    }

    @Test
    void routesShareTheBucketsOfTheirRouterAndChangesElsewhereKeepThem() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            Config config = forwarding(node.url())
                    .route("other", "all", "/other", "pass")
                    .with(
                            ResourceType.ROUTER,
                            "all",
                            router -> router.toBuilder()
                                    .plugins(plugins(limit(2)).build())
                                    .build());
            gateway().apply(config);
            assertThat(get("/").status()).isEqualTo(200);
            assertThat(get("/other").status()).isEqualTo(200);
            gateway().apply(config.route("third", "all", "/third", "pass"));
            assertThat(get("/third").status()).isEqualTo(429);
        }
    }

    @Test
    void routesAreCountedApartWhenTheKeyIsTheRoute() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(forwarding(node.url())
                            .route("other", "all", "/other", "pass")
                            .with(
                                    ResourceType.ROUTER,
                                    "all",
                                    router -> router.toBuilder()
                                            .plugins(plugins(limit(1).key(LimitKey.ROUTE))
                                                    .build())
                                            .build()));
            assertThat(get("/").status()).isEqualTo(200);
            assertThat(get("/other").status()).isEqualTo(200);
            assertThat(get("/other").status()).isEqualTo(429);
        }
    }
}
