package io.sigma.controlplane.api.operation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.testing.AdminClient;
import io.sigma.controlplane.testing.AdminClient.Reply;
import io.sigma.controlplane.testing.TestControlPlane;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Several writes in one revision. */
final class BatchTest {

    private static final String SHOP = """
            {"action":"PUT","kind":"ROUTE","id":"api","body":{"routerId":"shop","path":"/api/*","proxyPassId":"to-shop"}},
            {"action":"PUT","kind":"PROXY_PASS","id":"to-shop","body":{"upstreamId":"nodes"}},
            {"action":"PUT","kind":"ROUTER","id":"shop","body":{"proxyServerId":"web"}},
            {"action":"PUT","kind":"UPSTREAM","id":"nodes","body":{"nodes":[{"url":"http://10.0.0.1"}]}},
            {"action":"PUT","kind":"PROXY_SERVER","id":"web","body":{"port":8080}}""";

    @RegisterExtension
    final TestControlPlane running = new TestControlPlane("batchOperationsMax", "8");

    private final AdminClient client = running.client();

    private Reply batch(String operations, String... headers) {
        return client.post("/batch", body(operations), headers);
    }

    private static String body(String operations) {
        return "{\"operations\":[" + operations + "]}";
    }

    private static String delete(String kind, String id) {
        return "{\"action\":\"DELETE\",\"kind\":\"" + kind + "\",\"id\":\"" + id + "\"}";
    }

    @Test
    void operationsMayReferToEachOtherInAnyOrderAndMakeOneRevision() {
        Reply made = client.post("/batch?message=the%20shop", body(SHOP));
        assertThat(made.status()).as("%s", made).isEqualTo(200);
        assertThat(made.json().at("/revision/number").asLong()).isEqualTo(1);
        assertThat(made.json().path("results"))
                .extracting(result -> result.path("id").asText())
                .containsExactly("api", "to-shop", "shop", "nodes", "web");
        assertThat(made.json().path("results").findValuesAsText("action")).containsOnly("CREATE");
        assertThat(made.json().at("/results/4/etag").asText())
                .isEqualTo(client.get("/proxy-servers/web").header("ETag"));
        assertThat(made.json().at("/results/4/after/port").asInt()).isEqualTo(8080);
        JsonNode revision = client.get("/revisions/1").json();
        assertThat(revision.path("changes")).hasSize(5);
        assertThat(revision.path("message").asText()).isEqualTo("the shop");
    }

    @Test
    void allKindsOfOperationsWorkTogether() {
        batch(SHOP);
        Reply moved = batch("""
                {"action":"DELETE","kind":"UPSTREAM","id":"nodes","ifMatch":"*"},
                {"action":"PATCH","kind":"PROXY_PASS","id":"to-shop","body":{"upstreamId":"others","name":"Shop"}},
                {"action":"PUT","kind":"UPSTREAM","id":"others","body":{"nodes":[{"url":"http://10.0.0.2"}]}},
                {"action":"PUT","kind":"PROXY_SERVER","id":"web","body":{"port":8080}}""");
        assertThat(moved.status()).as("%s", moved).isEqualTo(200);
        assertThat(moved.json().path("results").findValuesAsText("changed"))
                .containsExactly("true", "true", "true", "false");
        assertThat(moved.json().at("/results/0").has("etag")).isFalse();
        assertThat(moved.json().at("/results/1/before/upstreamId").asText()).isEqualTo("nodes");
        assertThat(moved.json().at("/results/1/after/upstreamId").asText()).isEqualTo("others");
        assertThat(moved.json().at("/results/3/etag").asText()).startsWith("\"1-");
        assertThat(client.get("/upstreams/nodes").status()).isEqualTo(404);
        Reply gone = batch(delete("PROXY_SERVER", "web") + "," + delete("ROUTER", "shop") + "," + delete("ROUTE", "api")
                + "," + delete("UPSTREAM", "others") + "," + delete("PROXY_PASS", "to-shop"));
        assertThat(gone.status()).as("%s", gone).isEqualTo(200);
        assertThat(running.controlPlane().revisionLog().current().state().size())
                .isZero();
    }

    @Test
    void whatIsWrongWithEachOperationIsSaidAndNothingIsDone() {
        batch(SHOP);
        Reply refused = batch("""
                {"action":"PUT","kind":"ROUTE","id":"new","body":{"routerId":"shop","path":"nope","proxyPassId":"to-shop"}},
                {"action":"PATCH","kind":"ROUTER","id":"none","body":{"name":"x"}},
                {"action":"PATCH","kind":"ROUTER","id":"shop","body":{"name":"x"},"ifMatch":"\\"0-0\\""},
                {"action":"PUT","kind":"UPSTREAM","id":"fine","body":{"nodes":[{"url":"http://10.0.0.2"}]}}""");
        assertThat(refused.status()).as("%s", refused).isEqualTo(422);
        assertThat(refused.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(refused.pointers()).isEqualTo("/operations/0/body/path /operations/1/id /operations/2/ifMatch");
        JsonNode operations = refused.json().path("operations");
        assertThat(operations.findValuesAsText("index")).containsExactly("0", "1", "2");
        assertThat(operations.findValuesAsText("status")).containsExactly("422", "404", "412");
        assertThat(operations.path(2).path("etag").asText())
                .isEqualTo(client.get("/routers/shop").header("ETag"));
        assertThat(client.get("/upstreams/fine").status()).isEqualTo(404);
        assertThat(client.get("/revisions/2").status()).isEqualTo(404);
    }

    @Test
    void oneStatusOfAllFailedOperationsIsTheStatusOfTheBatch() {
        batch(SHOP);
        Reply missing = batch(delete("ROUTE", "none") + "," + delete("ROUTE", "nor-this"));
        assertThat(missing.status()).isEqualTo(404);
        assertThat(missing.pointers()).isEqualTo("/operations/0/id /operations/1/id");
        Reply referred = batch(delete("ROUTE", "api") + "," + delete("PROXY_SERVER", "web"));
        assertThat(referred.status()).isEqualTo(409);
        assertThat(referred.json().at("/operations/0/index").asInt()).isEqualTo(1);
        assertThat(referred.json().at("/operations/0/referrers/0/id").asText()).isEqualTo("shop");
        Reply changed = batch("{\"action\":\"DELETE\",\"kind\":\"ROUTE\",\"id\":\"api\",\"ifMatch\":\"\\\"9-9\\\"\"}");
        assertThat(changed.status()).as("%s", changed).isEqualTo(412);
        assertThat(client.get("/routes/api").status()).isEqualTo(200);
    }

    @Test
    void aReferenceToWhatTheBatchDeletesPointsNowhere() {
        batch(SHOP);
        Reply refused = batch(
                delete("UPSTREAM", "nodes")
                        + ",{\"action\":\"PUT\",\"kind\":\"PROXY_PASS\",\"id\":\"to-shop\",\"body\":{\"upstreamId\":\"nodes\",\"name\":\"x\"}}");
        assertThat(refused.status()).as("%s", refused).isEqualTo(422);
        assertThat(refused.pointers()).isEqualTo("/operations/1/body/upstreamId");
    }

    @Test
    void anAddressThatTheBatchSetsFreeCanBeTakenInIt() {
        batch(SHOP);
        Reply taken = batch("{\"action\":\"PUT\",\"kind\":\"PROXY_SERVER\",\"id\":\"other\",\"body\":{\"port\":8080}}");
        assertThat(taken.pointers()).isEqualTo("/operations/0/body/port");
        Reply moved = batch("{\"action\":\"PUT\",\"kind\":\"PROXY_SERVER\",\"id\":\"other\",\"body\":{\"port\":8080}},"
                + "{\"action\":\"PATCH\",\"kind\":\"PROXY_SERVER\",\"id\":\"web\",\"body\":{\"port\":8081}}");
        assertThat(moved.status()).as("%s", moved).isEqualTo(200);
    }

    @Test
    void whatMakesNoSenseIsRefusedWithItsPointer() {
        assertThat(batch("").pointers()).isEqualTo("/operations");
        assertThat(client.post("/batch", "{}").pointers()).isEqualTo("/operations");
        assertThat(batch("{\"action\":\"POST\",\"kind\":\"ROUTES\",\"id\":\"a b\"}")
                        .pointers()
                        .split(" "))
                .containsExactlyInAnyOrder("/operations/0/action", "/operations/0/kind", "/operations/0/id");
        assertThat(batch("{\"action\":\"PUT\",\"kind\":\"ROUTE\",\"id\":\"a\"}").pointers())
                .isEqualTo("/operations/0/body");
        assertThat(batch("{\"action\":\"DELETE\",\"kind\":\"ROUTE\",\"id\":\"a\",\"body\":{}}")
                        .pointers())
                .isEqualTo("/operations/0/body");
        Reply twice = batch(delete("ROUTE", "a") + "," + delete("ROUTE", "a"));
        assertThat(twice.status()).isEqualTo(422);
        assertThat(twice.pointers()).isEqualTo("/operations/1/id");
        assertThat(batch("{\"action\":\"DELETE\",\"kind\":\"ROUTE\",\"id\":\"a\",\"ifMatch\":\"nope\"}")
                        .pointers())
                .isEqualTo("/operations/0/ifMatch");
        // 10,000 is the bound of the contract.
        for (int more : new int[] {8, 10_000}) {
            String operations = (delete("ROUTE", "a") + ",").repeat(more) + delete("ROUTE", "a");
            Reply draft = client.post("/route-tests", "{\"url\":\"/\",\"operations\":[" + operations + "]}");
            for (Reply many : new Reply[] {batch(operations), draft}) {
                assertThat(many.status()).isEqualTo(422);
                assertThat(many.http().body()).contains("a list of " + (more + 1) + " items (expected: at most 8)");
            }
        }
    }

    @Test
    void aDryRunAnswersWhatWouldBeAndChangesNothing() {
        batch(SHOP);
        String operations = delete("ROUTE", "api")
                + ",{\"action\":\"PATCH\",\"kind\":\"PROXY_SERVER\",\"id\":\"web\",\"body\":{\"port\":8081}}";
        Reply dry = client.post("/batch?dryRun=true", body(operations));
        assertThat(dry.status()).isEqualTo(200);
        assertThat(dry.json().at("/revision/dryRun").asBoolean()).isTrue();
        assertThat(dry.json().at("/revision/number").asLong()).isEqualTo(2);
        assertThat(dry.json().at("/results/1").has("etag")).isFalse();
        assertThat(client.get("/routes/api").status()).isEqualTo(200);
        assertThat(client.get("/revisions/2").status()).isEqualTo(404);
        Reply done = batch(operations);
        assertThat(done.json().at("/revision/stateHash")).isEqualTo(dry.json().at("/revision/stateHash"));
        assertThat(done.json().at("/results/1/after")).isEqualTo(dry.json().at("/results/1/after"));
        assertThat(client.post("/batch?dryRun=maybe", body(operations)).status())
                .isEqualTo(400);
    }

    @Test
    void everySingleWriteCanBeTriedDry() {
        batch(SHOP);
        assertThat(client.put("/proxy-servers/new?dryRun=true", "{\"port\":1}").status())
                .isEqualTo(200);
        Reply created = client.post("/proxy-servers?dryRun=true", "{\"port\":1}");
        assertThat(created.status()).isEqualTo(200);
        assertThat(created.http().headers().firstValue("ETag")).isEmpty();
        assertThat(created.json().at("/resource/port").asInt()).isEqualTo(1);
        assertThat(client.patch("/proxy-servers/web?dryRun=true", "{\"port\":1}")
                        .json()
                        .at("/revision/changed")
                        .asBoolean())
                .isTrue();
        assertThat(client.delete("/proxy-servers/web?dryRun=true").status()).isEqualTo(409);
        assertThat(client.delete("/routes/api?dryRun=true").status()).isEqualTo(200);
        assertThat(client.put("/proxy-servers/web?dryRun=true", "{\"port\":0}").status())
                .isEqualTo(422);
        assertThat(client.get("/config").json().path("revision").asLong()).isEqualTo(1);
        assertThat(client.get("/proxy-servers/web").json().path("port").asInt()).isEqualTo(8080);
        assertThat(client.get("/routes/api").status()).isEqualTo(200);
    }

    @Test
    void aRepeatedRequestIsNotMadeAgain() {
        Reply first = batch(SHOP, "Idempotency-Key", "a1");
        client.patch("/proxy-servers/web", "{\"port\":8081}");
        Reply again = batch(SHOP, "Idempotency-Key", "a1");
        assertThat(again.status()).as("%s", again).isEqualTo(200);
        assertThat(again.json().at("/revision/repeated").asBoolean()).isTrue();
        assertThat(again.json().at("/revision/number").asLong()).isEqualTo(1);
        assertThat(again.json().path("results")).isEqualTo(first.json().path("results"));
        assertThat(client.get("/proxy-servers/web").json().path("port").asInt()).isEqualTo(8081);
        Reply other = batch(delete("ROUTE", "api"), "Idempotency-Key", "a1");
        assertThat(other.status()).isEqualTo(422);
        assertThat(other.json().path("type").asText()).isEqualTo("urn:sigma:problem:idempotency-key-reused");
        assertThat(batch(delete("ROUTE", "api"), "Idempotency-Key", "a 1").status())
                .isEqualTo(400);
        assertThat(batch(delete("ROUTE", "api"), "Idempotency-Key", "a2").status())
                .isEqualTo(200);
    }

    @Test
    void aResourceIsCreatedOnceHoweverOftenItIsAskedForWithOneKey() {
        Reply first = client.post("/proxy-servers", "{\"port\":80}", "Idempotency-Key", "k");
        Reply again = client.post("/proxy-servers?wait=all", "{\"port\":80}", "Idempotency-Key", "k");
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.json().path("resource")).isEqualTo(first.json().path("resource"));
        assertThat(again.header("ETag")).isEqualTo(first.header("ETag"));
        assertThat(client.get("/proxy-servers").json().path("items")).hasSize(1);
        Reply deleted = client.delete(first.header("Location").substring("/api/v1".length()), "Idempotency-Key", "d");
        Reply twice = client.delete(first.header("Location").substring("/api/v1".length()), "Idempotency-Key", "d");
        assertThat(twice.status()).isEqualTo(200);
        assertThat(twice.json().at("/revision/number")).isEqualTo(deleted.json().at("/revision/number"));
    }

    @Test
    void aRequestThatChangedNothingIsNotMadeAgainEither() {
        batch(SHOP);
        Reply same = client.patch("/proxy-servers/web", "{\"port\":8080}", "Idempotency-Key", "same");
        assertThat(same.status()).as("%s", same).isEqualTo(200);
        assertThat(same.json().at("/revision/changed").asBoolean()).isFalse();
        client.patch("/proxy-servers/web", "{\"port\":8081}");

        Reply again = client.patch("/proxy-servers/web", "{\"port\":8080}", "Idempotency-Key", "same");

        assertThat(again.status()).as("%s", again).isEqualTo(200);
        assertThat(again.json().at("/revision/repeated").asBoolean()).isTrue();
        assertThat(again.json().at("/revision/number").asLong()).isEqualTo(1);
        assertThat(again.json().at("/resource/port").asInt()).isEqualTo(8080);
        assertThat(client.get("/proxy-servers/web").json().path("port").asInt()).isEqualTo(8081);
        Reply other = client.patch("/proxy-servers/web", "{\"port\":8082}", "Idempotency-Key", "same");
        assertThat(other.status()).isEqualTo(422);
        assertThat(other.json().path("type").asText()).isEqualTo("urn:sigma:problem:idempotency-key-reused");
    }

    @Test
    void aBatchThatChangedNothingIsNotMadeAgainEither() {
        batch(SHOP);
        Reply same = batch(SHOP, "Idempotency-Key", "same");
        assertThat(same.status()).as("%s", same).isEqualTo(200);
        assertThat(same.json().at("/revision/changed").asBoolean()).isFalse();
        client.patch("/proxy-servers/web", "{\"port\":8081}");

        Reply again = batch(SHOP, "Idempotency-Key", "same");

        assertThat(again.status()).as("%s", again).isEqualTo(200);
        assertThat(again.json().at("/revision/repeated").asBoolean()).isTrue();
        assertThat(client.get("/proxy-servers/web").json().path("port").asInt()).isEqualTo(8081);
    }

    @Test
    void secretsOfABatchAreKeptAndNeverShown() {
        String secret = "0123456789abcdef0123456789abcdef";
        Reply made = batch(
                "{\"action\":\"PUT\",\"kind\":\"PROXY_SERVER\",\"id\":\"web\",\"body\":{\"port\":80,\"plugins\":{\"jwt\":{\"secret\":\""
                        + secret + "\"}}}}");
        assertThat(made.status()).as("%s", made).isEqualTo(200);
        assertThat(made.http().body()).doesNotContain(secret).contains("[redacted]");
        Reply kept = batch(
                "{\"action\":\"PUT\",\"kind\":\"PROXY_SERVER\",\"id\":\"web\",\"body\":{\"port\":80,\"plugins\":{\"jwt\":{\"secret\":\"[redacted]\"}}}}");
        assertThat(kept.json().at("/results/0/changed").asBoolean()).isFalse();
    }
}
