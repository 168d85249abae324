package io.sigma.controlplane.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.testing.AdminClient;
import io.sigma.controlplane.testing.AdminClient.Reply;
import io.sigma.controlplane.testing.TestControlPlane;
import io.sigma.value.PasswordHash;
import io.sigma.value.Sha256;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What consumers prove themselves with is never told again. */
final class ConsumerApiTest {

    private static final String KEY = "8Yc3xw2Tq9LmVb4Kd7Pz";
    private static final String PASSWORD = "correct horse battery";

    @RegisterExtension
    static final TestControlPlane running = new TestControlPlane();

    private static final AdminClient client = running.client();

    @Test
    void keysAndPasswordsAreKeptAsHashesOnly() {
        Reply created = client.put(
                "/consumers/app",
                "{\"apiKeys\":[{\"name\":\"ci\",\"key\":\"" + KEY
                        + "\"}],\"logins\":[{\"username\":\"shop\",\"password\":\"" + PASSWORD + "\"}]}");
        assertThat(created.status()).as("%s", created).isEqualTo(201);
        Reply shown = client.get("/consumers/app");
        for (Reply reply : new Reply[] {created, shown, client.get("/config"), client.get("/revisions/1")}) {
            assertThat(reply.json().toString()).doesNotContain(KEY).doesNotContain(PASSWORD);
        }
        assertThat(shown.json().at("/apiKeys/0/sha256").asText()).isEqualTo(Sha256.hex(KEY));
        String hash = shown.json().at("/logins/0/passwordHash").asText();
        assertThat(PasswordHash.parse(hash).matches(PASSWORD)).isTrue();
        Reply again = client.put("/consumers/app", shown.json().toString());
        assertThat(again.json().at("/revision/changed").asBoolean()).isFalse();
    }

    @Test
    void whatAnotherConsumerUsesIsRefused() {
        assertThat(client.put("/consumers/one", "{\"logins\":[{\"username\":\"taken\",\"password\":\"12345678\"}]}")
                        .status())
                .isEqualTo(201);
        Reply clash =
                client.put("/consumers/another", "{\"logins\":[{\"username\":\"taken\",\"password\":\"87654321\"}]}");
        assertThat(clash.status()).isEqualTo(422);
        assertThat(clash.json().at("/errors/0/pointer").asText()).isEqualTo("/logins/0/username");
        assertThat(clash.json().at("/errors/0/detail").asText()).contains("consumer \"one\"");
    }

    @Test
    void badValuesAreRefusedWithTheirPointers() {
        Reply reply = client.put(
                "/consumers/bad",
                "{\"apiKeys\":[{\"name\":\"x\"}],\"logins\":[{\"username\":\"u\",\"passwordHash\":\"x\"}]}");
        assertThat(reply.status()).isEqualTo(422);
        assertThat(reply.json().at("/errors").findValuesAsText("pointer"))
                .containsExactly("/apiKeys/0/key", "/logins/0/passwordHash");
        assertThat(client.put("/consumers/bad", "{\"apiKeys\":[{\"key\":\"short\"}]}")
                        .json()
                        .at("/errors/0/pointer")
                        .asText())
                .isEqualTo("/apiKeys/0/key");
    }
}
