package io.sigma.controlplane.api.operation.imports;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.testing.AdminClient;
import io.sigma.controlplane.testing.AdminClient.Reply;
import io.sigma.controlplane.testing.TestControlPlane;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class ImportTest {

    @RegisterExtension
    final TestControlPlane running = new TestControlPlane();

    private final AdminClient client = running.client();

    static String example(String name) {
        try (InputStream in = ImportTest.class.getResourceAsStream("/examples/" + name)) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void theMinimalFileIsImportedInOneRevision() {
        Reply imported = client.post("/import/sigma-json?message=first", example("minimal.json"));
        assertThat(imported.status()).as("%s", imported).isEqualTo(200);
        assertThat(imported.json().path("created").asInt()).isEqualTo(5);
        assertThat(imported.json().at("/revision/number").asLong()).isEqualTo(1);
        assertThat(imported.json().path("warnings").toString()).contains("/proxy-server/http/server-id");
        JsonNode route = client.get("/routes/router-first-route-first").json();
        assertThat(route.path("path").asText()).isEqualTo("/test/*");
        assertThat(route.path("proxyPassId").asText()).isEqualTo("proxy-pass-1");

        Reply again = client.post("/import/sigma-json", example("minimal.json"));
        assertThat(again.json().path("unchanged").asInt()).isEqualTo(5);
        assertThat(again.json().at("/revision/changed").asBoolean()).isFalse();
        assertThat(again.json().at("/revision/number").asLong()).isEqualTo(1);
    }

    @Test
    void theFullFileIsImportedAndUpdatedInOneRevisionEach() {
        Reply imported = client.post("/import/sigma-json", example("full.json"));
        assertThat(imported.status()).as("%s", imported).isEqualTo(200);
        assertThat(imported.json().at("/revision/number").asLong()).isEqualTo(1);
        int created = imported.json().path("created").asInt();
        Reply changed = client.post("/import/sigma-json", example("full.json").replace("routes of the shop", "shop"));
        assertThat(changed.json().path("updated").asInt()).isEqualTo(1);
        assertThat(changed.json().path("unchanged").asInt()).isEqualTo(created - 1);
        assertThat(changed.json().at("/revision/number").asLong()).isEqualTo(2);
        assertThat(client.get("/revisions/1").json().path("changes")).hasSize(created);
        JsonNode update = client.get("/revisions/2").json().path("changes").path(0);
        assertThat(update.path("action").asText()).isEqualTo("UPDATE");
        assertThat(update.at("/before/description").asText()).isEqualTo("routes of the shop");
        assertThat(update.at("/after/description").asText()).isEqualTo("shop");
    }

    @Test
    void errorsPointIntoTheFileAndNothingIsImported() {
        Reply unknown =
                client.post("/import/sigma-json", example("minimal.json").replace("\"path\"", "\"pth\""));
        assertThat(unknown.status()).isEqualTo(422);
        assertThat(unknown.pointers()).contains("/router/0/route/0/pth");

        Reply metadata = client.post(
                "/import/sigma-json",
                example("minimal.json").replace("http://localhost:8888", "http://169.254.169.254/latest"));
        assertThat(metadata.status()).isEqualTo(422);
        assertThat(metadata.pointers()).isEqualTo("/upstream/0/nodes/0");
        assertThat(client.get("/config").json().path("revision").asLong()).isZero();
    }

    @Test
    void anAddressThatIsTakenIsPointedAtInTheFile() {
        client.put("/proxy-servers/other", "{\"port\":8080}");
        Reply taken = client.post("/import/sigma-json", example("minimal.json"));
        assertThat(taken.status()).isEqualTo(422);
        assertThat(taken.pointers()).isEqualTo("/proxy-server/http/port");
        assertThat(client.get("/upstreams").json().path("items")).isEmpty();
    }

    @Test
    void theFullFileIsExportedAndImportedAgainWithoutAChange() {
        assertUnchangedByARoundTrip("full.json");
    }

    @Test
    void theMinimalFileIsExportedAndImportedAgainWithoutAChange() {
        assertUnchangedByARoundTrip("minimal.json");
    }

    private void assertUnchangedByARoundTrip(String name) {
        client.post("/import/sigma-json", example(name));
        JsonNode exported = client.get("/export/sigma-json").json();
        assertThat(exported.path("warnings")).isEmpty();
        Reply again = client.post("/import/sigma-json", exported.path("file").toString());
        assertThat(again.status()).as("%s", again).isEqualTo(200);
        assertThat(again.json().path("changes")).isEmpty();
        assertThat(again.json().at("/revision/changed").asBoolean()).isFalse();
    }

    @Test
    void aPreviewMasksSecretsAndOnlyThatIsImported() {
        String secret = "0123456789".repeat(4);
        client.put(
                "/proxy-servers/http-proxy-server",
                "{\"port\":8081,\"plugins\":{\"jwt\":{\"secret\":\"" + secret + "\"}}}");
        Reply preview = client.post("/import/sigma-json?dryRun=true", example("minimal.json"));
        assertThat(preview.json().path("changes").findValues("port").toString()).isEqualTo("[8081, 8080]");
        assertThat(preview.http().body()).contains("[redacted]").doesNotContain(secret);
        client.put("/upstreams/other", "{\"nodes\":[{\"url\":\"http://10.0.0.1\"}]}");
        Reply stale = client.post("/import/sigma-json", example("minimal.json"), "If-Match", preview.header("ETag"));
        assertThat(stale.status()).as("%s", stale).isEqualTo(412);
        Reply done = client.post("/import/sigma-json", example("minimal.json"), "If-Match", stale.header("ETag"));
        assertThat(done.status()).as("%s", done).isEqualTo(200);
        assertThat(client.get("/config").header("ETag")).isEqualTo(done.header("ETag"));
    }

    @Test
    void aPreviewOfAnImportChangesNothing() {
        Reply preview = client.post("/import/sigma-json?dryRun=true", example("minimal.json"));
        assertThat(preview.json().path("changes")).hasSize(5);
        assertThat(preview.json().at("/changes/0/action").asText()).isEqualTo("CREATE");
        assertThat(preview.json().at("/changes/0/after").isObject()).isTrue();
        assertThat(client.get("/config").json().path("revision").asLong()).isZero();
    }
}
