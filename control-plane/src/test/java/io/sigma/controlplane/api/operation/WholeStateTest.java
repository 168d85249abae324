package io.sigma.controlplane.api.operation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.testing.AdminClient;
import io.sigma.controlplane.testing.AdminClient.Reply;
import io.sigma.controlplane.testing.TestControlPlane;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Operations on several resources: revisions, the whole state, addresses, nodes, waiting. */
final class WholeStateTest {

    @RegisterExtension
    final TestControlPlane running = new TestControlPlane("upstreamAllow", "fe80::1, metadata.test, 169.254.7.0/24");

    private final AdminClient client = running.client();

    @Test
    void revisionsTellWhatChanged() {
        client.put("/proxy-servers/web?message=for%20the%20shop%20100%25", "{\"port\":80}");
        client.patch("/proxy-servers/web", "{\"port\":81}");
        client.delete("/proxy-servers/web");
        JsonNode list = client.get("/revisions?limit=2").json();
        assertThat(list.path("items").findValuesAsText("number")).containsExactly("3", "2");
        JsonNode rest = client.get(
                        "/revisions?limit=2&cursor=" + list.path("nextCursor").asText())
                .json();
        assertThat(rest.path("items").findValuesAsText("number")).containsExactly("1");
        assertThat(rest.has("nextCursor")).isFalse();
        assertThat(rest.at("/items/0/message").asText()).isEqualTo("for the shop 100%");
        assertThat(rest.at("/items/0/author").asText()).isEqualTo("settings:admin-token");
        assertThat(rest.at("/items/0/changes").asInt()).isEqualTo(1);

        JsonNode created = client.get("/revisions/1").json().path("changes").path(0);
        assertThat(created.path("action").asText()).isEqualTo("CREATE");
        assertThat(created.has("before")).isFalse();
        assertThat(created.at("/after/port").asInt()).isEqualTo(80);
        JsonNode updated = client.get("/revisions/2").json().path("changes").path(0);
        assertThat(updated.at("/before/port").asInt()).isEqualTo(80);
        assertThat(updated.at("/after/port").asInt()).isEqualTo(81);
        JsonNode deleted = client.get("/revisions/3").json().path("changes").path(0);
        assertThat(deleted.path("action").asText()).isEqualTo("DELETE");
        assertThat(deleted.has("after")).isFalse();
        assertThat(client.get("/revisions/4").status()).isEqualTo(404);
        assertThat(client.get("/revisions/0").status()).isEqualTo(400);
        assertThat(client.get("/revisions/x").status()).isEqualTo(400);
        assertThat(client.get("/revisions?cursor=IA").status()).isEqualTo(400);
    }

    @Test
    void theWholeStateHasTheTagOfItsRevision() {
        Reply empty = client.get("/config");
        client.put("/proxy-servers/b", "{\"port\":80}");
        client.put("/proxy-servers/a", "{\"port\":81}");
        Reply config = client.get("/config");
        assertThat(config.json().path("revision").asLong()).isEqualTo(2);
        assertThat(config.json().path("proxyServers").findValuesAsText("id")).containsExactly("a", "b");
        assertThat(config.json().path("routes").isArray()).isTrue();
        assertThat(config.header("ETag")).isNotEqualTo(empty.header("ETag")).startsWith("\"2-");
        assertThat(config.json().path("stateHash"))
                .isEqualTo(client.get("/revisions/2").json().path("stateHash"));
    }

    @Test
    void twoEnabledProxyServersCannotHaveOneAddress() {
        client.put("/proxy-servers/a", "{\"port\":80,\"host\":\"127.0.0.1\"}");
        Reply clash = client.put("/proxy-servers/b", "{\"port\":80}");
        assertThat(clash.status()).isEqualTo(422);
        assertThat(clash.pointers()).isEqualTo("/port");
        assertThat(clash.json().at("/errors/0/detail").asText()).contains("\"a\"");
        assertThat(client.put("/proxy-servers/b", "{\"port\":80,\"enabled\":false}")
                        .status())
                .isEqualTo(201);
        assertThat(client.patch("/proxy-servers/b", "{\"enabled\":true}").status())
                .isEqualTo(422);
        assertThat(client.put("/proxy-servers/c", "{\"port\":80,\"host\":\"127.0.0.2\"}")
                        .status())
                .isEqualTo(201);
        assertThat(client.put("/proxy-servers/a", "{\"port\":80,\"host\":\"127.0.0.1\",\"name\":\"A\"}")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void badConditionsOfARouteAreRefusedWithTheirPointers() {
        client.put("/proxy-servers/web", "{\"port\":80}");
        client.put("/routers/shop", "{\"proxyServerId\":\"web\",\"mergeSlashes\":false}");
        client.put("/upstreams/nodes", nodes("http://10.0.0.1"));
        client.put("/proxy-passes/to-shop", "{\"upstreamId\":\"nodes\"}");
        Reply refused = client.put("/routes/beta", route("""
                "headers": [{"name": "X-A", "value": "1"}, {"name": "x_b", "present": true}],
                "queryParameters": [{"name": "q", "regex": "("}],
                "cookies": [{"name": "c", "value": "1", "present": true}],
                "clientAddresses": ["10.0.0.0/8", "10.0.0.0/40"]
                """));
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.json().at("/errors").findValuesAsText("pointer"))
                .containsExactlyInAnyOrder(
                        "/headers/1/name", "/queryParameters/0/regex", "/cookies/0", "/clientAddresses/1");
        assertThat(client.put("/routes/beta", route("""
                "headers": [{"name": "X-A", "values": "1"}]
                """)).status()).isEqualTo(422);
        assertThat(client.put("/routes/beta", route("""
                "headers": [{"name": "X-A", "value": "1"}],
                "queryParameters": [{"name": "q", "regex": "[0-9]+"}],
                "cookies": [{"name": "c", "present": false}],
                "clientAddresses": ["10.0.0.0/8"]
                """)).status()).isEqualTo(201);
    }

    private static String route(String conditions) {
        return "{\"routerId\":\"shop\",\"path\":\"/a//b\",\"proxyPassId\":\"to-shop\"," + conditions + "}";
    }

    @Test
    void nodesThatPointAtSigmaOrAtMetadataAreRefused() {
        int own = running.controlPlane().adminPort();
        int database = running.controlPlane().databasePort();
        for (String url : new String[] {
            "http://169.254.169.254/latest",
            "http://[::ffff:169.254.169.254]",
            "https://[fe80::2]:8443",
            "http://[fd00:ec2::254]",
            "http://[::169.254.169.254]",
            "http://[64:ff9b::169.254.169.254]",
            "http://[2002:a9fe:a9fe::1]",
            "http://100.100.100.200",
            "http://168.63.129.16",
            "http://192.0.0.192",
            "http://[fd20:ce::254]",
            "http://0.0.0.0:8080",
            "http://[::]:8080",
            "http://2852039166",
            "http://0251.0376.0251.0376",
            "http://0xa9fea9fe",
            "http://127.0.0.1:" + own,
            "http://localhost:" + own,
            "http://[::1]:" + database,
            "http://0.0.0.0:" + database,
            "http://[::127.0.0.1]:" + own,
            "http://[::ffff:127.0.0.1]:" + own,
        }) {
            Reply refused = client.put("/upstreams/u", nodes("http://10.0.0.1", url));
            assertThat(refused.status()).as(url).isEqualTo(422);
            assertThat(refused.pointers()).isEqualTo("/nodes/1/url");
        }
        for (String url : new String[] {
            "http://169.254.7.9",
            "http://[fe80::1]",
            "http://metadata.test",
            "http://localhost:8888",
            "http://127.0.0.1:1"
        }) {
            assertThat(client.put("/upstreams/u", nodes(url)).status()).as(url).isIn(200, 201);
        }
    }

    @Test
    void discoveryThatPointsThereIsRefused() {
        int own = running.controlPlane().adminPort();
        Reply refused = client.put(
                "/upstreams/u", "{\"discovery\":{\"type\":\"DNS\",\"url\":\"http://localhost:" + own + "\"}}");
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.pointers()).isEqualTo("/discovery/url");
        Reply server = client.put(
                "/upstreams/u",
                "{\"discovery\":{\"type\":\"DNS\",\"url\":\"http://shop.test\",\"servers\":[\"10.0.0.1\",\"127.0.0.1:"
                        + own + "\"]}}");
        assertThat(server.status()).isEqualTo(422);
        assertThat(server.pointers()).isEqualTo("/discovery/servers/1");
    }

    @Test
    void healthChecksThatPointThereAreRefused() {
        int own = running.controlPlane().adminPort();
        Reply refused = client.put(
                "/upstreams/u",
                "{\"nodes\":[{\"url\":\"http://127.0.0.1:1\"}],\"healthCheck\":{\"port\":" + own + "}}");
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.pointers()).isEqualTo("/healthCheck/port");
    }

    @Test
    void whatGatewaysAskByThemselvesMayNotPointThereEither() {
        client.put("/upstreams/u", nodes("http://10.0.0.1"));
        int own = running.controlPlane().adminPort();
        for (String url : new String[] {
            "http://169.254.169.254/keys",
            "http://[fe80::2]/keys",
            "http://[::169.254.169.254]/keys",
            "http://0xa9fea9fe/keys",
            "http://LocalHost:" + own + "/keys",
            "http://127.0.0.1:" + own
        }) {
            Reply keys = client.put("/proxy-passes/p", pass("\"jwt\":{\"jwksUrl\":\"" + url + "\"}"));
            assertThat(keys.status()).as(url).isEqualTo(422);
            assertThat(keys.pointers()).isEqualTo("/plugins/jwt/jwksUrl");
            Reply spans = client.put("/proxy-passes/p", pass("\"tracing\":{\"endpoint\":\"" + url + "\"}"));
            assertThat(spans.status()).as(url).isEqualTo(422);
            assertThat(spans.pointers()).isEqualTo("/plugins/tracing/endpoint");
        }
        for (String url :
                new String[] {"https://login.example.com/keys?v=1", "http://169.254.7.9", "http://metadata.test"}) {
            Reply kept = client.put("/proxy-passes/p", pass("\"jwt\":{\"jwksUrl\":\"" + url + "\"}"));
            assertThat(kept.status()).as(url).isIn(200, 201);
        }
    }

    private static String pass(String plugin) {
        return "{\"upstreamId\":\"u\",\"plugins\":{" + plugin + "}}";
    }

    private static String nodes(String... urls) {
        return "{\"nodes\":[{\"url\":\"" + String.join("\"},{\"url\":\"", urls) + "\"}]}";
    }

    @Test
    void waitingWithoutGatewaysIsCompleteAtOnce() {
        Reply written = client.put("/proxy-servers/web?wait=all&timeout=500ms", "{\"port\":80}");
        assertThat(written.json().at("/revision/complete").asBoolean()).isTrue();
        assertThat(written.json().at("/revision/gateways").isMissingNode()).isTrue();
        Reply unwaited = client.put("/proxy-servers/web", "{\"port\":81}");
        assertThat(unwaited.json().path("revision").has("complete")).isFalse();
    }

    @Test
    void gatewaysAreListed() {
        assertThat(client.get("/gateways").json().path("items")).isEmpty();
        assertThat(client.get("/gateways/none").status()).isEqualTo(404);
    }

    @Test
    void healthNamesItsChecks() {
        JsonNode health = client.get("/health").json();
        assertThat(health.path("status").asText()).isEqualTo("UP");
        assertThat(health.at("/checks/database").asText()).isEqualTo("UP");
        assertThat(health.at("/checks/schema").asText()).isEqualTo("UP");
        assertThat(health.path("version").asText()).matches("[0-9].*");
    }
}
