package io.sigma.controlplane.api.operation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sigma.controlplane.testing.AdminClient;
import io.sigma.controlplane.testing.AdminClient.Reply;
import io.sigma.controlplane.testing.TestControlPlane;
import io.sigma.json.Yaml;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The declared state. */
final class ConfigTest {

    private static final String SHOP = """
            # The shop
            proxyServers:
              - {id: web, port: 8080, plugins: {jwt: {secret: 0123456789abcdef0123456789abcdef}}}
            routers:
              - id: shop
                proxyServerId: web
            routes:
              - {id: api, routerId: shop, path: /api/*, proxyPassId: to-shop}
              - {id: home, routerId: shop, path: /, proxyPassId: to-shop}
            proxyPasses:
              - {id: to-shop, upstreamId: nodes}
            upstreams:
              - id: nodes
                nodes: [{url: "http://10.0.0.1"}]
            """;

    @RegisterExtension
    final TestControlPlane running = new TestControlPlane();

    private final AdminClient client = running.client();

    private Reply declare(String query, String yaml, String... headers) {
        String[] all = new String[headers.length + 2];
        all[0] = "Content-Type";
        all[1] = "application/yaml";
        System.arraycopy(headers, 0, all, 2, headers.length);
        return client.put("/config" + query, yaml, all);
    }

    private static String counts(Reply reply) {
        assertThat(reply.status()).as("%s", reply).isEqualTo(200);
        JsonNode json = reply.json();
        return json.path("created").asInt() + " " + json.path("updated").asInt() + " "
                + json.path("deleted").asInt() + " " + json.path("unchanged").asInt();
    }

    @Test
    void whatIsDeclaredIsMadeAndWhatIsNotIsDeleted() {
        client.put("/upstreams/old", "{\"nodes\":[{\"url\":\"http://10.0.0.9\"}]}");
        Reply made = declare("?message=the%20shop", SHOP);
        assertThat(counts(made)).isEqualTo("6 0 1 0");
        assertThat(made.json().at("/revision/number").asLong()).isEqualTo(2);
        assertThat(made.header("ETag")).isEqualTo(client.get("/config").header("ETag"));
        assertThat(client.get("/upstreams/old").status()).isEqualTo(404);
        assertThat(client.get("/revisions/2").json().path("message").asText()).isEqualTo("the shop");
        String tag = client.get("/routes/home").header("ETag");
        Reply changed = declare("", SHOP.replace("/api/*", "/v2/*"));
        assertThat(counts(changed)).isEqualTo("0 1 0 5");
        assertThat(changed.json().at("/changes/0/id").asText()).isEqualTo("api");
        assertThat(changed.json().at("/changes/0").has("after")).isFalse();
        assertThat(client.get("/routes/home").header("ETag")).isEqualTo(tag);
        assertThat(counts(declare("", SHOP.replace("/api/*", "/v2/*")))).isEqualTo("0 0 0 6");
        assertThat(client.get("/config").json().path("revision").asLong()).isEqualTo(3);
        assertThat(counts(declare("", "{}"))).isEqualTo("0 0 6 0");
    }

    @Test
    void whatIsShownGoesBackWithoutAChangeAsJsonAndAsYaml() {
        declare("", SHOP);
        client.put("/upstreams/grpc", "{\"protocol\":\"GRPC\",\"nodes\":[{\"url\":\"http://10.0.0.2:50051\"}]}");
        Reply json = client.get("/config");
        Reply yaml = client.get("/config", "Accept", "application/yaml");
        assertThat(json.header("Content-Type")).isEqualTo("application/json");
        assertThat(yaml.header("Content-Type")).isEqualTo("application/yaml");
        assertThat(yaml.header("ETag")).isEqualTo(json.header("ETag"));
        assertThat(yaml.http().body()).doesNotContain("0123456789abcdef0123456789abcdef", "secret:", "[redacted]");
        int size = json.json().path("upstreams").size() + 5;
        assertThat(counts(client.put("/config", json.http().body(), "If-Match", json.header("ETag"))))
                .isEqualTo("0 0 0 " + size);
        assertThat(counts(declare("", yaml.http().body()))).isEqualTo("0 0 0 " + size);
        assertThat(running.controlPlane()
                        .revisionLog()
                        .current()
                        .state()
                        .proxyServers()
                        .get("web")
                        .toString())
                .contains("web");
        assertThat(counts(declare("", yaml.http().body().replace("port: 8080", "port: 8081"))))
                .isEqualTo("0 1 0 " + (size - 1));
        assertThat(running.controlPlane()
                        .revisionLog()
                        .current()
                        .state()
                        .proxyServers()
                        .get("web")
                        .plugins()
                        .jwt()
                        .secret())
                .isEqualTo("0123456789abcdef0123456789abcdef");
    }

    @Test
    void aDryRunShowsEachEntityBeforeAndAfterAndChangesNothing() {
        declare("", SHOP);
        Reply dry = declare("?dryRun=true", SHOP.replace("8080", "8081").replaceFirst("(?m)^ *- .id: home.*\n", ""));
        assertThat(counts(dry)).isEqualTo("0 1 1 4");
        assertThat(dry.header("ETag"))
                .as("of what it was tried upon")
                .isEqualTo(client.get("/config").header("ETag"));
        assertThat(dry.json().at("/changes/0/before/port").asInt()).isEqualTo(8080);
        assertThat(dry.json().at("/changes/0/after/port").asInt()).isEqualTo(8081);
        assertThat(dry.json().at("/changes/1/action").asText()).isEqualTo("DELETE");
        assertThat(dry.http().body()).doesNotContain("0123456789abcdef0123456789abcdef");
        assertThat(client.get("/config").json().path("revision").asLong()).isEqualTo(1);
    }

    @Test
    void aStateThatWasChangedMeanwhileIsNotReplaced() {
        String tag = declare("", SHOP).header("ETag");
        client.patch("/routes/api", "{\"name\":\"x\"}");
        Reply stale = declare("", SHOP, "If-Match", tag);
        assertThat(stale.status()).isEqualTo(412);
        assertThat(stale.header("ETag")).isEqualTo(client.get("/config").header("ETag"));
        assertThat(counts(declare("", SHOP, "If-Match", stale.header("ETag")))).isEqualTo("0 1 0 5");
        assertThat(counts(declare("", SHOP, "If-Match", "*"))).isEqualTo("0 0 0 6");
    }

    @Test
    void aLabelledPartIsManagedWithoutTouchingTheRest() {
        declare("", SHOP);
        String part = """
                routes:
                  - {id: blog, routerId: shop, path: /blog/*, proxyPassId: to-blog}
                proxyPasses:
                  - {id: to-blog, upstreamId: nodes, labels: {team: blog, tier: web}}
                """;
        Reply made = declare("?label=team=blog", part);
        assertThat(counts(made)).isEqualTo("2 0 0 0");
        assertThat(client.get("/routes/blog").json().at("/labels/team").asText())
                .isEqualTo("blog");
        assertThat(client.get("/routes/api").status()).isEqualTo(200);
        Reply shown = client.get("/config?label=team=blog", "Accept", "text/yaml");
        assertThat(shown.header("ETag")).isEqualTo(made.header("ETag"));
        assertThat(shown.http().body()).contains("id: blog").doesNotContain("id: api");
        assertThat(counts(declare("?label=team=blog", shown.http().body()))).isEqualTo("0 0 0 2");

        client.patch("/routes/api", "{\"name\":\"x\"}");
        assertThat(client.get("/config?label=team=blog").header("ETag")).isEqualTo(made.header("ETag"));
        Reply less = declare(
                "?label=team=blog",
                part.replaceFirst("(?s)routes:.*?proxyPasses", "proxyPasses"),
                "If-Match",
                made.header("ETag"));
        assertThat(counts(less)).isEqualTo("0 0 1 1");
        assertThat(declare("?label=team=blog", part, "If-Match", made.header("ETag"))
                        .status())
                .isEqualTo(412);
        assertThat(counts(declare("?label=team=blog", "{}"))).isEqualTo("0 0 1 0");
        assertThat(client.get("/config").json().path("routes")).hasSize(2);
    }

    @Test
    void whatBelongsToOthersIsRefused() {
        declare("", SHOP);
        Reply taken =
                declare("?label=team=blog", "routes: [{id: api, routerId: shop, path: /mine, proxyPassId: to-shop}]");
        assertThat(taken.status()).isEqualTo(409);
        assertThat(taken.pointers()).isEqualTo("/routes/0/id");
        Reply other = declare(
                "?label=team=blog",
                "routes: [{id: mine, labels: {team: shop}, routerId: shop, path: /mine, proxyPassId: to-shop}]");
        assertThat(other.status()).isEqualTo(422);
        assertThat(other.pointers()).isEqualTo("/routes/0/labels/team");
        declare("?label=team=blog", "upstreams: [{id: blog, nodes: [{url: 'http://10.0.0.3'}]}]");
        client.patch("/proxy-passes/to-shop", "{\"upstreamId\":\"blog\"}");
        Reply referred = declare("?label=team=blog", "{}");
        assertThat(referred.status()).isEqualTo(409);
        assertThat(referred.json().at("/referrers/0/id").asText()).isEqualTo("to-shop");
    }

    @Test
    void mistakesAreNamedByTheirPointers() {
        Reply refused = declare("", """
                proxyServers: [{id: web, port: 70000}, {port: 1}, {id: web, port: 2}, 7]
                routers: {}
                router: []
                routes: [{id: a, routerId: none, path: /, proxyPassId: none}]
                """);
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.pointers().split(" "))
                .containsExactlyInAnyOrder(
                        "/proxyServers/1/id", "/proxyServers/2/id", "/proxyServers/3", "/routers", "/router");
        assertThat(declare("", "proxyServers: [{id: web, port: 70000}]").pointers())
                .isEqualTo("/proxyServers/0/port");
        assertThat(declare("", "routes: [{id: a, routerId: none, path: /, proxyPassId: none}]")
                        .pointers())
                .isEqualTo("/routes/0/routerId /routes/0/proxyPassId");
        assertThat(declare("", "[1]").status()).isEqualTo(422);
        assertThat(declare("", "a: [").status()).isEqualTo(400);
        assertThat(declare("", "a: &x [1]\nb: *x").status()).isEqualTo(400);
        assertThat(declare("", "# nothing").status()).isEqualTo(400);
        assertThat(declare("?label=blog", "{}").status()).isEqualTo(400);
        assertThat(client.put("/config", "a", "Content-Type", "text/plain").status())
                .isEqualTo(415);
        assertThat(client.get("/config").json().path("revision").asLong()).isZero();
    }

    @Test
    void aRepeatedDeclarationIsNotMadeAgain() {
        Reply first = declare("", SHOP, "Idempotency-Key", "k");
        client.delete("/routes/home");
        Reply again = declare("", SHOP, "Idempotency-Key", "k");
        assertThat(counts(again)).isEqualTo(counts(first));
        assertThat(again.json().at("/revision/repeated").asBoolean()).isTrue();
        assertThat(client.get("/routes/home").status()).isEqualTo(404);
    }

    @Test
    void manyEntitiesAreDeclaredAndShownInOrder() throws Exception {
        ObjectNode state = (ObjectNode) Yaml.read(SHOP.getBytes(StandardCharsets.UTF_8));
        ArrayNode routes = (ArrayNode) state.path("routes");
        for (int i = 0; i < 3000; i++) {
            routes.addObject()
                    .put("id", "r" + i)
                    .put("routerId", "shop")
                    .put("path", "/p/" + i)
                    .put("proxyPassId", "to-shop");
        }
        assertThat(counts(client.put("/config", state.toString()))).isEqualTo("3006 0 0 0");
        routes.remove(2);
        ((ObjectNode) routes.get(5)).put("path", "/other");
        assertThat(counts(client.put("/config", state.toString()))).isEqualTo("0 1 1 3004");
        assertThat(client.get("/config").json().path("routes"))
                .extracting(route -> route.path("id").asText())
                .hasSize(3001)
                .isSorted();
    }
}
