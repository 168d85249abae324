package io.sigma.dataplane.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.PluginContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.BasicAuthPlugin;
import io.sigma.model.Consumer;
import io.sigma.model.ConsumerLogin;
import io.sigma.model.KeyAuthPlugin;
import io.sigma.model.Plugins;
import io.sigma.value.PasswordHash;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BasicAuthTest extends PluginContract {

    private Config logins(TestNode node, Plugins.Builder plugins) {
        return withPlugins(node.url(), plugins)
                .consumer(Consumer.builder()
                        .id("app")
                        .logins(List.of(ConsumerLogin.builder()
                                .username("shop")
                                .passwordHash(PasswordHash.of("p\u00e4ss:word").text())
                                .build()))
                        .build());
    }

    private static Plugins.Builder basic() {
        return Plugins.builder()
                .basicAuth(BasicAuthPlugin.builder().realm("the shop").build());
    }

    private RawClient.Answer login(String pair) throws Exception {
        String encoded = Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
        return send("GET", "/", "Authorization: Basic " + encoded + "\r\n");
    }

    @Test
    void onlyTheRightPasswordComesThroughAndTheNodeNeverSeesIt() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(logins(node, basic()));
            RawClient.Answer nothing = get("/");
            assertThat(nothing.status()).isEqualTo(401);
            assertThat(nothing.field("www-authenticate")).isEqualTo("Basic realm=\"the shop\", charset=\"UTF-8\"");
            assertThat(login("shop:wrong").status()).isEqualTo(401);
            assertThat(login("nobody:p\u00e4ss:word").status()).isEqualTo(401);
            assertThat(login("shop").status()).isEqualTo(401);
            assertThat(send("GET", "/", "Authorization: Basic ***\r\n").status())
                    .isEqualTo(401);
            assertThat(login("shop:p\u00e4ss:word").status()).isEqualTo(200);
            assertThat(login("shop:p\u00e4ss:word").status()).isEqualTo(200);
            assertThat(node.received()).hasSize(2).allSatisfy(request -> {
                assertThat(request.field("x-consumer-id")).isEqualTo("app");
                assertThat(request.field("authorization")).isNull();
            });
        }
    }

    /** The gateway and the node could each take another one. */
    @Test
    void severalCredentialsAreRefused() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(logins(node, basic()));
            String right = "Authorization: Basic "
                    + Base64.getEncoder().encodeToString("shop:p\u00e4ss:word".getBytes(StandardCharsets.UTF_8))
                    + "\r\n";
            assertThat(send("GET", "/", right).status()).isEqualTo(200);
            assertThat(send("GET", "/", right + "Authorization: Bearer x\r\n").status())
                    .isEqualTo(400);
            assertThat(node.received()).hasSize(1);
        }
    }

    @Test
    void oneOfSeveralWaysIsEnoughAndAllAreOffered() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(logins(node, basic().keyAuth(KeyAuthPlugin.builder().build())));
            assertThat(login("shop:p\u00e4ss:word").status()).isEqualTo(200);
            assertThat(get("/").field("www-authenticate"))
                    .isEqualTo("Key realm=\"sigma\", Basic realm=\"the shop\", charset=\"UTF-8\"");
        }
    }
}
