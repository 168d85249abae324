package io.sigma.controlplane.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.sigma.controlplane.testing.AdminClient;
import io.sigma.controlplane.testing.AdminClient.Reply;
import io.sigma.controlplane.testing.TestCertificate;
import io.sigma.controlplane.testing.TestControlPlane;
import io.sigma.json.Json;
import io.sigma.snapshot.ResourceType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The reach of a token with labels through each reference. */
final class TokenReachTest {

    @RegisterExtension
    static final TestControlPlane running = new TestControlPlane();

    private static final AdminClient client = running.client();
    private static final String ID = "#/components/schemas/Id";
    private static final String MINE = "\"labels\":{\"team\":\"shop\"}";
    private static String[] token = {};

    /**
     * A write of the token.
     *
     * @param reference whose target is not theirs
     * @param own the same with a target of their own
     * @param pointer null where the reference may be made
     */
    record Reach(String reference, String path, String body, String own, String pointer) {}

    @BeforeAll
    static void prepare() {
        Reply made = client.post("/tokens", "{\"name\":\"shop\",\"role\":\"EDITOR\",\"labels\":{\"team\":\"shop\"}}");
        token = new String[] {
            "Authorization", "Bearer " + made.json().path("token").asText()
        };
        put("/certificates/theirs", certificate(""));
        put("/certificates/mine", certificate("," + MINE));
        put("/proxy-servers/theirs", "{\"port\":21001}");
        put("/proxy-servers/mine", "{\"port\":21002," + MINE + "}");
        put("/upstreams/theirs", "{\"nodes\":[{\"url\":\"http://10.0.0.1:80\"}]}");
        put("/upstreams/mine-too", "{\"nodes\":[{\"url\":\"http://10.0.0.1:80\"}]," + MINE + "}");
        put("/upstreams/mine", "{\"nodes\":[{\"url\":\"http://10.0.0.1:80\"}]," + MINE + "}");
        put("/proxy-passes/theirs", "{\"fixedResponse\":{}}");
        put("/proxy-passes/mine", "{\"fixedResponse\":{}," + MINE + "}");
        put("/proxy-passes/theirs-too", "{\"upstreamId\":\"theirs\"}");
        put("/proxy-passes/mine-too", "{\"upstreamId\":\"mine\"," + MINE + "}");
        put("/proxy-servers/bytes", "{\"port\":21004,\"protocol\":\"TCP\"," + MINE + "}");
        put("/routers/theirs", "{\"proxyServerId\":\"theirs\"}");
        put("/routers/mine", "{\"proxyServerId\":\"mine\"," + MINE + "}");
        put("/routes/guest", "{\"routerId\":\"theirs\",\"path\":\"/guest\",\"proxyPassId\":\"mine\"," + MINE + "}");
        put(
                "/routes/guarded",
                "{\"routerId\":\"theirs\",\"path\":\"/g\",\"proxyPassId\":\"theirs\",\"plugins\":{\"keyAuth\":{},"
                        + "\"acl\":{\"allowGroups\":[\"staff\"],\"allowConsumers\":[\"boss\"],\"denyGroups\":[\"guests\"]}}}");
        put("/consumers/mine", "{\"groups\":[\"guests\"]," + MINE + "}");
    }

    private static String certificate(String more) {
        return certificate("shop", more);
    }

    private static String certificate(String host, String more) {
        TestCertificate made = TestCertificate.create(host);
        String body = Json.text(Map.of("chain", made.chain(), "privateKey", made.key()));
        return body.substring(0, body.length() - 1) + more + "}";
    }

    private static void put(String path, String body) {
        Reply written = client.put(path, body);
        assertThat(written.status()).as("%s %s", path, written).isEqualTo(201);
    }

    private static String route(String router, String pass) {
        return "{\"routerId\":\"" + router + "\",\"path\":\"/x\",\"priority\":1000,\"proxyPassId\":\"" + pass + "\","
                + MINE + "}";
    }

    private static String server(String certificates) {
        return "{\"port\":21003,\"protocol\":\"HTTPS\",\"tls\":{\"certificates\":[" + certificates + "]}," + MINE + "}";
    }

    private static String split(String second) {
        return "{\"split\":{\"targets\":[{\"upstreamId\":\"mine\",\"weight\":1},{\"upstreamId\":\"" + second
                + "\",\"weight\":1}]}," + MINE + "}";
    }

    static Stream<Reach> reaches() {
        return Stream.of(
                new Reach("ROUTE.routerId", "/routes/x", route("theirs", "mine"), route("mine", "mine"), "/routerId"),
                new Reach(
                        "ROUTE.proxyPassId",
                        "/routes/x",
                        route("mine", "theirs"),
                        route("mine", "mine"),
                        "/proxyPassId"),
                new Reach(
                        "ROUTER.proxyServerId",
                        "/routers/x",
                        "{\"proxyServerId\":\"theirs\"," + MINE + "}",
                        "{\"proxyServerId\":\"mine\"," + MINE + "}",
                        "/proxyServerId"),
                new Reach(
                        "ROUTER.proxyPassId",
                        "/routers/x",
                        "{\"proxyServerId\":\"bytes\",\"proxyPassId\":\"theirs-too\"," + MINE + "}",
                        "{\"proxyServerId\":\"bytes\",\"proxyPassId\":\"mine-too\"," + MINE + "}",
                        "/proxyPassId"),
                new Reach(
                        "PROXY_SERVER.certificates",
                        "/proxy-servers/x",
                        server("\"mine\",\"theirs\""),
                        server("\"mine\""),
                        "/tls/certificates/1"),
                new Reach(
                        "PROXY_SERVER.certificates",
                        "/proxy-servers/x",
                        server(""),
                        server("\"mine\""),
                        "/tls/certificates"),
                new Reach(
                        "UPSTREAM.certificateId",
                        "/upstreams/x",
                        "{\"nodes\":[{\"url\":\"http://10.0.0.1:80\"}],\"tls\":{\"certificateId\":\"theirs\"}," + MINE
                                + "}",
                        "{\"nodes\":[{\"url\":\"http://10.0.0.1:80\"}],\"tls\":{\"certificateId\":\"mine\"}," + MINE
                                + "}",
                        "/tls/certificateId"),
                new Reach(
                        "PROXY_PASS.upstreamId",
                        "/proxy-passes/x",
                        "{\"upstreamId\":\"theirs\"," + MINE + "}",
                        "{\"upstreamId\":\"mine\"," + MINE + "}",
                        "/upstreamId"),
                new Reach(
                        "PROXY_PASS.upstreamId",
                        "/proxy-passes/x",
                        "{\"upstreamId\":\"mine\",\"mirror\":{\"upstreamId\":\"theirs\"}," + MINE + "}",
                        "{\"upstreamId\":\"mine\",\"mirror\":{\"upstreamId\":\"mine\"}," + MINE + "}",
                        "/mirror/upstreamId"),
                new Reach(
                        "PROXY_PASS.upstreamId",
                        "/proxy-passes/x",
                        split("theirs"),
                        split("mine-too"),
                        "/split/targets/1/upstreamId"),
                new Reach(
                        "Consumer.groups",
                        "/consumers/x",
                        "{\"groups\":[\"staff\"]," + MINE + "}",
                        "{\"groups\":[\"shoppers\"]," + MINE + "}",
                        "/groups"),
                new Reach("Consumer.id", "/consumers/boss", "{" + MINE + "}", "", "/id"),
                new Reach("Consumer.groups", "/consumers/mine", "{\"groups\":[]," + MINE + "}", "", "/groups"));
    }

    @ParameterizedTest
    @MethodSource("reaches")
    void referenceToWhatIsNotTheirsIsForbiddenOnItsField(Reach reach) {
        for (String query : List.of("", "?dryRun=true")) {
            Reply refused = client.put(reach.path() + query, reach.body(), token);
            assertThat(refused.status()).as("%s", refused).isEqualTo(403);
            assertThat(refused.pointers()).isEqualTo(reach.pointer());
        }
        if (!reach.own().isEmpty()) {
            Reply fine = client.put(reach.path(), reach.own(), token);
            assertThat(fine.status()).as("%s", fine).isIn(200, 201);
            assertThat(client.patch(reach.path(), reach.body(), token).status()).isEqualTo(403);
            assertThat(client.delete(reach.path(), token).status()).isEqualTo(200);
        }
    }

    /** Such a listener would answer with it, and with the first of all when a client asks for no name that it knows. */
    @Test
    void certificateThatAListenerOfOthersWouldPresentIsForbidden() {
        put("/proxy-servers/presents-all", "{\"port\":21009,\"protocol\":\"HTTPS\",\"tls\":{}}");
        try {
            for (String id : List.of("a-first", "mine")) {
                Reply refused = client.put("/certificates/" + id, certificate("," + MINE), token);
                assertThat(refused.status()).as("%s", refused).isEqualTo(403);
                assertThat(refused.pointers()).isEqualTo("/id");
                assertThat(refused.http().body()).contains("presents-all");
            }
            assertThat(client.patch("/proxy-servers/presents-all", "{" + MINE + "}")
                            .status())
                    .isEqualTo(200);
            assertThat(client.put("/certificates/a-first", certificate("," + MINE), token)
                            .status())
                    .isEqualTo(201);
            assertThat(client.patch(
                                    "/proxy-servers/presents-all",
                                    "{\"labels\":null,\"tls\":{\"certificates\":[\"theirs\"]}}")
                            .status())
                    .isEqualTo(200);
            assertThat(client.patch("/certificates/a-first", "{\"name\":\"A\"}", token)
                            .status())
                    .isEqualTo(200);
            assertThat(client.delete("/certificates/a-first", token).status()).isEqualTo(200);
        } finally {
            client.delete("/proxy-servers/presents-all");
        }
    }

    @Test
    void certificateOfAListenerOfOthersGainsNoName() {
        put("/certificates/guest", certificate("shop.test", "," + MINE));
        put(
                "/proxy-servers/lends",
                "{\"port\":21010,\"protocol\":\"HTTPS\",\"tls\":{\"certificates\":[\"theirs\",\"guest\"]}}");
        try {
            Reply refused = client.put("/certificates/guest", certificate("www.bank.test", "," + MINE), token);
            assertThat(refused.status()).as("%s", refused).isEqualTo(403);
            assertThat(refused.pointers()).isEqualTo("/chain");
            assertThat(refused.http().body()).contains("also for [www.bank.test]", "lends");
            Reply renewed = client.put("/certificates/guest", certificate("shop.test", "," + MINE), token);
            assertThat(renewed.status()).as("%s", renewed).isEqualTo(200);
            assertThat(client.patch("/proxy-servers/lends", "{" + MINE + "}").status())
                    .isEqualTo(200);
            assertThat(client.put("/certificates/guest", certificate("www.bank.test", "," + MINE), token)
                            .status())
                    .isEqualTo(200);
        } finally {
            client.delete("/proxy-servers/lends");
            client.delete("/certificates/guest");
        }
    }

    @Test
    void nameThatAllProxyServersWouldDropIsForbidden() {
        String server = "{\"port\":21011,\"protocol\":\"HTTPS\",\"tls\":{\"certificates\":[\"mine\"],"
                + "\"clientAuth\":\"OPTIONAL\",\"clientCa\":"
                + Json.text(TestCertificate.create("ca").chain())
                + ",\"clientSubjectHeader\":\"X-SSL-Client-S-DN\"}," + MINE + "}";
        Reply refused = client.put("/proxy-servers/subjects", server, token);
        assertThat(refused.status()).as("%s", refused).isEqualTo(403);
        assertThat(refused.pointers()).isEqualTo("/tls/clientSubjectHeader");
        put("/proxy-servers/subjects", server);
        try {
            Reply same = client.patch("/proxy-servers/subjects", "{\"name\":\"S\"}", token);
            assertThat(same.status()).as("%s", same).isEqualTo(200);
        } finally {
            client.delete("/proxy-servers/subjects");
        }
    }

    @Test
    void lineOfOnesOwnInTheLogOfTheGatewayIsForbidden() {
        String log =
                "{\"fixedResponse\":{},\"plugins\":{\"accessLog\":{\"format\":\"TEMPLATE\",\"template\":\"$status\"%s}},%s}";
        Reply refused = client.put("/proxy-passes/logs", log.formatted("", MINE), token);
        assertThat(refused.status()).as("%s", refused).isEqualTo(403);
        assertThat(refused.pointers()).isEqualTo("/plugins/accessLog/template");
        Reply own = client.put("/proxy-passes/logs", log.formatted(",\"path\":\"shop.log\"", MINE), token);
        assertThat(own.status()).as("%s", own).isEqualTo(201);
        assertThat(client.delete("/proxy-passes/logs", token).status()).isEqualTo(200);
    }

    @Test
    void consumerThatOthersKeepOutCannotBeDeleted() {
        Reply refused = client.delete("/consumers/mine", token);
        assertThat(refused.status()).as("%s", refused).isEqualTo(403);
        assertThat(refused.pointers()).isEqualTo("/groups");
        assertThat(refused.http().body()).contains("guarded");
    }

    @Test
    void everyReferenceIsTriedAndSaidInTheDocumentation() throws Exception {
        Set<String> tried = new TreeSet<>();
        reaches().forEach(reach -> tried.add(reach.reference()));
        String page = Files.readString(Path.of("../docs/access.md"));
        for (ResourceType<?> type : ResourceType.ALL) {
            for (ResourceType.Reference<?> reference : type.references()) {
                assertThat(tried).contains(type.kind() + "." + reference.field());
                // References of TLS are named without the object that holds them; the page names the field of the
                // contract.
                String kind = type.model().getSimpleName();
                assertThat(page)
                        .containsAnyOf(
                                "| `" + kind + "." + reference.field() + "` |",
                                "| `" + kind + ".tls." + reference.field() + "` |");
            }
        }
    }

    /**
     * Fields of the contract that hold ids of other resources, each with the reference that is tried here, or why it
     * needs none.
     */
    private static final Map<String, String> ID_FIELDS = Map.ofEntries(
            Map.entry("AclPlugin.allowConsumers", "of what the plugin's own resource asks for"),
            Map.entry("AclPlugin.allowGroups", "of what the plugin's own resource asks for"),
            Map.entry("AclPlugin.denyConsumers", "of what the plugin's own resource asks for"),
            Map.entry("AclPlugin.denyGroups", "of what the plugin's own resource asks for"),
            Map.entry("ClientTls.certificateId", "UPSTREAM.certificateId"),
            Map.entry("Consumer.groups", "Consumer.groups"),
            Map.entry("Mirror.upstreamId", "PROXY_PASS.upstreamId"),
            Map.entry("ProxyPass.upstreamId", "PROXY_PASS.upstreamId"),
            Map.entry("Route.proxyPassId", "ROUTE.proxyPassId"),
            Map.entry("Route.routerId", "ROUTE.routerId"),
            Map.entry("Router.proxyPassId", "ROUTER.proxyPassId"),
            Map.entry("Router.proxyServerId", "ROUTER.proxyServerId"),
            Map.entry("ServerTls.certificates", "PROXY_SERVER.certificates"),
            Map.entry("ServerTls.defaultCertificateId", "PROXY_SERVER.certificates"),
            Map.entry("SplitTarget.upstreamId", "PROXY_PASS.upstreamId"));

    /** A field that is new in the contract and names another resource needs a rule, and a try here. */
    @Test
    void everyFieldOfTheContractThatNamesAResourceHasARule() throws Exception {
        JsonNode schemas = new ObjectMapper(new YAMLFactory())
                .readTree(Path.of("../openapi/sigma-admin.yaml").toFile())
                .at("/components/schemas");
        Set<String> reached = new TreeSet<>();
        ResourceType.ALL.forEach(type -> collect(schemas, type.model().getSimpleName(), reached));
        Set<String> naming = new TreeSet<>(Set.of("Consumer.groups"));
        for (String name : reached) {
            schemas.path(name).path("properties").properties().forEach(field -> {
                boolean sounds =
                        field.getKey().matches(".*(Id|Ids)") && field.getValue().has("type");
                if (sounds || field.getValue().findValuesAsText("$ref").contains(ID)) {
                    naming.add(name + "." + field.getKey());
                }
            });
        }
        assertThat(naming).isEqualTo(new TreeSet<>(ID_FIELDS.keySet()));
        Set<String> tried = new TreeSet<>(Set.of("of what the plugin's own resource asks for"));
        reaches().forEach(reach -> tried.add(reach.reference()));
        assertThat(tried).containsAll(ID_FIELDS.values());
    }

    private static void collect(JsonNode schemas, String name, Set<String> reached) {
        if (reached.add(name)) {
            schemas.path(name)
                    .findValuesAsText("$ref")
                    .forEach(ref -> collect(schemas, ref.substring(ref.lastIndexOf('/') + 1), reached));
        }
    }

    @Test
    void routeInARouterOfOthersCanNeitherBeMovedNorChangedNorDeleted() {
        assertThat(client.patch("/routes/guest", "{\"path\":\"/*\"}", token).pointers())
                .isEqualTo("/routerId");
        assertThat(client.patch("/routes/guest", "{\"routerId\":\"mine\"}", token)
                        .pointers())
                .isEqualTo("/routerId");
        assertThat(client.delete("/routes/guest", token).pointers()).isEqualTo("/routerId");
    }

    @Test
    void soItIsInWritesOfManyResources() {
        String operation =
                "{\"action\":\"PUT\",\"kind\":\"ROUTE\",\"id\":\"b\",\"body\":" + route("theirs", "mine") + "}";
        Reply batch = client.post("/batch", "{\"operations\":[" + operation + "]}", token);
        assertThat(batch.status()).as("%s", batch).isEqualTo(403);
        assertThat(batch.pointers()).isEqualTo("/routes/b/routerId");
    }

    @Test
    void whatABatchMakesTheirsIsTheirsInIt() {
        String batch =
                "{\"operations\":[{\"action\":\"PUT\",\"kind\":\"ROUTER\",\"id\":\"new\",\"body\":{\"proxyServerId\":\"mine\","
                        + MINE + "}},{\"action\":\"PUT\",\"kind\":\"ROUTE\",\"id\":\"new\",\"body\":"
                        + route("new", "mine") + "}]}";
        Reply made = client.post("/batch", batch, token);
        assertThat(made.status()).as("%s", made).isEqualTo(200);
        String undo = "{\"operations\":[{\"action\":\"DELETE\",\"kind\":\"ROUTE\",\"id\":\"new\"},"
                + "{\"action\":\"DELETE\",\"kind\":\"ROUTER\",\"id\":\"new\"}]}";
        assertThat(client.post("/batch", undo, token).status()).isEqualTo(200);
    }

    /** What is lent is in use. */
    @Test
    void upstreamThatAnotherTeamWasLentIsDeletedOnceNothingOfTheirsNamesIt() {
        put("/upstreams/lent", "{\"nodes\":[{\"url\":\"http://10.0.0.1:80\"}]," + MINE + "}");
        client.put("/proxy-passes/borrower", "{\"upstreamId\":\"lent\"," + MINE + "}", token);
        client.patch("/upstreams/lent", "{\"labels\":{\"team\":null}}");
        Reply used = client.delete("/upstreams/lent");
        assertThat(used.status()).isEqualTo(409);
        assertThat(used.json().at("/referrers/0/id").asText()).isEqualTo("borrower");
        Reply named = client.patch("/proxy-passes/borrower", "{\"name\":\"x\"}", token);
        assertThat(named.pointers()).isEqualTo("/upstreamId");
        assertThat(client.delete("/proxy-passes/borrower", token).status()).isEqualTo(200);
        assertThat(client.delete("/upstreams/lent").status()).isEqualTo(200);
    }
}
