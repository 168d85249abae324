package io.sigma.controlplane.api;

import static org.assertj.core.api.Assertions.assertThat;

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

/** What a token that is limited to a label reaches through each reference. */
final class TokenReachTest {

    @RegisterExtension
    static final TestControlPlane running = new TestControlPlane();

    private static final AdminClient client = running.client();
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
        put(
                "/upstreams/theirs-keyed",
                "{\"nodes\":[{\"url\":\"http://10.0.0.1:80\"}],\"tls\":{\"certificateId\":\"theirs\"}}");
        put("/upstreams/mine", "{\"nodes\":[{\"url\":\"http://10.0.0.1:80\"}]," + MINE + "}");
        put("/proxy-passes/theirs", "{\"fixedResponse\":{}}");
        put("/proxy-passes/mine", "{\"fixedResponse\":{}," + MINE + "}");
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
        TestCertificate made = TestCertificate.create("shop");
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
                        "{\"upstreamId\":\"theirs-keyed\"," + MINE + "}",
                        "{\"upstreamId\":\"theirs\"," + MINE + "}",
                        "/upstreamId"),
                new Reach(
                        "PROXY_PASS.upstreamId",
                        "/proxy-passes/x",
                        "{\"upstreamId\":\"mine\",\"mirror\":{\"upstreamId\":\"theirs-keyed\"}," + MINE + "}",
                        "{\"upstreamId\":\"mine\",\"mirror\":{\"upstreamId\":\"theirs\"}," + MINE + "}",
                        "/mirror/upstreamId"),
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

    @Test
    void everyReferenceIsTriedAndSaidInTheDocumentation() throws Exception {
        Set<String> tried = new TreeSet<>();
        reaches().forEach(reach -> tried.add(reach.reference()));
        String page = Files.readString(Path.of("../docs/access.md"));
        for (ResourceType<?> type : ResourceType.ALL) {
            for (ResourceType.Reference<?> reference : type.references()) {
                assertThat(tried).contains(type.kind() + "." + reference.field());
                assertThat(page).contains("| `" + type.model().getSimpleName() + "." + reference.field() + "` |");
            }
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
}
