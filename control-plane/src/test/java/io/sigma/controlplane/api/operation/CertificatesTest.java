package io.sigma.controlplane.api.operation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.testing.AdminClient;
import io.sigma.controlplane.testing.AdminClient.Reply;
import io.sigma.controlplane.testing.TestCertificate;
import io.sigma.controlplane.testing.TestControlPlane;
import io.sigma.controlplane.testing.TestDatabase;
import io.sigma.json.Json;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Private keys go in and never come out. */
final class CertificatesTest {

    private static final TestCertificate FIRST = TestCertificate.create("first");
    private static final TestCertificate SECOND = TestCertificate.create("second");

    @RegisterExtension
    final TestControlPlane running = new TestControlPlane();

    private final AdminClient client = running.client();

    private static String body(TestCertificate certificate) {
        return Json.text(Map.of("chain", certificate.chain(), "privateKey", certificate.key()));
    }

    private static String secret(TestCertificate certificate) {
        return certificate.key().lines().toList().get(1);
    }

    private JsonNode inDatabase() {
        String history = TestDatabase.query(
                        running.database(),
                        "select string_agg(coalesce(before::text, '') || coalesce(after::text, ''), '')"
                                + " from revision_changes")
                .getFirst();
        assertThat(history).doesNotContain(secret(FIRST)).contains("sealed:1:");
        return Json.read(
                TestDatabase.query(running.database(), "select spec::text from certificates")
                        .getFirst(),
                JsonNode.class);
    }

    @Test
    void noAnswerContainsThePrivateKey() {
        Reply created = client.put("/certificates/shop", body(FIRST));
        assertThat(created.status()).isEqualTo(201);
        client.put("/certificates/shop", body(SECOND));
        for (String path : new String[] {
            "/certificates/shop", "/certificates", "/config", "/revisions/1", "/revisions/2", "/revisions"
        }) {
            assertThat(client.get(path).http().body())
                    .as(path)
                    .doesNotContain(secret(FIRST), secret(SECOND), "sealed:");
        }
        assertThat(created.http().body()).doesNotContain(secret(FIRST));
        assertThat(client.get("/certificates/shop").json().has("privateKey")).isFalse();
        assertThat(client.get("/revisions/2")
                        .json()
                        .at("/changes/0/before/privateKey")
                        .asText())
                .isEqualTo("[redacted]");
        // The contract says of it that it is never sent in an answer.
        for (String state : new String[] {"/config", "/revisions/2/config"}) {
            assertThat(client.get(state).json().at("/certificates/0").has("privateKey"))
                    .as(state)
                    .isFalse();
        }
    }

    @Test
    void privateKeyIsEncryptedInTheDatabaseAndPlainForGateways() {
        client.put("/certificates/shop", body(FIRST));
        assertThat(inDatabase().path("privateKey").asText()).startsWith("sealed:1:");
        var known = running.controlPlane()
                .revisionLog()
                .current()
                .state()
                .certificates()
                .get("shop");
        assertThat(known.privateKey()).isEqualTo(FIRST.key());
        assertThat(known.toString()).doesNotContain(secret(FIRST)).contains("[redacted]");
    }

    @Test
    void writesThatLeaveTheKeyOutKeepIt() {
        client.put("/certificates/shop", body(FIRST));
        for (String body : new String[] {
            Json.text(Map.of("chain", FIRST.chain(), "name", "a")),
            Json.text(Map.of("chain", FIRST.chain(), "name", "b", "privateKey", "[redacted]"))
        }) {
            Reply reply = client.put("/certificates/shop", body);
            assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
        }
        Reply patched = client.patch("/certificates/shop", "{\"name\":\"c\"}");
        assertThat(patched.status()).isEqualTo(200);
        assertThat(inDatabase().path("privateKey").asText()).startsWith("sealed:1:");
        assertThat(running.controlPlane()
                        .revisionLog()
                        .current()
                        .state()
                        .certificates()
                        .get("shop")
                        .privateKey())
                .isEqualTo(FIRST.key());
        Reply unchanged = client.put("/certificates/shop", Json.text(Map.of("chain", FIRST.chain(), "name", "c")));
        assertThat(unchanged.json().at("/revision/changed").asBoolean()).isFalse();
    }

    @Test
    void whatIsNoCertificateWithItsKeyIsRefusedWithItsPlace() {
        assertThat(client.put("/certificates/a", Json.text(Map.of("chain", "x", "privateKey", FIRST.key())))
                        .pointers())
                .isEqualTo("/chain");
        assertThat(client.put("/certificates/a", Json.text(Map.of("chain", FIRST.chain())))
                        .pointers())
                .isEqualTo("/privateKey");
        Reply mixed =
                client.put("/certificates/a", Json.text(Map.of("chain", FIRST.chain(), "privateKey", SECOND.key())));
        assertThat(mixed.pointers()).isEqualTo("/privateKey");
        assertThat(mixed.http().body()).doesNotContain(secret(SECOND));
        assertThat(client.put("/certificates/a", Json.text(Map.of("chain", FIRST.chain(), "privateKey", "no key")))
                        .status())
                .isEqualTo(422);
    }
}
