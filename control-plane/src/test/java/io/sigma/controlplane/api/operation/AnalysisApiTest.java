package io.sigma.controlplane.api.operation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.testing.AdminClient;
import io.sigma.controlplane.testing.AdminClient.Reply;
import io.sigma.controlplane.testing.TestControlPlane;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class AnalysisApiTest {

    @RegisterExtension
    final TestControlPlane running = new TestControlPlane();

    private final AdminClient client = running.client();

    private void routing() {
        client.put("/proxy-servers/web", "{\"port\":8080}");
        client.put("/routers/shop", "{\"proxyServerId\":\"web\"}");
        client.put("/upstreams/nodes", "{\"nodes\":[{\"url\":\"http://10.0.0.1:80\"}]}");
        client.put("/proxy-passes/to-shop", "{\"upstreamId\":\"nodes\"}");
        client.put("/routes/api", "{\"routerId\":\"shop\",\"path\":\"/api/*\",\"proxyPassId\":\"to-shop\"}");
    }

    private static List<String> rules(JsonNode findings) {
        List<String> rules = new ArrayList<>();
        findings.forEach(finding -> rules.add(
                finding.path("rule").asText() + " " + finding.path("id").asText()));
        return rules;
    }

    @Test
    void aWriteAnswersWithWhatIsNewWithIt() {
        Reply first = client.put("/proxy-servers/web", "{\"port\":8080}");
        assertThat(first.status()).isEqualTo(201);
        assertThat(rules(first.json().at("/revision/findings"))).containsExactly("proxy-server-without-routers web");
        routing();
        Reply wide = client.put(
                "/routes/all", "{\"routerId\":\"shop\",\"path\":\"/*\",\"priority\":5,\"proxyPassId\":\"to-shop\"}");
        assertThat(rules(wide.json().at("/revision/findings"))).containsExactly("route-shadowed api");
        JsonNode finding = wide.json().at("/revision/findings/0");
        assertThat(finding.path("severity").asText()).isEqualTo("WARNING");
        assertThat(finding.path("pointer").asText()).isEqualTo("/path");
        assertThat(finding.path("detail").asText()).contains("/api/*").contains("\"all\"");
        assertThat(finding.at("/others/0/id").asText()).isEqualTo("all");

        Reply unrelated = client.put(
                "/routes/all",
                "{\"routerId\":\"shop\",\"path\":\"/*\",\"priority\":6,\"description\":\"x\",\"proxyPassId\":\"to-shop\"}");
        assertThat(unrelated.json().at("/revision/findings").size())
                .as("the text names another priority now")
                .isEqualTo(1);
        Reply gone = client.delete("/routes/all");
        assertThat(gone.json().at("/revision/findings").isMissingNode()).isTrue();
        assertThat(client.get("/analysis").json().path("items")).isEmpty();
    }

    @Test
    void aDryRunAnswersWithWhatWouldBeNewAndLeavesNothingBehind() {
        routing();
        String wide = "{\"routerId\":\"shop\",\"path\":\"/*\",\"priority\":5,\"proxyPassId\":\"to-shop\"}";
        for (int i = 0; i < 2; i++) {
            Reply single = client.put("/routes/all?dryRun=true", wide);
            assertThat(rules(single.json().at("/revision/findings"))).containsExactly("route-shadowed api");
            assertThat(single.json().at("/revision/findings/0/others/0/id").asText())
                    .isEqualTo("all");
            assertThat(single.json().at("/revision/analysed").isMissingNode()).isTrue();
        }
        Reply batch = client.post(
                "/batch?dryRun=true",
                "{\"operations\":[{\"action\":\"PUT\",\"kind\":\"ROUTE\",\"id\":\"all\",\"body\":" + wide + "},"
                        + "{\"action\":\"PUT\",\"kind\":\"UPSTREAM\",\"id\":\"spare\",\"body\":{\"nodes\":[{\"url\":\"http://10.0.0.9\"}]}}]}");
        assertThat(batch.status()).as("%s", batch).isEqualTo(200);
        assertThat(rules(batch.json().at("/revision/findings")))
                .contains("route-shadowed api", "upstream-unused spare");
        Reply state = client.put("/config?dryRun=true", "{\"proxyServers\":[{\"id\":\"web\",\"port\":8080}]}");
        assertThat(rules(state.json().at("/revision/findings"))).containsExactly("proxy-server-without-routers web");
        Reply back = client.post("/revisions/1/rollback?dryRun=true", "{}");
        assertThat(rules(back.json().at("/revision/findings"))).containsExactly("proxy-server-without-routers web");
        Reply deleted = client.delete("/routes/api?dryRun=true");
        assertThat(rules(deleted.json().at("/revision/findings")))
                .containsExactlyInAnyOrder("router-without-routes shop", "proxy-pass-unused to-shop");

        assertThat(client.get("/analysis").json().path("items")).isEmpty();
        Reply made = client.put("/routes/all", wide);
        assertThat(rules(made.json().at("/revision/findings"))).containsExactly("route-shadowed api");
        Reply same = client.patch("/routes/all?dryRun=true", "{\"description\":\"the same otherwise\"}");
        assertThat(same.json().at("/revision/findings").isMissingNode())
                .as("what is odd already is not new")
                .isTrue();
    }

    @Test
    void findingsAreFilteredAndPagedInOneOrder() {
        routing();
        for (int i = 0; i < 5; i++) {
            client.put("/upstreams/spare" + i, "{\"nodes\":[{\"url\":\"http://10.0.0.2:80\",\"down\":true}]}");
        }
        JsonNode all = client.get("/analysis").json();
        assertThat(all.path("errors").asInt()).isEqualTo(5);
        assertThat(all.path("infos").asInt()).isEqualTo(5);
        assertThat(all.path("revision").asLong()).isEqualTo(10);
        List<String> paged = new ArrayList<>();
        String cursor = "";
        do {
            JsonNode page = client.get("/analysis?limit=3" + cursor).json();
            paged.addAll(rules(page.path("items")));
            cursor = page.has("nextCursor")
                    ? "&cursor=" + page.path("nextCursor").asText()
                    : "";
        } while (!cursor.isEmpty());
        assertThat(paged).hasSize(10).isEqualTo(rules(all.path("items"))).startsWith("upstream-without-node spare0");
        assertThat(rules(client.get("/analysis?severity=INFO&kind=UPSTREAM&id=spare3")
                        .json()
                        .path("items")))
                .containsExactly("upstream-unused spare3");
        assertThat(rules(client.get("/analysis?rule=upstream-without-node")
                        .json()
                        .path("items")))
                .hasSize(5);
        assertThat(rules(client.get("/analysis?kind=ROUTE").json().path("items")))
                .isEmpty();
    }

    @Test
    void whatIsNoFilterIsRefused() {
        assertThat(client.get("/analysis?severity=LOUD").status()).isEqualTo(400);
        assertThat(client.get("/analysis?kind=ROUTES").status()).isEqualTo(400);
        assertThat(client.get("/analysis?rule=No").status()).isEqualTo(400);
        assertThat(client.get("/analysis?cursor=abc").status()).isEqualTo(400);
        assertThat(client.get("/analysis?cursor=NS8wLzAveA").status()).isEqualTo(400);
    }
}
