package io.sigma.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.json.Json;
import io.sigma.standalone.Standalone;
import io.sigma.standalone.StandaloneSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Route tests of a gateway through the admin API. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RouteTestsTest {

    private final HttpClient http = HttpClient.newHttpClient();
    private String base = "";
    private String token = "";

    @SuppressWarnings("NullAway.Init")
    private Standalone standalone;

    private int port;

    @BeforeAll
    void start(@TempDir Path dataDir) throws Exception {
        int adminPort = StandaloneSettings.freePort();
        port = StandaloneSettings.freePort();
        base = "http://127.0.0.1:" + adminPort + "/api/v1";
        standalone = Standalone.start(StandaloneSettings.of(dataDir, adminPort), null);
        token = Files.readString(dataDir.resolve("admin-token")).strip();
        put("/proxy-servers/web", """
                {"host":"127.0.0.1","port":%d,
                 "plugins":{"requestId":{},"rateLimit":{"requests":1,"periodSeconds":3600}}}""".formatted(port));
        put("/routers/shop", """
                {"proxyServerId":"web","hosts":["shop.example.com"],
                 "plugins":{"headers":{"request":{"set":{"X-From":"router"}}}}}""");
        put("/upstreams/carts", """
                {"nodes":[{"url":"http://10.255.0.1:8080/base","weight":3},{"url":"http://10.255.0.2","down":true}]}""");
        put("/proxy-passes/to-carts", """
                {"upstreamId":"carts","stripPrefix":"/api","requestHeaders":{"set":{"X-Pass":"yes"}}}""");
        put("/proxy-passes/gone", "{\"fixedResponse\":{\"status\":410}}");
        put("/routes/carts", route("/api/carts/*", "to-carts", ",\"methods\":[\"GET\"]"));
        put("/routes/any", route("/*", "gone", ",\"priority\":-1"));
        put(
                "/routes/admin",
                route("/api/carts/*", "gone", ",\"priority\":5,\"headers\":[{\"name\":\"X-Admin\",\"value\":\"1\"}]"));
        put("/routes/off", route("/api/carts/7", "gone", ",\"enabled\":false"));
    }

    @AfterAll
    void stop() {
        standalone.close();
    }

    private static String route(String path, String pass, String more) {
        return "{\"routerId\":\"shop\",\"path\":\"" + path + "\",\"proxyPassId\":\"" + pass + "\"" + more + "}";
    }

    @Test
    void theRouteItsRivalsItsFiltersAndTheRequestAsANodeWouldGetItAreTold() throws Exception {
        JsonNode result = test("""
                {"url":"http://shop.example.com:%d/api/carts/7?x=1","clientAddress":"203.0.113.9",
                 "headers":[{"name":"Accept","value":"*/*"},{"name":"Connection","value":"close"}]}""".formatted(port));

        assertThat(result.path("outcome").asText()).isEqualTo("FORWARDED");
        assertThat(result.path("proxyServerId").asText()).isEqualTo("web");
        assertThat(result.path("routerId").asText()).isEqualTo("shop");
        assertThat(result.path("routeId").asText()).isEqualTo("carts");
        assertThat(result.path("proxyPassId").asText()).isEqualTo("to-carts");
        assertThat(result.path("losers"))
                .extracting(loser -> loser.path("routeId").asText())
                .containsExactly("off", "admin", "any");
        assertThat(reasons(result, "off")).containsExactly("DISABLED");
        assertThat(reasons(result, "admin")).containsExactly("HEADER");
        assertThat(reasons(result, "any")).containsExactly("LOWER_PRIORITY");
        assertThat(result.path("filters"))
                .extracting(filter -> filter.path("plugin").asText() + " "
                        + filter.path("effect").asText() + " "
                        + filter.path("origins").path(0).asText())
                .containsExactly(
                        "requestId PASSES /proxyServers/web",
                        "rateLimit NOT_TRIED /proxyServers/web",
                        "headers PASSES /routers/shop");
        JsonNode request = result.path("request");
        assertThat(request.path("path").asText()).isEqualTo("/carts/7");
        assertThat(request.path("query").asText()).isEqualTo("x=1");
        assertThat(request.path("headers"))
                .extracting(field -> field.path("name").asText().toLowerCase(java.util.Locale.ROOT) + "="
                        + field.path("value").asText())
                .contains(
                        "accept=*/*",
                        "x-from=router",
                        "x-pass=yes",
                        "x-forwarded-for=203.0.113.9",
                        "x-forwarded-proto=http")
                .noneMatch(field -> field.startsWith("connection="));
        JsonNode nodes = result.path("upstreams").path(0).path("nodes");
        assertThat(nodes)
                .extracting(node ->
                        node.path("state").asText() + " " + node.path("usable").asText() + " "
                                + node.path("weight").asText() + " "
                                + node.path("target").asText())
                .containsExactly("UNKNOWN true 3 /base/carts/7?x=1", "DOWN false 1 /carts/7?x=1");
    }

    @Test
    void nothingIsCountedLimitedOrLogged() throws Exception {
        String body = "{\"url\":\"/elsewhere\",\"host\":\"shop.example.com\",\"proxyServerId\":\"web\"}";
        for (int i = 0; i < 3; i++) {
            assertThat(test(body).path("status").asInt()).isEqualTo(410);
        }

        HttpResponse<String> first = http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/elsewhere"))
                        .build(),
                BodyHandlers.ofString());

        // Another host: no route takes it, and the one request that the limit allows is still there.
        assertThat(first.statusCode()).isEqualTo(404);
    }

    @Test
    void whatNoRouteTakesSaysWhy() throws Exception {
        JsonNode other = test("{\"url\":\"http://example.org:" + port + "/api/carts/7\"}");
        assertThat(other.path("outcome").asText()).isEqualTo("REFUSED");
        assertThat(other.path("status").asInt()).isEqualTo(404);
        assertThat(reasons(other, "carts")).containsExactly("HOST");

        JsonNode scheme = test("{\"url\":\"https://shop.example.com/\"}");
        assertThat(scheme.path("outcome").asText()).isEqualTo("REFUSED");
        assertThat(scheme.path("detail").asText()).contains("HTTPS");
        assertThat(scheme.has("proxyServerId")).isFalse();

        JsonNode broken = test("{\"url\":\"/a/%zz\",\"host\":\"shop.example.com\"}");
        assertThat(broken.path("status").asInt()).isEqualTo(400);

        JsonNode limited = test("{\"url\":\"/api/carts/7\",\"host\":\"example.org\",\"losersMax\":1}");
        assertThat(limited.path("losers")).hasSize(1);
        assertThat(limited.path("furtherLosers").asInt()).isPositive();
    }

    @Test
    void anotherRevisionIsCompiledForTheTestAlone() throws Exception {
        put("/routes/moving", route("/here/*", "to-carts", ""));
        long before = revision();
        put("/routes/moving", route("/moved/*", "to-carts", ""));
        String body = "{\"url\":\"/here/1\",\"host\":\"shop.example.com\",\"revision\":" + before + "}";

        JsonNode then = test(body);
        JsonNode now = test("{\"url\":\"/here/1\",\"host\":\"shop.example.com\",\"revision\":" + revision() + "}");

        assertThat(then.path("routeId").asText()).isEqualTo("moving");
        assertThat(then.path("revision").asLong()).isEqualTo(before);
        assertThat(now.path("routeId").asText()).isEqualTo("any");
        assertThat(test("{\"url\":\"/moved/1\",\"host\":\"shop.example.com\"}")
                        .path("routeId")
                        .asText())
                .isEqualTo("moving");
    }

    @Test
    void aDraftIsCompiledForTheTestAlone() throws Exception {
        long before = revision();
        String draft = "{\"url\":\"/drafted/1\",\"host\":\"shop.example.com\",\"operations\":["
                + "{\"action\":\"PUT\",\"kind\":\"PROXY_PASS\",\"id\":\"drafted\",\"body\":{\"fixedResponse\":{\"status\":418}}},"
                + "{\"action\":\"PUT\",\"kind\":\"ROUTE\",\"id\":\"drafted\",\"body\":"
                + route("/drafted/*", "drafted", "")
                + "}]}";

        JsonNode result = test(draft);
        JsonNode deleted = test("{\"url\":\"/api/carts/7\",\"host\":\"shop.example.com\",\"operations\":["
                + "{\"action\":\"DELETE\",\"kind\":\"ROUTE\",\"id\":\"carts\"}]}");
        JsonNode patched = test("{\"url\":\"/api/carts/7\",\"host\":\"shop.example.com\",\"operations\":["
                + "{\"action\":\"PATCH\",\"kind\":\"ROUTE\",\"id\":\"off\",\"body\":{\"enabled\":true}}]}");

        assertThat(result.path("routeId").asText()).isEqualTo("drafted");
        assertThat(result.path("status").asInt()).isEqualTo(418);
        assertThat(result.path("revision").asLong()).isEqualTo(before);
        assertThat(deleted.path("routeId").asText()).isEqualTo("any");
        assertThat(patched.path("routeId").asText()).isEqualTo("off");
        assertThat(revision()).isEqualTo(before);
        assertThat(test("{\"url\":\"/drafted/1\",\"host\":\"shop.example.com\"}")
                        .path("routeId")
                        .asText())
                .isEqualTo("any");
    }

    @Test
    void whatIsWrongWithADraftIsToldAsOfABatch() throws Exception {
        String request = "{\"url\":\"/a\",\"host\":\"shop.example.com\",\"operations\":[%s]%s}";
        String lost =
                "{\"action\":\"PUT\",\"kind\":\"ROUTE\",\"id\":\"lost\",\"body\":" + route("/x", "nowhere", "") + "}";
        String missing = "{\"action\":\"DELETE\",\"kind\":\"ROUTE\",\"id\":\"missing\"}";
        // Only a gateway can say that it has no such file.
        String unreadable =
                "{\"action\":\"PUT\",\"kind\":\"PROXY_SERVER\",\"id\":\"files\",\"body\":{\"host\":\"127.0.0.1\","
                        + "\"port\":1,\"tls\":{\"certPath\":\"/nowhere.pem\",\"keyPath\":\"/nowhere.key\"}}}";

        assertThat(refused(request.formatted(lost, ""), 422)).isEqualTo("/operations/0/body/proxyPassId");
        assertThat(refused(request.formatted(missing, ""), 404)).isEqualTo("/operations/0/id");
        assertThat(refused(request.formatted(unreadable, ""), 422)).startsWith("/operations/0/body/tls");
        assertThat(refused(request.formatted(missing, ",\"revision\":1"), 422)).isEqualTo("/revision");
        assertThat(refused(request.formatted("", ""), 422)).isEqualTo("/operations");
        assertThat(refused(request.formatted(missing + "," + missing, ""), 422)).isEqualTo("/operations/1/id");
    }

    private String refused(String body, int status) throws Exception {
        HttpResponse<String> answer = post(body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        return Json.read(answer.body(), JsonNode.class).at("/errors/0/pointer").asText();
    }

    @Test
    void aDraftTakesAnEditor() throws Exception {
        String viewer = Json.read(
                        http.send(
                                        request("/tokens")
                                                .POST(HttpRequest.BodyPublishers.ofString(
                                                        "{\"name\":\"looker\",\"role\":\"VIEWER\"}"))
                                                .build(),
                                        BodyHandlers.ofString())
                                .body(),
                        JsonNode.class)
                .path("token")
                .asText();
        String plain = "{\"url\":\"/api/carts/7\",\"host\":\"shop.example.com\"%s}";
        String operations = ",\"operations\":[{\"action\":\"DELETE\",\"kind\":\"ROUTE\",\"id\":\"carts\"}]";

        assertThat(statusFor(viewer, plain.formatted(""))).isEqualTo(200);
        assertThat(statusFor(viewer, plain.formatted(operations))).isEqualTo(403);
    }

    private int statusFor(String credentials, String body) throws Exception {
        HttpRequest asked = HttpRequest.newBuilder(URI.create(base + "/route-tests"))
                .header("Authorization", "Bearer " + credentials)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return http.send(asked, BodyHandlers.ofString()).statusCode();
    }

    private static Stream<List<String>> wrong() {
        return Stream.of(
                List.of("{}", "/url", "absent"),
                List.of("{\"url\":\"ftp://a/\"}", "/url", "ftp"),
                List.of("{\"url\":\"/a\"}", "/host", "absent"),
                List.of("{\"url\":\"/a\",\"host\":\"a\",\"clientAddress\":\"nowhere\"}", "/clientAddress", "nowhere"),
                List.of("{\"url\":\"/a\",\"host\":\"a\",\"method\":\"G T\"}", "/method", "G T"),
                List.of("{\"url\":\"/a\",\"host\":\"a\",\"revision\":99999}", "/revision", "99999"),
                List.of("{\"url\":\"/a\",\"host\":\"a\",\"gatewayId\":\"nobody\"}", "/gatewayId", "nobody"),
                List.of("{\"url\":\"/a\",\"host\":\"a\",\"losersMax\":51}", "/losersMax", "51"),
                List.of(
                        "{\"url\":\"/a\",\"host\":\"a\",\"headers\":[{\"name\":\"a b\",\"value\":\"\"}]}",
                        "/headers/0/name",
                        "a b"),
                List.of("{\"url\":\"/a\",\"host\":\"a\",\"more\":1}", "/more", "unknown field"));
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void whatMakesNoSenseIsRefusedWithItsPlace(List<String> row) throws Exception {
        HttpResponse<String> answer = post(row.get(0));

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(422);
        JsonNode error = Json.read(answer.body(), JsonNode.class).path("errors").path(0);
        assertThat(error.path("pointer").asText()).isEqualTo(row.get(1));
        assertThat(error.path("detail").asText()).contains(row.get(2), "expected: ");
    }

    private static List<String> reasons(JsonNode result, String route) {
        Predicate<JsonNode> wanted = loser -> loser.path("routeId").asText().equals(route);
        return StreamSupport.stream(result.path("losers").spliterator(), false)
                .filter(wanted)
                .flatMap(loser -> StreamSupport.stream(loser.path("reasons").spliterator(), false))
                .map(reason -> reason.path("kind").asText())
                .toList();
    }

    private JsonNode test(String body) throws Exception {
        HttpResponse<String> answer = post(body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return Json.read(answer.body(), JsonNode.class);
    }

    private HttpResponse<String> post(String body) throws IOException, InterruptedException {
        return http.send(
                request("/route-tests")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private long revision() throws Exception {
        return Json.read(
                        http.send(request("/config").build(), BodyHandlers.ofString())
                                .body(),
                        JsonNode.class)
                .path("revision")
                .asLong();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(base + path))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .timeout(Duration.ofSeconds(TimeUnit.MINUTES.toSeconds(1)));
    }

    private void put(String path, String body) throws Exception {
        HttpResponse<String> answer = http.send(
                request(path + "?wait=all")
                        .PUT(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isIn(200, 201);
    }
}
