package io.sigma.controlplane.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.testing.AdminClient;
import io.sigma.controlplane.testing.TestControlPlane;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An admin API behind a proxy. */
final class BehindProxyTest {

    @RegisterExtension
    final TestControlPlane running =
            new TestControlPlane("adminTrustedProxies", "127.0.0.0/8", "loginFailuresPerMinute", "2");

    private final AdminClient client = running.client();

    private String audited(String filter) {
        return client.get("/audit?" + filter).json().at("/items/0/address").asText();
    }

    @Test
    void theAuditLogHasTheAddressOfTheClient() {
        client.put("/proxy-servers/web", "{\"port\":18301}", "X-Forwarded-For", "198.51.100.1, 203.0.113.7");
        assertThat(audited("outcome=DONE&action=putProxyServer")).isEqualTo("203.0.113.7");
        client.put("/proxy-servers/web", "{\"port\":0}", "X-Forwarded-For", "203.0.113.8");
        assertThat(audited("outcome=REFUSED")).isEqualTo("203.0.113.8");
    }

    @Test
    void wrongTokensAreCountedForTheClientAndNotForTheProxy() {
        for (int i = 0; i < 2; i++) {
            assertThat(tried("203.0.113.7")).isEqualTo(401);
        }
        assertThat(tried("203.0.113.7")).isEqualTo(429);
        assertThat(tried("203.0.113.8")).isEqualTo(401);
    }

    private int tried(String address) {
        return client.get("/routes", "Authorization", "Bearer wrong", "X-Forwarded-For", address)
                .status();
    }
}
