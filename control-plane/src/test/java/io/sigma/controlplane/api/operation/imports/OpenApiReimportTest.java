package io.sigma.controlplane.api.operation.imports;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sigma.controlplane.testing.AdminClient;
import io.sigma.controlplane.testing.AdminClient.Reply;
import io.sigma.controlplane.testing.TestControlPlane;
import io.sigma.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Plugins and conditions of an operation's route stay with this operation, or the import is refused. */
final class OpenApiReimportTest {

    private static final String AUTH = "{\"plugins\":{\"basicAuth\":{}}}";

    @RegisterExtension
    final TestControlPlane running = new TestControlPlane();

    private final AdminClient client = running.client();

    @BeforeEach
    void start() {
        client.put("/proxy-servers/web", "{\"port\":8080}");
    }

    /** Imports operations, each as {@code METHOD path} or {@code METHOD path operationId}. */
    private Reply sendWith(String query, String options, String server, String... operations) {
        ObjectNode document = Json.mapper().createObjectNode().put("openapi", "3.1.0");
        document.putObject("info").put("title", "API");
        document.putArray("servers").addObject().put("url", server);
        ObjectNode paths = document.putObject("paths");
        for (String operation : operations) {
            String[] words = operation.split(" ", -1);
            ObjectNode one = paths.withObjectProperty(words[1]).putObject(words[0].toLowerCase(java.util.Locale.ROOT));
            if (words.length > 2) {
                one.put("operationId", words[2]);
            }
        }
        ObjectNode body = (ObjectNode) Json.read(options.replace('\'', '"'), JsonNode.class);
        body.put("proxyServerId", "web").put("document", document.toString());
        return client.post("/import/openapi" + query, body.toString());
    }

    private Reply send(String... operations) {
        return sendWith("", "{}", "http://10.0.0.1", operations);
    }

    private static void assertDone(Reply reply) {
        assertThat(reply.status()).as("%s", reply).isEqualTo(200);
    }

    /** Returns by method and path which routes ask for a login. */
    private Map<String, Boolean> locked() {
        Map<String, Boolean> locked = new TreeMap<>();
        client.get("/routes").json().path("items").forEach(route -> {
            String key =
                    route.at("/methods/0").asText() + " " + route.path("path").asText();
            assertThat(locked.put(key, route.at("/plugins/basicAuth").isObject()))
                    .isNull();
        });
        return locked;
    }

    private void lock(String path) {
        List<String> ids = new ArrayList<>();
        client.get("/routes").json().path("items").forEach(route -> {
            if (route.path("path").asText().equals(path)) {
                ids.add(route.path("id").asText());
            }
        });
        assertThat(ids).as(path).hasSize(1);
        assertThat(client.patch("/routes/" + ids.getFirst(), AUTH).status()).isEqualTo(200);
    }

    @Test
    void aNewOperationThatDiffersByItsTrailingSlashTakesNothingFromTheOld() {
        assertDone(send("GET /admin/"));
        lock("/admin/");
        assertDone(send("GET /admin", "GET /admin/"));
        assertThat(locked()).isEqualTo(Map.of("GET /admin", false, "GET /admin/", true));
    }

    @Test
    void operationsWhoseNamesAreAlikeKeepApartWhateverIsAddedOrRemoved() {
        assertDone(send("GET /a-b", "GET /a/b", "GET /A/b", "GET /a/{b}", "GET /a:b"));
        lock("/a/b");
        assertDone(send("GET /A-b", "GET /a/b", "GET /a.b", "GET /a/{c}", "GET /a{b}", "GET /a:b", "GET /a-b/"));
        assertThat(locked()).containsEntry("GET /a/b", true).hasSize(9);
        assertThat(locked().values()).containsOnlyOnce(true);
    }

    @Test
    void swappedOperationIdsSwapNothing() {
        assertDone(send("GET /open a", "GET /closed b"));
        lock("/closed");
        assertDone(send("GET /open b", "GET /closed a"));
        assertThat(locked()).isEqualTo(Map.of("GET /open", false, "GET /closed", true));
    }

    @Test
    void aRenamedOperationAndAnotherNameOfAParameterKeepWhatIsAttached() {
        assertDone(send("GET /users/{id} showUser"));
        lock("/users/:id");
        assertDone(send("GET /users/{userId} getUser"));
        assertThat(locked()).isEqualTo(Map.of("GET /users/:userId", true));
        assertDone(send("GET /users/{userId}"));
        assertThat(locked()).isEqualTo(Map.of("GET /users/:userId", true));
        assertThat(client.get("/routes").json().path("items")).hasSize(1);
    }

    @Test
    void anotherPathOfTheServerMovesTheRoutesWithWhatIsAttached() {
        assertDone(sendWith("", "{}", "http://10.0.0.1/v1", "GET /pets", "GET /users"));
        lock("/v1/users");
        assertDone(sendWith("", "{}", "http://10.0.0.1/v2", "GET /pets", "GET /users"));
        assertThat(locked()).isEqualTo(Map.of("GET /v2/pets", false, "GET /v2/users", true));
        assertDone(sendWith("", "{}", "http://10.0.0.1", "GET /v2/pets", "GET /v2/users", "GET /users"));
        assertThat(locked()).isEqualTo(Map.of("GET /v2/pets", false, "GET /v2/users", true, "GET /users", false));
    }

    @Test
    void aRenamedPathLosesWhatIsAttachedOnlyByForce() {
        assertDone(send("GET /admin/ admin"));
        lock("/admin/");
        Reply refused = send("GET /administration admin");
        assertThat(refused.status()).as("%s", refused).isEqualTo(409);
        assertThat(refused.json().path("type").asText()).isEqualTo("urn:sigma:problem:needs-force");
        assertThat(refused.pointers()).isEqualTo("/paths/~1administration/get");
        assertThat(refused.json().at("/errors/0/detail").asText())
                .isEqualTo("a new operation without plugins, which route \"api.admin\" of GET /admin/ has;"
                        + " that operation is gone");
        assertThat(locked()).isEqualTo(Map.of("GET /admin/", true));
        Reply preview = sendWith("?dryRun=true", "{}", "http://10.0.0.1", "GET /administration admin");
        assertDone(preview);
        assertThat(preview.json().path("losses")).hasSize(1);
        Reply forced = sendWith("", "{'force':true}", "http://10.0.0.1", "GET /administration admin");
        assertDone(forced);
        assertThat(forced.json().path("losses")).hasSize(1);
        assertThat(locked()).isEqualTo(Map.of("GET /admin/", true, "GET /administration", false));
    }

    @Test
    void aSlashThatGoesAwayIsARenamedPathTooWithoutOperationIds() {
        assertDone(send("GET /admin/"));
        lock("/admin/");
        assertThat(send("GET /admin").status()).isEqualTo(409);
        assertThat(send("GET /Admin/").status()).isEqualTo(409);
        assertDone(send("GET /else"));
    }

    @Test
    void removingWhatHasSomethingAttachedNeedsForce() {
        assertDone(send("GET /a", "GET /b"));
        lock("/b");
        Reply refused = sendWith("", "{'removeVanished':true}", "http://10.0.0.1", "GET /a");
        assertThat(refused.status()).as("%s", refused).isEqualTo(409);
        assertThat(refused.json().at("/errors/0/detail").asText())
                .isEqualTo("route \"api.get-b\" of GET /b has plugins; its operation is gone and it is deleted");
        assertDone(sendWith("", "{'removeVanished':true,'force':true}", "http://10.0.0.1", "GET /a"));
        assertThat(locked()).isEqualTo(Map.of("GET /a", false));
    }

    @Test
    void aNewOperationDoesNotTakeTheIdOfOneThatIsGone() {
        assertDone(send("GET /x/y"));
        lock("/x/y");
        assertDone(send("GET /z"));
        assertDone(sendWith("", "{'force':true,'removeVanished':true}", "http://10.0.0.1", "GET /x-y", "GET /z"));
        assertThat(locked()).isEqualTo(Map.of("GET /x-y", false, "GET /z", false));
        assertThat(client.get("/routes/api.get-x-y").status()).isEqualTo(404);
    }

    @Test
    void routesThatEarlierVersionsImportedAreKnownByTheirPath() {
        assertDone(sendWith("", "{}", "http://10.0.0.1/v1", "GET /admin/", "GET /pets listPets"));
        for (String id : List.of("api.get-admin", "api.listPets")) {
            ObjectNode route = (ObjectNode) client.get("/routes/" + id).json();
            ((ObjectNode) route.path("labels")).remove("openapi.endpoint");
            route.withObjectProperty("plugins").putObject("basicAuth");
            assertThat(client.put("/routes/" + id, route.toString()).status()).isEqualTo(200);
        }
        assertDone(sendWith("", "{}", "http://10.0.0.1/v2", "GET /admin", "GET /admin/", "GET /pets listPets"));
        assertThat(locked()).isEqualTo(Map.of("GET /v2/admin", false, "GET /v2/admin/", true, "GET /v2/pets", true));
    }

    @Test
    void anOperationThatAnotherOneWouldTakeTheRequestsOfNeedsForce() {
        assertDone(send("POST /jobs/{id}:cancel"));
        lock("~/jobs/[^/]+:cancel");
        Reply refused = send("POST /jobs/{id}", "POST /jobs/{id}:cancel");
        assertThat(refused.status()).as("%s", refused).isEqualTo(409);
        assertThat(refused.json().at("/errors/0/detail").asText())
                .contains("plugins, and the new operation POST /jobs/{id} takes its requests");
        assertDone(send("GET /jobs/{id}", "POST /jobs/{id}:cancel"));
    }

    @ParameterizedTest
    @CsvSource({
        "GET /admin/{a}, /admin/:a, GET /admin/me",
        "GET /{proxy+}, ~/.+, GET /health",
        "GET /v1/{proxy+}, ~/v1/.+, GET /v1/x/{proxy+}",
    })
    void anOperationWhoseRequestsANewOneTakesNeedsForce(String guarded, String path, String added) {
        assertDone(send(guarded));
        lock(path);
        Reply refused = send(guarded, added);
        assertThat(refused.status()).as("%s", refused).isEqualTo(409);
        assertThat(refused.json().at("/errors/0/detail").asText())
                .contains("plugins, and the new operation " + added + " takes its requests");
        Reply gone = send(added);
        assertThat(gone.status()).as("%s", gone).isEqualTo(409);
        assertDone(sendWith("", "{'force':true}", "http://10.0.0.1", guarded, added));
    }

    @Test
    void customMethodsAreOperationsOfTheirOwn() {
        Reply done = send(
                "GET /users",
                "GET /users:batchGet",
                "POST /users:batchCreate",
                "GET /users:list",
                "GET /users/",
                "GET /users:",
                "POST /v1/customers/{id}:cancel",
                "POST /v1/customers/{id}:reopen",
                "GET /v1/customers/{id}",
                "GET /v1/customers/{customer}:x",
                "GET /:search",
                "GET /:find");
        assertDone(done);
        assertThat(done.json().path("created").asInt()).isEqualTo(12 + 3);
        assertThat(done.json().path("warnings").findValuesAsText("pointer"))
                .as("taken by GET /v1/customers/{id}")
                .containsExactly("/paths/~1v1~1customers~1{customer}:x/get");
        assertThat(locked())
                .containsKeys(
                        "GET /users:batchGet",
                        "POST /users:batchCreate",
                        "POST ~/v1/customers/[^/]+:cancel",
                        "GET ~/:search",
                        "GET ~/:find");
    }

    @Test
    void pathsThatTakeTheSameRequestsAreOneWithAWarning() {
        Reply done = send("GET /a/{x}", "GET /a/{y}", "GET /caf%C3%A9", "GET /café", "GET /p/%7Ea", "GET /p/~a");
        assertDone(done);
        assertThat(done.json().path("created").asInt()).isEqualTo(3 + 3);
        assertThat(done.json().path("warnings")).hasSize(3);
    }

    @Test
    void pathThatLeadsOutOfThatOfTheServerIsImported() {
        Reply reply = sendWith("", "{}", "http://10.0.0.1/a/long/base", "GET /../../../x");
        assertDone(reply);
        assertThat(client.get("/routes").json().at("/items/0/path").asText()).isEqualTo("/x");
    }
}
