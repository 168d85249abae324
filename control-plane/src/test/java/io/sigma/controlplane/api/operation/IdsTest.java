package io.sigma.controlplane.api.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.testing.AdminClient;
import io.sigma.controlplane.testing.AdminClient.Reply;
import io.sigma.controlplane.testing.TestControlPlane;
import io.sigma.controlplane.testing.TestDatabase;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever can be made can be named by a path, and what older versions made otherwise can be removed. */
final class IdsTest {

    private static final String NODES = "\"nodes\":[{\"url\":\"http://10.0.0.1\"}]";

    @RegisterExtension
    final TestControlPlane running = new TestControlPlane();

    private final AdminClient client = running.client();

    @ParameterizedTest
    @ValueSource(strings = {".", ".."})
    void dotSegmentsAreNoIds(String id) {
        assertThat(client.post("/tokens", "{\"name\":\"" + id + "\",\"role\":\"ADMIN\"}")
                        .pointers())
                .isEqualTo("/name");
        assertThat(client.post("/upstreams", "{\"id\":\"" + id + "\"," + NODES + "}")
                        .pointers())
                .isEqualTo("/id");
        assertThat(client.put("/upstreams/~" + id, "{" + NODES + "}").pointers())
                .isEqualTo("/id");
        Reply batch = client.post(
                "/batch",
                "{\"operations\":[{\"action\":\"PUT\",\"kind\":\"UPSTREAM\",\"id\":\"" + id + "\",\"body\":{" + NODES
                        + "}}]}");
        assertThat(batch.status()).as("%s", batch).isEqualTo(422);
        assertThat(client.put("/config", "{\"upstreams\":[{\"id\":\"" + id + "\"," + NODES + "}]}")
                        .pointers())
                .isEqualTo("/upstreams/0/id");
        assertThat(client.post(
                                "/import/sigma-json",
                                "{\"upstream\":[{\"id\":\"" + id + "\",\"nodes\":[\"http://10.0.0.1\"]}]}")
                        .pointers())
                .isEqualTo("/upstream/0/id");
        assertThat(client.post(
                                "/import/openapi",
                                "{\"id\":\"" + id + "\",\"proxyServerId\":\"p\",\"document\":\"openapi: 3.0.0\"}")
                        .pointers())
                .isEqualTo("/id");
        assertThat(client.post("/users", "{\"name\":\"" + id + "\",\"role\":\"ADMIN\",\"password\":\"long enough 12\"}")
                        .pointers())
                .isEqualTo("/name");
    }

    @ParameterizedTest
    @ValueSource(strings = {".", ".."})
    void whatAnOlderVersionMadeCanBeShownChangedAndRemoved(String id) {
        client.post("/tokens", "{\"name\":\"old\",\"role\":\"ADMIN\"}");
        client.put("/upstreams/old", "{" + NODES + "}");
        TestDatabase.execute(running.database(), "update api_tokens set name = '" + id + "'");
        String rename = " set id = '" + id + "', spec = jsonb_set(spec::jsonb, '{id}', '\"" + id + "\"')";
        TestDatabase.execute(running.database(), "update upstreams" + rename);
        assertThat(client.get("/tokens/~" + id).json().path("name").asText()).isEqualTo(id);
        assertThat(client.delete("/tokens/~" + id).status()).isEqualTo(204);
        assertThat(client.get("/tokens").json().path("items")).isEmpty();
        assertThat(client.get("/upstreams/~" + id).json().path("id").asText()).isEqualTo(id);
        Reply patched = client.patch("/upstreams/~" + id, "{\"name\":\"x\"}");
        assertThat(patched.pointers()).as("the body may not keep it").isEqualTo("/id");
        assertThat(client.get("/audit?id=" + id).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"...", "..a", "a..", "a.", ".a", "-", "_", "A"})
    void otherIdsWithDotsAreIds(String id) {
        Reply made = client.put("/upstreams/" + id, "{" + NODES + "}");
        assertThat(made.status()).as("%s", made).isEqualTo(201);
        assertThat(client.get("/upstreams/" + id).json().path("id").asText()).isEqualTo(id);
        assertThat(client.delete("/upstreams/" + id).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a%2Fb", "a%00", "a%20b", "~a", "~...", "%2E%2E", "..", "~~."})
    void whatIsNoIdNamesNothing(String segment) {
        for (String path : new String[] {"/upstreams/", "/tokens/", "/gateways/", "/users/"}) {
            assertThat(client.delete(path + segment).status())
                    .as(path + segment)
                    .isIn(400, 404, 405);
        }
    }
}
