package io.sigma.controlplane.api.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.testing.AdminClient;
import io.sigma.controlplane.testing.AdminClient.Reply;
import io.sigma.controlplane.testing.TestControlPlane;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Refusals of TCP and TLS proxy servers, their routers and proxy passes, whichever of them is written. */
final class StreamApiTest {

    @RegisterExtension
    static final TestControlPlane running = new TestControlPlane();

    private static final AdminClient client = running.client();

    @BeforeAll
    static void prepare() {
        put("/upstreams/mail", "{\"nodes\":[{\"url\":\"http://10.0.0.1:25\"}]}");
        put("/proxy-passes/to-mail", "{\"upstreamId\":\"mail\"}");
        put("/proxy-passes/closed", "{\"fixedResponse\":{}}");
        put("/proxy-servers/tls", "{\"port\":21101,\"protocol\":\"TLS\"}");
        put("/proxy-servers/http", "{\"port\":21102}");
        put("/routers/mail", router("tls", "\"match\":{\"sni\":[\"mail.example\"]},\"proxyPassId\":\"to-mail\""));
        put("/routers/web", router("http", "\"hosts\":[\"a.example\"]"));
        put("/routes/web", "{\"routerId\":\"web\",\"path\":\"/*\",\"proxyPassId\":\"to-mail\"}");
    }

    private static String router(String server, String fields) {
        return "{\"proxyServerId\":\"" + server + "\"," + fields + "}";
    }

    private static void put(String path, String body) {
        Reply written = client.put(path, body);
        assertThat(written.status()).as("%s %s", path, written).isEqualTo(201);
    }

    private static void refused(String path, String body, String pointers) {
        Reply reply = client.put(path, body);
        assertThat(reply.status()).as("%s", reply).isEqualTo(422);
        assertThat(reply.pointers()).isEqualTo(pointers);
    }

    @Test
    void routerMustFitItsProxyServer() {
        refused("/routers/x", router("tls", "\"hosts\":[\"a.example\"]"), "/hosts /proxyPassId");
        refused("/routers/x", router("tls", "\"proxyPassId\":\"closed\""), "/proxyPassId");
        refused("/routers/x", router("http", "\"proxyPassId\":\"to-mail\""), "/proxyPassId");
        refused("/routers/x", router("http", "\"match\":{\"sni\":[\"a.example\"]}"), "/match");
    }

    @Test
    void proxyServerOfDatagramsHasNothingOfConnections() {
        refused("/proxy-servers/x", "{\"port\":21104,\"udp\":{}}", "/udp");
        refused("/proxy-servers/x", "{\"port\":21104,\"protocol\":\"UDP\",\"tls\":{\"certificates\":[]}}", "/tls");
        refused(
                "/proxy-servers/x",
                "{\"port\":21104,\"protocol\":\"UDP\",\"udp\":{\"idleTimeoutMillis\":1000,\"responseTimeoutMillis\":2000}}",
                "/udp/responseTimeoutMillis");
        put("/proxy-passes/to-names", "{\"upstreamId\":\"mail\"}");
        put("/proxy-servers/udp", "{\"port\":21102,\"protocol\":\"UDP\",\"udp\":{\"responsesMax\":1}}");
        refused("/routers/x", router("udp", "\"hosts\":[\"a.example\"]"), "/hosts /proxyPassId");
        refused("/routers/x", router("udp", "\"proxyPassId\":\"closed\""), "/proxyPassId");
        refused(
                "/routers/x",
                router("udp", "\"match\":{\"sni\":[\"a.example\"]},\"proxyPassId\":\"to-names\""),
                "/match/sni");
        put(
                "/routers/names",
                router("udp", "\"match\":{\"clientAddresses\":[\"10.0.0.0/8\"]},\"proxyPassId\":\"to-names\""));
    }

    @Test
    void routerThatTakesTheConnectionsOfAnotherIsRefused() {
        String same = router("tls", "\"match\":{\"sni\":[\"b.example\",\"MAIL.example\"]},\"proxyPassId\":\"to-mail\"");
        refused("/routers/a-first", same, "/match");
        assertThat(client.put("/routers/a-first", same).http().body()).contains("router \\\"mail\\\"");
        assertThat(client.put(
                                "/routers/mail?dryRun=true",
                                client.get("/routers/mail").http().body())
                        .status())
                .isEqualTo(200);
    }

    @Test
    void routeOfARouterOfBytesIsRefused() {
        refused("/routes/x", "{\"routerId\":\"mail\",\"path\":\"/*\",\"proxyPassId\":\"to-mail\"}", "/routerId");
    }

    @Test
    void routerWithRoutesCannotMoveToAProxyServerOfBytes() {
        refused("/routers/web", router("tls", "\"proxyPassId\":\"to-mail\""), "/proxyServerId");
    }

    @Test
    void proxyServerMustFitTheRoutersThatItHas() {
        refused("/proxy-servers/http", "{\"port\":21102,\"protocol\":\"TCP\"}", "/protocol /protocol");
        refused("/proxy-servers/tls", "{\"port\":21101}", "/protocol /protocol");
        refused("/proxy-servers/tls", "{\"port\":21101,\"protocol\":\"TCP\"}", "/tls");
    }

    @Test
    void proxyServerOfHttpsPassesOnlyNamesThrough() {
        put(
                "/proxy-servers/https",
                "{\"port\":21103,\"protocol\":\"HTTPS\",\"tls\":{\"certPath\":\"/a\",\"keyPath\":\"/b\"}}");
        String passes = "\"match\":{\"sni\":[\"mail.example\"]},\"proxyPassId\":\"to-mail\"";
        refused("/routers/x", router("https", "\"proxyPassId\":\"to-mail\""), "/match/sni");
        refused("/routers/x", router("https", "\"match\":{\"sni\":[\"a.example\"]}"), "/match");
        put("/routers/passes", router("https", passes));
        put("/routers/decrypts", router("https", "\"hosts\":[\"a.example\"]"));
        put("/routes/decrypts", "{\"routerId\":\"decrypts\",\"path\":\"/*\",\"proxyPassId\":\"to-mail\"}");
        refused("/routers/x", router("https", passes), "/match");
        refused("/routes/x", "{\"routerId\":\"passes\",\"path\":\"/*\",\"proxyPassId\":\"to-mail\"}", "/routerId");
        refused(
                "/routers/decrypts",
                router("https", "\"match\":{\"sni\":[\"b.example\"]},\"proxyPassId\":\"to-mail\""),
                "/proxyPassId");
        refused("/proxy-servers/https", "{\"port\":21103}", "/protocol /protocol");
        for (String path :
                new String[] {"/routes/decrypts", "/routers/decrypts", "/routers/passes", "/proxy-servers/https"}) {
            assertThat(client.delete(path).status()).as(path).isEqualTo(200);
        }
    }

    @Test
    void proxyPassMustFitTheRoutersThatNameIt() {
        refused("/proxy-passes/to-mail", "{\"upstreamId\":\"mail\",\"stripPrefix\":\"/a\"}", "/stripPrefix");
    }

    @Test
    void proxyPassThatARouterNamesCannotBeDeleted() {
        Reply reply = client.delete("/proxy-passes/to-mail");
        assertThat(reply.status()).isEqualTo(409);
        assertThat(reply.http().body()).contains("\"ROUTER\"", "\"mail\"");
    }

    @Test
    void routersAreListedByTheirProxyPass() {
        assertThat(client.get("/routers?proxyPassId=to-mail").http().body())
                .contains("\"mail\"")
                .doesNotContain("\"web\"");
    }

    @Test
    void routerOfBytesWithoutRoutesIsNoFinding() {
        assertThat(client.get("/analysis").http().body()).doesNotContain("router-without-routes");
    }
}
