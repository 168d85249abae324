package io.sigma.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What passes between client and node. */
final class ForwardingTest {

    @TempDir
    Path dataDir;

    @Test
    void requestReachesTheNodeAndItsAnswerTheClient() throws Exception {
        int port = Config.freePort();
        try (TestNode node = TestNode.named("hello");
                GatewayHarness gateway = GatewayHarness.start(dataDir).apply(Config.forwarding(port, node.url()))) {
            RawClient.Answer answer = RawClient.get(port, "shop.example.com", "/a/b?c=d");
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.text()).isEqualTo("hello");
            assertThat(node.last().line()).isEqualTo("GET /a/b?c=d HTTP/1.1");
            assertThat(node.last().field("host")).isEqualTo("shop.example.com");
            assertThat(gateway.gateway().isReady()).isTrue();
        }
    }
}
