package io.sigma.controlplane.api.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.testing.AdminClient;
import io.sigma.controlplane.testing.AdminClient.Reply;
import io.sigma.controlplane.testing.TestControlPlane;
import io.sigma.controlplane.testing.TestDatabase;
import io.sigma.model.JwtPlugin;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Secrets of plugins go in, at every level, and never come out. */
final class PluginSecretTest {

    private static final String SECRET = "0123456789abcdef0123456789abcdef";

    @RegisterExtension
    final TestControlPlane running = new TestControlPlane();

    private final AdminClient client = running.client();

    private static String server(int port, String jwt) {
        return "{\"port\":" + port + ",\"plugins\":{\"jwt\":{" + jwt + "}}}";
    }

    private static String secret(String value) {
        return "\"secret\":\"" + value + "\"";
    }

    private JwtPlugin known() {
        return Objects.requireNonNull(Objects.requireNonNull(running.controlPlane()
                        .revisionLog()
                        .current()
                        .state()
                        .proxyServers()
                        .get("web"))
                .plugins()
                .jwt());
    }

    @Test
    void noAnswerContainsTheSecretAndTheDatabaseHasItEncrypted() {
        Reply created = client.put("/proxy-servers/web", server(8080, secret(SECRET)));
        assertThat(created.status()).as("%s", created).isEqualTo(201);
        client.put("/proxy-servers/web", server(8081, secret("x" + SECRET)));
        for (String path : new String[] {
            "/proxy-servers/web", "/proxy-servers", "/config", "/revisions/1", "/revisions/2", "/revisions"
        }) {
            assertThat(client.get(path).http().body()).as(path).doesNotContain(SECRET, "sealed:");
        }
        assertThat(created.http().body()).doesNotContain(SECRET);
        assertThat(client.get("/proxy-servers/web").json().at("/plugins/jwt").has("secret"))
                .isFalse();
        assertThat(client.get("/revisions/2")
                        .json()
                        .at("/changes/0/before/plugins/jwt/secret")
                        .asText())
                .isEqualTo("[redacted]");
        String stored = TestDatabase.query(
                        running.database(),
                        "select string_agg(coalesce(before::text, '') || coalesce(after::text, ''), '')"
                                + " || (select string_agg(spec::text, '') from proxy_servers) from revision_changes")
                .getFirst();
        assertThat(stored).doesNotContain(SECRET).contains("sealed:1:");
        assertThat(known().secret()).isEqualTo("x" + SECRET);
        assertThat(running.controlPlane().revisionLog().current().toString()).doesNotContain(SECRET);
    }

    @Test
    void writesThatLeaveTheSecretOutKeepIt() {
        client.put("/proxy-servers/web", server(8080, secret(SECRET)));
        for (String jwt : new String[] {"\"issuer\":\"a\"", "\"issuer\":\"b\"," + secret("[redacted]")}) {
            Reply reply = client.put("/proxy-servers/web", server(8080, jwt));
            assertThat(reply.status()).as("%s", reply).isEqualTo(200);
            assertThat(known().secret()).isEqualTo(SECRET);
        }
        assertThat(client.patch("/proxy-servers/web", "{\"plugins\":{\"jwt\":{\"issuer\":\"c\"}}}")
                        .status())
                .isEqualTo(200);
        assertThat(known().secret()).isEqualTo(SECRET);
        Reply last = client.patch("/proxy-servers/web", "{\"plugins\":{\"jwt\":{\"secret\":null}}}");
        assertThat(last.status()).isEqualTo(422);
        assertThat(last.pointers()).isEqualTo("/plugins/jwt/jwksUrl");
        Reply replaced = client.patch(
                "/proxy-servers/web", "{\"plugins\":{\"jwt\":{\"secret\":null,\"jwksUrl\":\"https://a/\"}}}");
        assertThat(replaced.status()).isEqualTo(200);
        assertThat(known().secret()).isNull();
    }

    @Test
    void refusalsDoNotRepeatTheSecret() {
        for (String jwt : new String[] {
            secret("too-short-a-secret"), secret(SECRET) + ",\"algorithms\":[\"HS512\"]", secret(SECRET + "\\u0000")
        }) {
            Reply refused = client.put("/proxy-servers/web", server(8080, jwt));
            assertThat(refused.status()).as(jwt).isEqualTo(422);
            assertThat(refused.pointers()).isEqualTo("/plugins/jwt/secret");
            assertThat(refused.http().body()).doesNotContain("too-short-a-secret", SECRET);
        }
    }
}
