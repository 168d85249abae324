package io.sigma.controlplane.api.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.testing.AdminClient;
import io.sigma.controlplane.testing.AdminClient.Reply;
import io.sigma.controlplane.testing.TestCertificate;
import io.sigma.controlplane.testing.TestControlPlane;
import io.sigma.json.Json;
import io.sigma.model.Kind;
import io.sigma.snapshot.ResourceType;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rules that hold for every kind of resource. */
final class ResourceApiTest {

    private static final TestCertificate CERTIFICATE = TestCertificate.create("base");

    /** A body of each kind that needs only what {@link #start} makes. */
    private static final Map<Kind, String> BODIES = Map.of(
            Kind.CERTIFICATE,
            Json.text(Map.of("chain", CERTIFICATE.chain(), "privateKey", CERTIFICATE.key())),
            Kind.PROXY_SERVER,
            "{'port':8081,'enabled':false,'protocol':'HTTPS','tls':{'certificates':['base']}}",
            Kind.UPSTREAM,
            "{'nodes':[{'url':'https://10.0.0.1'}],'tls':{'certificateId':'base'}}",
            Kind.PROXY_PASS,
            "{'upstreamId':'base'}",
            Kind.ROUTER,
            "{'proxyServerId':'base'}",
            Kind.ROUTE,
            "{'routerId':'base','path':'/a/*','proxyPassId':'base'}",
            Kind.CONSUMER,
            "{'groups':['mobile']}");

    @RegisterExtension
    static final TestControlPlane running = new TestControlPlane("adminBodyBytesMax", "100000");

    private static final AdminClient client = running.client();

    @BeforeAll
    static void start() {
        put("/certificates/base", BODIES.getOrDefault(Kind.CERTIFICATE, ""));
        put("/proxy-servers/base", "{'port':8080,'protocol':'HTTPS','tls':{'certificates':['base']}}");
        put("/upstreams/base", "{'nodes':[{'url':'http://10.0.0.1:8888'}]}");
        put("/proxy-passes/base", "{'upstreamId':'base'}");
        put("/routers/base", "{'proxyServerId':'base'}");
        put("/routes/base", "{'routerId':'base','path':'/base','proxyPassId':'base'}");
    }

    static List<ResourceType<?>> types() {
        return ResourceType.ALL;
    }

    @ParameterizedTest
    @MethodSource("types")
    void livesFromCreationToDeletion(ResourceType<?> type) {
        String path = "/" + type.path() + "/life";
        Reply created = client.put(path, body(type));
        assertThat(created.status()).as("%s", created).isEqualTo(201);
        assertThat(created.header("Location")).isEqualTo("/api/v1" + path);
        assertThat(created.json().at("/resource/id").asText()).isEqualTo("life");
        assertThat(created.json().at("/revision/changed").asBoolean()).isTrue();
        long revision = created.json().at("/revision/number").asLong();

        Reply same = client.put(path, body(type));
        assertThat(same.status()).isEqualTo(200);
        assertThat(same.json().at("/revision/changed").asBoolean()).isFalse();
        assertThat(same.json().at("/revision/number").asLong()).isEqualTo(revision);
        assertThat(same.header("ETag")).isEqualTo(created.header("ETag"));
        assertThat(same.header("Location")).isEmpty();

        Reply shown = client.get(path);
        assertThat(shown.status()).isEqualTo(200);
        assertThat(shown.json()).isEqualTo(created.json().path("resource"));
        assertThat(shown.header("ETag")).isEqualTo(created.header("ETag")).startsWith("\"");

        Reply patched = client.patch(path, "{\"name\":\"Life\",\"labels\":{\"a\":\"1\",\"b\":\"2\"}}");
        assertThat(patched.status()).isEqualTo(200);
        assertThat(patched.json().at("/revision/number").asLong()).isEqualTo(revision + 1);
        assertThat(patched.header("ETag")).isNotEqualTo(created.header("ETag"));
        Reply unpatched = client.patch(
                path,
                "{\"name\":null,\"labels\":{\"a\":null}}",
                "If-Match",
                patched.header("ETag"),
                "Content-Type",
                "application/merge-patch+json; charset=utf-8");
        assertThat(unpatched.status()).as("%s", unpatched).isEqualTo(200);
        assertThat(unpatched.json().path("resource").has("name")).isFalse();
        assertThat(unpatched.json().at("/resource/labels").toString()).isEqualTo("{\"b\":\"2\"}");

        Reply deleted = client.delete(path, "If-Match", unpatched.header("ETag"));
        assertThat(deleted.status()).as("%s", deleted).isEqualTo(200);
        assertThat(deleted.json().at("/revision/number").asLong()).isEqualTo(revision + 3);
        assertThat(client.get(path).status()).isEqualTo(404);
    }

    @ParameterizedTest
    @MethodSource("types")
    void preconditionsAreHonoured(ResourceType<?> type) {
        String path = "/" + type.path() + "/conditional";
        assertThat(client.put(path, body(type), "If-Match", "*").status()).isEqualTo(412);
        assertThat(client.put(path, body(type), "If-Match", "\"1-0\"").status()).isEqualTo(412);
        String tag = client.put(path, body(type)).header("ETag");

        for (String stale : List.of("\"1-0\"", "W/" + tag, "\"1-0\", W/" + tag)) {
            for (Reply refused : List.of(
                    client.put(path, body(type), "If-Match", stale),
                    client.patch(path, "{\"name\":\"x\"}", "If-Match", stale),
                    client.delete(path, "If-Match", stale))) {
                assertThat(refused.status()).as("%s: %s", stale, refused).isEqualTo(412);
                assertThat(refused.header("ETag")).isEqualTo(tag);
                assertThat(refused.header("Content-Type")).isEqualTo("application/problem+json");
            }
        }
        for (String good : List.of(tag, "*", "\"1-0\" , " + tag)) {
            assertThat(client.put(path, body(type), "If-Match", good).status()).isEqualTo(200);
        }
        Reply malformed = client.put(path, body(type), "If-Match", "42");
        assertThat(malformed.status()).isEqualTo(400);
        assertThat(malformed.json().path("detail").asText()).contains("42 (expected:");
        assertThat(client.delete(path, "If-Match", tag).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @MethodSource("types")
    void postPicksAnIdOrKeepsTheGivenOne(ResourceType<?> type) {
        Reply picked = client.post("/" + type.path(), body(type));
        assertThat(picked.status()).as("%s", picked).isEqualTo(201);
        String id = picked.json().at("/resource/id").asText();
        assertThat(id).matches(type.label().replace(' ', '-') + "-[a-z0-9]{8}");
        assertThat(picked.header("Location")).isEqualTo("/api/v1/" + type.path() + "/" + id);
        assertThat(client.get("/" + type.path() + "/" + id).status()).isEqualTo(200);

        Reply taken = client.post("/" + type.path(), withId(type, id));
        assertThat(taken.status()).isEqualTo(409);
        assertThat(taken.json().path("detail").asText()).contains("\"" + id + "\"");
        assertThat(client.post("/" + type.path(), withId(type, "given." + type.path()))
                        .status())
                .isEqualTo(201);
    }

    @ParameterizedTest
    @MethodSource("types")
    void invalidBodiesAreRefusedWithPointers(ResourceType<?> type) {
        String path = "/" + type.path() + "/invalid";
        assertThat(client.put(path, withField(type, "surprise")).pointers()).isEqualTo("/surprise");
        assertThat(client.put(path, withField(type, "surprise")).status()).isEqualTo(422);
        Reply otherId = client.put(path, withId(type, "other"));
        assertThat(otherId.status()).isEqualTo(422);
        assertThat(otherId.pointers()).isEqualTo("/id");
        Reply nul = client.put(path, body(type).replaceFirst("\\{", "{\"description\":\"a\\\\u0000b\","));
        assertThat(nul.status()).as("%s", nul).isEqualTo(422);
        assertThat(nul.pointers()).isEqualTo("/description");
        for (String hidden : new String[] {"\\\\n", "\\\\u001b", "\\\\u0085", "\\\\u202e", "\\\\u2066"}) {
            Reply label = client.put(path, body(type).replaceFirst("\\{", "{\"labels\":{\"k\":\"a" + hidden + "b\"},"));
            assertThat(label.pointers()).as(hidden).isEqualTo("/labels/k");
        }
        Reply half = client.put(path, body(type).replaceFirst("\\{", "{\"labels\":{\"k\":\"\\\\ud800\"},"));
        assertThat(half.pointers()).isEqualTo("/labels/k");
        assertThat(client.get(path).status()).isEqualTo(404);

        client.put(path, body(type));
        Reply patched = client.patch(path, "{\"name\":1,\"surprise\":{}}");
        assertThat(patched.status()).isEqualTo(422);
        assertThat(patched.pointers()).isEqualTo("/name /surprise");
        assertThat(client.patch(path, "{\"id\":\"other\"}").pointers()).isEqualTo("/id");
    }

    @ParameterizedTest
    @MethodSource("types")
    void malformedRequestsAreRefused(ResourceType<?> type) {
        String path = "/" + type.path() + "/malformed";
        for (String bad : List.of("{", "{} {}", "{\"a\":1,\"a\":2}", "nope", "[".repeat(2000))) {
            assertThat(client.put(path, bad).status()).as(bad).isEqualTo(400);
        }
        assertThat(client.put(path, "").status()).isEqualTo(400);
        assertThat(client.put(path, "[]").status()).isEqualTo(422);
        assertThat(client.put(path, body(type), "Content-Type", "text/plain").status())
                .isEqualTo(415);
        assertThat(client.put(path, body(type), "Content-Type", "application/jsonp")
                        .status())
                .isEqualTo(415);
        assertThat(client.put(path, body(type), "Content-Type", "application/merge-patch+json")
                        .status())
                .isEqualTo(415);
        assertThat(client.put(path, body(type), "Content-Type", "application/json; charset=iso-8859-1")
                        .status())
                .isEqualTo(415);
        assertThat(client.put(path + "?dryRun=true", body(type), "Content-Type", "application/json;charset=\"UTF-8\"")
                        .status())
                .isNotEqualTo(415);
        assertThat(client.put(path, body(type), "Content-Encoding", "gzip").status())
                .isEqualTo(415);
        Reply large = client.put(path, body(type) + " ".repeat(100_000));
        assertThat(large.status()).isEqualTo(413);
        assertThat(large.header("Content-Type")).isEqualTo("application/problem+json");
        Reply method = client.post(path, body(type));
        assertThat(method.status()).isEqualTo(405);
        assertThat(method.header("Allow")).isEqualTo("DELETE, GET, HEAD, PATCH, PUT");
        assertThat(client.get("/" + type.path() + "/no%2Fid").status()).isEqualTo(400);
        assertThat(client.put(path + "?wait=some", body(type)).status()).isEqualTo(400);
        assertThat(client.put(path + "?timeout=61s", body(type)).status()).isEqualTo(400);
        assertThat(client.put(path + "?surprise=1", body(type)).status()).isEqualTo(400);
        assertThat(client.get(path).status()).isEqualTo(404);
    }

    @ParameterizedTest
    @MethodSource("types")
    void whatIsMissingIsNotFound(ResourceType<?> type) {
        String path = "/" + type.path() + "/missing";
        for (Reply missing : List.of(client.get(path), client.patch(path, "{}"), client.delete(path))) {
            assertThat(missing.status()).isEqualTo(404);
            assertThat(missing.json().path("detail").asText()).contains("\"missing\"");
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void referencesToNothingAreRefused(ResourceType<?> type) {
        for (ResourceType.Reference<?> reference : references(type)) {
            String body = body(type)
                    .replace("\"" + reference.field() + "\":\"base\"", "\"" + reference.field() + "\":\"nowhere\"")
                    .replace("\"" + reference.field() + "\":[\"base\"]", "\"" + reference.field() + "\":[\"nowhere\"]");
            Reply refused = client.put("/" + type.path() + "/dangling", body);
            assertThat(refused.status()).isEqualTo(422);
            String pointer = switch (reference.field()) {
                case "certificates" -> "/tls/certificates/0";
                case "certificateId" -> "/tls/certificateId";
                default -> "/" + reference.field();
            };
            assertThat(refused.pointers()).isEqualTo(pointer);
            assertThat(refused.json().at("/errors/0/detail").asText())
                    .isEqualTo("\"nowhere\" (expected: the id of an existing "
                            + ResourceType.of(reference.target()).label() + ")");
        }
        assertThat(client.get("/" + type.path() + "/dangling").status()).isEqualTo(404);
    }

    @ParameterizedTest
    @MethodSource("types")
    void whatIsReferredToCannotBeDeleted(ResourceType<?> type) {
        Reply refused = client.delete("/" + type.path() + "/base");
        if (type == ResourceType.ROUTE) {
            assertThat(refused.status()).isEqualTo(200);
            put("/routes/base", "{'routerId':'base','path':'/base','proxyPassId':'base'}");
            return;
        }
        if (type == ResourceType.CONSUMER) {
            // Nothing refers to consumers: lists of control name ids that need not exist.
            assertThat(refused.status()).isEqualTo(404);
            return;
        }
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.json().path("referrers").findValuesAsText("id")).contains("base");
        assertThat(client.get("/" + type.path() + "/base").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @MethodSource("types")
    void listsComeInPagesInTheOrderOfIds(ResourceType<?> type) {
        for (String id : List.of("page-b", "page-A", "page-a", "page-_", "page-1")) {
            assertThat(client.put("/" + type.path() + "/" + id, body(type)).status())
                    .isIn(200, 201);
        }
        client.patch("/" + type.path() + "/page-1", "{\"name\":\"100% PAGE-zero\"}");
        Reply first = client.get("/" + type.path() + "?limit=2&name=PAGE-");
        assertThat(ids(first)).containsExactly("page-1", "page-A");
        String cursor = first.json().path("nextCursor").asText();
        Reply second = client.get("/" + type.path() + "?limit=2&name=page-&cursor=" + cursor);
        assertThat(ids(second)).containsExactly("page-_", "page-a");
        Reply third = client.get("/" + type.path() + "?limit=2&name=page-&cursor="
                + second.json().path("nextCursor").asText());
        assertThat(ids(third)).containsExactly("page-b");
        assertThat(third.json().has("nextCursor")).isFalse();
        assertThat(ids(client.get("/" + type.path() + "?name=100%25%20page"))).containsExactly("page-1");
        assertThat(client.get("/" + type.path() + "?cursor=*").status()).isEqualTo(400);
        assertThat(client.get("/" + type.path() + "?cursor=IA").status()).isEqualTo(400);
        assertThat(client.get("/" + type.path() + "?limit=1001").status()).isEqualTo(400);
        assertThat(client.get("/" + type.path() + "?limit=1&limit=2").status()).isEqualTo(400);
        for (ResourceType.Reference<?> reference : references(type)) {
            assertThat(ids(client.get("/" + type.path() + "?name=page-&" + reference.field() + "=base")))
                    .hasSize(5);
            assertThat(ids(client.get("/" + type.path() + "?" + reference.field() + "=other")))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void listsAreSearched(ResourceType<?> type) {
        for (String id : List.of("sought-1", "sought-2", "sought-3", "other")) {
            client.put("/" + type.path() + "/" + id, body(type));
        }
        client.patch("/" + type.path() + "/sought-2", "{\"labels\":{\"team\":\"Night Shift\"}}");
        String list = "/" + type.path();
        Reply first = client.get(list + "?limit=2&q=SOUGHT-");
        assertThat(ids(first)).containsExactly("sought-1", "sought-2");
        assertThat(ids(client.get(list + "?limit=2&q=SOUGHT-&cursor="
                        + first.json().path("nextCursor").asText())))
                .containsExactly("sought-3");
        assertThat(ids(client.get(list + "?q=label:team=night%20sought"))).containsExactly("sought-2");
        assertThat(ids(client.get(list + "?q=nothing-like-it"))).isEmpty();
        assertThat(client.get(list + "?q=a&name=b").status()).isEqualTo(400);
        Reply ordered = client.get(list + "?q=sought-&sort=-id&offset=1&limit=1");
        assertThat(ids(ordered)).containsExactly("sought-2");
        assertThat(ordered.json().path("total").asInt()).isEqualTo(3);
        assertThat(ordered.json().has("nextCursor")).isFalse();
        assertThat(ids(client.get(list + "?ids=sought-3,gone,sought-1"))).containsExactly("sought-1", "sought-3");
        assertThat(client.get(list + "?sort=nothing").status()).isEqualTo(400);
        assertThat(client.get(list + "?sort=id&cursor=YQ").status()).isEqualTo(400);
        assertThat(client.get(list + "?ids=a&name=b").status()).isEqualTo(400);
        assertThat(client.get(list + "?ids=a,,b").status()).isEqualTo(400);
        assertThat(client.get(list + "?q=").status()).isEqualTo(400);
        for (ResourceType.Reference<?> reference : references(type)) {
            assertThat(ids(client.get(list + "?q=sought-&" + reference.field() + "=base")))
                    .hasSize(3);
            assertThat(ids(client.get(list + "?q=sought-&" + reference.field() + "=other")))
                    .isEmpty();
        }
        Reply everywhere = client.get("/search?q=sought-2");
        assertThat(everywhere.status()).isEqualTo(200);
        assertThat(everywhere.json().path("items"))
                .anySatisfy(hit -> assertThat(
                                hit.path("kind").asText() + " " + hit.path("id").asText())
                        .isEqualTo(type.kind() + " sought-2"));
        client.delete(list + "/sought-2");
        assertThat(ids(client.get(list + "?q=sought-2"))).isEmpty();
    }

    @Test
    void aSearchAsksForWords() {
        assertThat(client.get("/search").status()).isEqualTo(400);
        assertThat(client.get("/search?q=a&limit=0").status()).isEqualTo(400);
        assertThat(client.get("/search?q=%20").status()).isEqualTo(400);
        assertThat(client.get("/routes?q=%20").status()).isEqualTo(400);
    }

    private static List<String> ids(Reply list) {
        assertThat(list.status()).as("%s", list).isEqualTo(200);
        return list.json().path("items").findValuesAsText("id");
    }

    private static void put(String path, String body) {
        Reply reply = client.put(path, body.replace('\'', '"'));
        assertThat(reply.status()).as("%s", reply).isIn(200, 201);
    }

    private static String body(ResourceType<?> type) {
        return BODIES.getOrDefault(type.kind(), "").replace('\'', '"');
    }

    /** Returns the references of the body. A router of HTTP names no proxy pass; StreamApiTest has those that do. */
    private static List<? extends ResourceType.Reference<?>> references(ResourceType<?> type) {
        return type.references().stream()
                .filter(reference -> body(type).contains("\"" + reference.field() + "\":"))
                .toList();
    }

    private static String withId(ResourceType<?> type, String id) {
        return body(type).replaceFirst("\\{", "{\"id\":\"" + id + "\",");
    }

    private static String withField(ResourceType<?> type, String field) {
        return body(type).replaceFirst("\\{", "{\"" + field + "\":1,");
    }
}
