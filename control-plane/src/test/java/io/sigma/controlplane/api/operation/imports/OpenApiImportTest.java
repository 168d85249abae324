package io.sigma.controlplane.api.operation.imports;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.testing.AdminClient.Reply;
import org.junit.jupiter.api.Test;

final class OpenApiImportTest extends OpenApiImportContract {

    @Test
    void aPreviewShowsWhatTheImportDoes() {
        Reply preview = send("?dryRun=true", PETS, "{'proxyServerId':'web','hosts':['pets.example.com']}");
        assertThat(preview.status()).as("%s", preview).isEqualTo(200);
        assertThat(client.get("/routes").json().path("items")).isEmpty();
        Reply done = send("", PETS, "{'proxyServerId':'web','hosts':['pets.example.com']}");
        assertThat(changes(done))
                .isEqualTo(changes(preview))
                .containsExactly(
                        "CREATE UPSTREAM pet-store",
                        "CREATE PROXY_PASS pet-store",
                        "CREATE ROUTER pet-store",
                        "CREATE ROUTE pet-store.listPets",
                        "CREATE ROUTE pet-store.createPets",
                        "CREATE ROUTE pet-store.showPetById",
                        "CREATE ROUTE pet-store.get-pets-petid-photo.-format");
        assertThat(done.json().at("/revision/number").asLong()).isEqualTo(2);
        assertThat(client.get("/upstreams/pet-store").json().path("nodes").toString())
                .contains("\"https://eu.pets.internal\"")
                .doesNotContain("us.pets", "old");
        assertThat(client.get("/routers/pet-store").json().at("/hosts/0").asText())
                .isEqualTo("pets.example.com");
        JsonNode list = client.get("/routes/pet-store.listPets").json();
        assertThat(list.path("path").asText()).isEqualTo("/v1/pets");
        assertThat(list.at("/methods/0").asText()).isEqualTo("GET");
        assertThat(list.path("name").asText()).isEqualTo("List all pets");
        assertThat(list.at("/labels/openapi.tags").asText()).isEqualTo("pets");
        assertThat(client.get("/routes/pet-store.showPetById")
                        .json()
                        .path("path")
                        .asText())
                .isEqualTo("/v1/pets/:petId");
        assertThat(client.get("/routes/pet-store.get-pets-petid-photo.-format")
                        .json()
                        .path("path")
                        .asText())
                .isEqualTo("~/v1/pets/[^/]+/photo\\.[^/]+");
        assertThat(done.json().path("warnings").findValuesAsText("pointer"))
                .containsExactly(
                        "/servers/0/url",
                        "/servers/1/url",
                        "/servers/2/url",
                        "/paths/~1circle",
                        "/paths/~1elsewhere",
                        "/components/securitySchemes/key",
                        "/webhooks");
    }

    @Test
    void charactersThatNobodySeesAreNotImported() {
        String document = "{'openapi':'3.1.0','info':{'title':'Shop \\u202e Api','version':'1'},"
                + "'servers':[{'url':'http://shop.internal'}],'paths':{"
                + "'/a':{'get':{'operationId':'read\\u2066  it \\u200b','tags':['x\\u200ey \\ufeff'],'summary':' \\u00a0'}},"
                + "'/b\\u202e':{'get':{}}}}";
        Reply done = send("", document.replace('\'', '"'), "{'proxyServerId':'web','id':'shop'}");
        assertThat(done.status()).as("%s", done).isEqualTo(200);
        assertThat(client.get("/routes").json().path("items")).hasSize(1);
        assertThat(done.json().path("warnings").findValuesAsText("pointer")).contains("/paths/~1b\u202e");
    }

    @Test
    void theSameDocumentAgainChangesNothingAndWhatWasAddedStays() {
        send("", PETS, "{'proxyServerId':'web'}");
        client.patch("/routes/pet-store.listPets", "{\"priority\":7,\"plugins\":{\"cors\":{}}}");
        client.patch("/upstreams/pet-store", "{\"outlierDetection\":{}}");
        Reply again = send("", PETS, "{'proxyServerId':'web'}");
        assertThat(changes(again)).isEmpty();
        assertThat(again.json().path("unchanged").asInt()).isEqualTo(7);
        assertThat(again.json().at("/revision/changed").asBoolean()).isFalse();
        assertThat(client.get("/routes/pet-store.listPets")
                        .json()
                        .path("priority")
                        .asInt())
                .isEqualTo(7);

        String changed = PETS.replace("List all pets", "All pets")
                .replace("    post: { operationId: createPets, responses: {} }\n", "");
        assertThat(changes(send("", changed, "{'proxyServerId':'web'}")))
                .as("what vanished stays unless it is asked for")
                .containsExactly("UPDATE ROUTE pet-store.listPets");
        client.put("/routes/own", "{\"routerId\":\"pet-store\",\"path\":\"/own\",\"proxyPassId\":\"pet-store\"}");
        assertThat(changes(send("", changed, "{'proxyServerId':'web','removeVanished':true}")))
                .containsExactly("DELETE ROUTE pet-store.createPets");
        assertThat(client.get("/routes/own").status()).isEqualTo(200);
    }

    @Test
    void whatIsNotOfTheImportIsNotOverwritten() {
        client.put("/upstreams/pet-store", "{\"nodes\":[{\"url\":\"http://10.0.0.1\"}]}");
        client.put("/proxy-passes/mine", "{\"upstreamId\":\"pet-store\"}");
        client.put("/routers/mine", "{\"proxyServerId\":\"web\"}");
        client.put("/routes/pet-store.listPets", "{\"routerId\":\"mine\",\"path\":\"/pets\",\"proxyPassId\":\"mine\"}");
        Reply refused = send("", PETS, "{'proxyServerId':'web'}");
        assertThat(refused.status()).as("%s", refused).isEqualTo(409);
        assertThat(refused.json().path("type").asText()).isEqualTo("urn:sigma:problem:other-label");
        assertThat(refused.json().path("errors").toString())
                .contains("upstream \\\"pet-store\\\"", "route \\\"pet-store.listPets\\\"")
                .contains("one with the label openapi.import=pet-store");
        assertThat(client.get("/upstreams/pet-store").json().at("/nodes/0/url").asText())
                .isEqualTo("http://10.0.0.1");
        assertThat(send("", PETS, "{'proxyServerId':'web','id':'pets'}").status())
                .isEqualTo(200);
        String labelled = "{\"labels\":{\"openapi.import\":\"pet-store\"}}";
        client.patch("/upstreams/pet-store", labelled);
        client.patch("/routes/pet-store.listPets", labelled);
        Reply handedOver = send("", PETS, "{'proxyServerId':'web','hosts':['b.example.com']}");
        assertThat(handedOver.status()).as("%s", handedOver).isEqualTo(200);
    }

    @Test
    void hostsStayWhenNoneAreGiven() {
        send("", PETS, "{'proxyServerId':'web','hosts':['pets.example.com']}");
        assertThat(changes(send("", PETS, "{'proxyServerId':'web'}"))).isEmpty();
        assertThat(changes(send("", PETS, "{'proxyServerId':'web','hosts':['pets.example.org']}")))
                .containsExactly("UPDATE ROUTER pet-store");
        assertThat(client.get("/routers/pet-store").json().path("hosts").toString())
                .isEqualTo("[\"pets.example.org\"]");
    }

    @Test
    void aPreviewShowsBothSidesAndOnlyThatIsImported() {
        send("", PETS, "{'proxyServerId':'web'}");
        String changed = PETS.replace("List all pets", "All pets");
        Reply preview = send("?dryRun=true", changed, "{'proxyServerId':'web'}");
        JsonNode change = preview.json().at("/changes/0");
        assertThat(change.at("/before/name").asText()).isEqualTo("List all pets");
        assertThat(change.at("/after/name").asText()).isEqualTo("All pets");
        client.patch("/routers/pet-store", "{\"name\":\"meanwhile\"}");
        Reply stale = send("", changed, "{'proxyServerId':'web'}", "If-Match", preview.header("ETag"));
        assertThat(stale.status()).as("%s", stale).isEqualTo(412);
        Reply fresh = send("?dryRun=true", changed, "{'proxyServerId':'web'}");
        Reply done = send("", changed, "{'proxyServerId':'web'}", "If-Match", fresh.header("ETag"));
        assertThat(done.status()).as("%s", done).isEqualTo(200);
        assertThat(done.json().at("/changes/0").has("after")).isFalse();
        assertThat(done.header("ETag")).isNotEqualTo(fresh.header("ETag"));
    }

    @Test
    void version32HasFurtherMethodsAndFragmentsAreDecoded() {
        String document = """
                openapi: 3.2.0
                info: { title: Files, version: '1' }
                servers: [{ url: 'http://10.0.0.1' }]
                paths:
                  /files/{id}:
                    query: { operationId: findFiles, responses: {} }
                    additionalOperations:
                      COPY: { responses: {} }
                      'NO METHOD': { responses: {} }
                  /same/{id}:
                    $ref: '#/paths/~1files~1%7Bid%7D'
                """;
        Reply done = send("", document, "{'proxyServerId':'web'}");
        assertThat(done.status()).as("%s", done).isEqualTo(200);
        assertThat(client.get("/routes/files.findFiles").json().at("/methods/0").asText())
                .isEqualTo("QUERY");
        assertThat(client.get("/routes/files.copy-files-id")
                        .json()
                        .at("/methods/0")
                        .asText())
                .isEqualTo("COPY");
        assertThat(client.get("/routes/files.copy-same-id").json().path("path").asText())
                .isEqualTo("/same/:id");
        assertThat(done.json().path("warnings").findValuesAsText("pointer"))
                .contains("/paths/~1files~1{id}/additionalOperations/NO METHOD");
    }

    @Test
    void partsThatNoRouteCanHaveDoNotStopTheOthers() {
        String document = """
                openapi: 3.2.0
                info: { title: Parts, version: '1' }
                servers: [{ url: 'http://10.0.0.1/v1' }]
                paths:
                  '': { get: {} }
                  no-slash: { get: {} }
                  /a:
                    get: {}
                    additionalOperations: { get: {}, GTE: {}, Post: {} }
                """;
        Reply done = send("", document, "{'proxyServerId':'web'}");
        assertThat(done.status()).as("%s", done).isEqualTo(200);
        assertThat(done.json().path("warnings").findValuesAsText("pointer"))
                .containsExactly(
                        "/paths/",
                        "/paths/~1a/additionalOperations/GTE",
                        "/paths/~1a/additionalOperations/Post",
                        "/paths/~1a/additionalOperations/get",
                        "/paths/no-slash");
        assertThat(client.get("/routes").json().path("items").findValuesAsText("path"))
                .containsExactly("/v1/a");
    }

    @Test
    void jsonOfVersion30WithARelativeServerWantsNodes() {
        String document = "{\"openapi\":\"3.0.3\",\"info\":{\"title\":\"x\"},\"servers\":[{\"url\":\"/api\"}],"
                + "\"paths\":{\"/a\":{\"get\":{}}}}";
        Reply without = send("", document, "{'proxyServerId':'web'}");
        assertThat(without.status()).isEqualTo(422);
        assertThat(without.pointers()).isEqualTo("/nodes");
        Reply with = send("", document, "{'proxyServerId':'web','id':'mine','nodes':['http://10.0.0.1:80']}");
        assertThat(with.status()).as("%s", with).isEqualTo(200);
        assertThat(client.get("/routes/mine.get-a").json().path("path").asText())
                .isEqualTo("/api/a");
    }

    @Test
    void oneServerIsTakenAndTheOthersAreWarnings() {
        String document =
                servers("url: https://api.test/v1", "url: https://api.sandbox.test/v1", "url: https://eu.test/v2");
        Reply first = send("", document, "{'proxyServerId':'web'}");
        assertThat(node()).isEqualTo("https://api.test /v1/a");
        assertThat(first.json().path("warnings").findValuesAsText("pointer"))
                .containsExactly("/servers/1/url", "/servers/2/url");
        assertThat(first.json().at("/warnings/0/detail").asText())
                .isEqualTo(
                        "\"https://api.sandbox.test/v1\" is left out: server 0 of the document is taken (choose another one"
                                + " by server, or give nodes)");
        assertThat(send("", document, "{'proxyServerId':'web','server':2}").status())
                .isEqualTo(200);
        assertThat(node()).isEqualTo("https://eu.test /v2/a");
        assertThat(send("", document, "{'proxyServerId':'web','server':1,'nodes':['http://10.0.0.1:80']}")
                        .status())
                .isEqualTo(200);
        assertThat(node()).isEqualTo("http://10.0.0.1:80 /v1/a");
        assertThat(send("", document, "{'proxyServerId':'web','server':3}").pointers())
                .isEqualTo("/server");
    }

    @Test
    void theFirstServerThatAGatewayCanReachIsTaken() {
        String document = servers(
                "url: wss://api.test",
                "url: 'https://{tenant}.test/'",
                "url: api.test/v1",
                "url: 'https://{env}.test:{port}/v1/'\n    variables: {env: {default: live, enum: [live, test]}, port: {default: '8443'}}",
                "url: /relative");
        Reply done = send("", document, "{'proxyServerId':'web'}");
        assertThat(done.status()).as("%s", done).isEqualTo(200);
        assertThat(node()).isEqualTo("https://live.test:8443 /v1/a");
        assertThat(done.json().path("warnings")).hasSize(6);
        assertThat(send("", document, "{'proxyServerId':'web','server':1}").pointers())
                .isEqualTo("/server");
        Reply relative = send("", document, "{'proxyServerId':'web','server':4}");
        assertThat(relative.pointers()).isEqualTo("/nodes");
        assertThat(relative.json().at("/errors/0/detail").asText()).contains("server 4 of the document has no host");
    }

    @Test
    void methodsInCapitalsAndAllMethodsAreTakenAndOtherKeysAreWarnings() {
        String document = """
                openapi: 3.0.0
                info: { title: m }
                servers: [{ url: 'http://10.0.0.1' }]
                paths:
                  /a: { GET: {}, parameters: [], summary: x, x-own: {}, PURGE: {}, grt: {} }
                  /b: { get: {}, Get: {} }
                  /c: { post: null }
                  /{proxy+}: { x-amazon-apigateway-any-method: {} }
                """;
        Reply done = send("", document, "{'proxyServerId':'web'}");
        assertThat(done.status()).as("%s", done).isEqualTo(200);
        assertThat(client.get("/routes/m.get-a").json().at("/methods/0").asText())
                .isEqualTo("GET");
        JsonNode any = client.get("/routes/m.any-proxy").json();
        assertThat(any.path("path").asText()).isEqualTo("~/.+");
        assertThat(any.path("methods")).isEmpty();
        assertThat(done.json().path("warnings").findValuesAsText("pointer"))
                .containsExactly(
                        "/paths/~1a/GET", "/paths/~1a/PURGE", "/paths/~1a/grt", "/paths/~1b/Get", "/paths/~1c/post");
    }

    @Test
    void whatIsNoDocumentIsRefusedWithItsPlace() {
        String options = "{'proxyServerId':'web','nodes':['http://10.0.0.1:80']}";
        assertThat(send("", "{\"swagger\":\"2.0\"}", options).pointers()).isEqualTo("/document/openapi");
        assertThat(send("", "openapi: [", options).pointers()).isEqualTo("/document");
        assertThat(send("", "- a\n- b", options).pointers()).isEqualTo("/document");
        assertThat(send("", "openapi: 3.0.0\ninfo: {title: x}\npaths: {}", options)
                        .pointers())
                .isEqualTo("/document/paths");
        assertThat(send("", "a: &a [1]\nb: *a\n", options).status()).isEqualTo(422);
        assertThat(send("", "[".repeat(5000), options).status()).isEqualTo(422);
        assertThat(send("", PETS, "{'proxyServerId':'nowhere'}").pointers()).isEqualTo("/document/info");
        assertThat(send("", PETS, "{'proxyServerId':'web','nodes':['http://169.254.169.254/']}")
                        .pointers())
                .isEqualTo("/document/servers");
        assertThat(send("", PETS, "{'proxyServerId':'web','hosts':['no host']}").status())
                .isEqualTo(422);
        assertThat(send("", PETS, "{'proxyServerId':'web','what':1}").pointers())
                .isEqualTo("/what");
        assertThat(client.get("/config").json().path("revision").asLong()).isEqualTo(1);
    }

    private static String servers(String... urls) {
        return "openapi: 3.0.0\ninfo: {title: s}\nservers:\n"
                + java.util.Arrays.stream(urls).map(url -> "  - " + url + "\n").reduce("", String::concat)
                + "paths: {/a: {get: {}}}\n";
    }

    private String node() {
        JsonNode nodes = client.get("/upstreams/s").json().path("nodes");
        assertThat(nodes).hasSize(1);
        return nodes.at("/0/url").asText() + " "
                + client.get("/routes/s.get-a").json().path("path").asText();
    }
}
