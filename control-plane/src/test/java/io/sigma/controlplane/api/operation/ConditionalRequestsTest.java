package io.sigma.controlplane.api.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.testing.AdminClient;
import io.sigma.controlplane.testing.AdminClient.Reply;
import io.sigma.controlplane.testing.TestControlPlane;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ConditionalRequestsTest {

    @RegisterExtension
    final TestControlPlane running = new TestControlPlane();

    private final AdminClient client = running.client();

    private static final String NODES = "{\"nodes\":[{\"url\":\"http://10.0.0.1\"}]}";

    @Test
    void ifNoneMatchOfAnyCreatesOnly() {
        Reply made = client.put("/upstreams/u", NODES, "If-None-Match", "*");
        assertThat(made.status()).as("%s", made).isEqualTo(201);
        Reply again = client.put("/upstreams/u", "{\"name\":\"x\"," + NODES.substring(1), "If-None-Match", "*");
        assertThat(again.status()).isEqualTo(412);
        assertThat(again.header("ETag")).isEqualTo(made.header("ETag"));
        assertThat(client.get("/upstreams/u").json().has("name")).isFalse();
        String tag = made.header("ETag");
        assertThat(client.patch("/upstreams/u", "{\"name\":\"x\"}", "If-None-Match", "\"a\", W/" + tag)
                        .status())
                .isEqualTo(412);
        assertThat(client.delete("/upstreams/u", "If-None-Match", tag).status()).isEqualTo(412);
        assertThat(client.patch("/upstreams/u", "{\"name\":\"x\"}", "If-None-Match", "\"a\"")
                        .status())
                .isEqualTo(200);
        assertThat(client.put("/config", "{}", "If-None-Match", "*").status()).isEqualTo(412);
        assertThat(client.put("/upstreams/u", NODES, "If-None-Match", "nonsense")
                        .status())
                .isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/upstreams/u", "/config"})
    void aReadOfWhatIsKnownHasNoBody(String path) {
        client.put("/upstreams/u", NODES);
        Reply first = client.get(path);
        String tag = first.header("ETag");
        assertThat(tag).isNotEmpty();
        for (String value : new String[] {tag, "W/" + tag, "\"a\", " + tag, "*"}) {
            Reply known = client.get(path, "If-None-Match", value);
            assertThat(known.status()).as("%s: %s", value, known).isEqualTo(304);
            assertThat(known.header("ETag")).isEqualTo(tag);
            assertThat(known.http().body()).isEmpty();
            assertThat(client.send("HEAD", path, "", "If-None-Match", value).status())
                    .isEqualTo(304);
        }
        assertThat(client.get(path, "If-None-Match", "\"a\"").status()).isEqualTo(200);
        client.patch("/upstreams/u", "{\"name\":\"x\"}");
        assertThat(client.get(path, "If-None-Match", tag).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/upstreams",
                "/upstreams/u",
                "/config",
                "/revisions/1",
                "/gateways",
                "/users",
                "/tokens",
                "/health",
                "/audit",
                "/analysis",
                "/export/sigma-json",
                "/upstreams/u/health",
                "/session"
            })
    void headIsGetWithoutABody(String path) {
        client.put("/upstreams/u", NODES);
        Reply get = client.get(path);
        Reply head = client.send("HEAD", path, "");
        assertThat(head.status()).as("%s", head).isEqualTo(get.status()).isEqualTo(200);
        assertThat(head.http().body()).isEmpty();
        assertThat(head.header("Content-Type")).isEqualTo(get.header("Content-Type"));
        assertThat(head.header("ETag")).isEqualTo(get.header("ETag"));
        assertThat(head.header("Content-Length")).isNotEmpty();
    }

    @Test
    void headOfStreamsEndsAndWhatHasNoGetHasNoHead() {
        Reply events = client.send("HEAD", "/events", "");
        assertThat(events.status()).isEqualTo(200);
        assertThat(events.header("Content-Type")).isEqualTo("text/event-stream");
        assertThat(client.send("HEAD", "/audit/export", "").status()).isEqualTo(200);
        assertThat(client.send("HEAD", "/upstreams/none", "").status()).isEqualTo(404);
        assertThat(client.send("HEAD", "/batch", "").status()).isEqualTo(405);
        Reply refused = client.send("DELETE", "/upstreams", "");
        assertThat(refused.header("Allow")).isEqualTo("GET, HEAD, POST");
    }
}
