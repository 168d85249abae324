package io.sigma.inprocess.fleet;

import static io.sigma.inprocess.testkit.Waiting.await;
import static io.sigma.inprocess.testkit.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.ControlPlane;
import io.sigma.controlplane.settings.ControlPlaneSettings;
import io.sigma.dataplane.link.GatewayIdentity;
import io.sigma.dataplane.link.LocalLink;
import io.sigma.dataplane.link.SnapshotClient;
import io.sigma.inprocess.testkit.MemoryTarget;
import io.sigma.json.Json;
import io.sigma.postgres.EmbeddedPostgres;
import io.sigma.settings.SettingsReader;
import io.vertx.core.Vertx;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The admin API while gateways refuse the newest revision. */
@Timeout(180)
final class RefusedRevisionTest {

    private static final String TOKEN = "token-of-the-test-installation";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path dir;

    private final Vertx vertx = Vertx.vertx();
    private final HttpClient http = HttpClient.newHttpClient();
    private final MemoryTarget target = new MemoryTarget();

    @SuppressWarnings("NullAway.Init")
    private EmbeddedPostgres postgres;

    @SuppressWarnings("NullAway.Init")
    private ControlPlane controlPlane;

    @SuppressWarnings("NullAway.Init")
    private SnapshotClient gateway;

    private String base = "";

    private void start(boolean rollBack) throws Exception {
        postgres = EmbeddedPostgres.start(dir.resolve("postgres"));
        Map<String, String> variables = new HashMap<>(Map.of(
                "SIGMA_ADMIN_PORT",
                "0",
                "SIGMA_ADMIN_TOKEN",
                TOKEN,
                "SIGMA_DATA_DIR",
                dir.toString(),
                "SIGMA_DATABASE_URL",
                postgres.url(),
                "SIGMA_GATEWAY_REFUSED_ROLL_BACK",
                String.valueOf(rollBack)));
        ControlPlaneSettings settings = SettingsReader.of(variables, null).read(ControlPlaneSettings.class);
        controlPlane = await(ControlPlane.startLocal(vertx, settings));
        base = "http://127.0.0.1:" + controlPlane.adminPort() + "/api/v1";
        GatewayIdentity identity = new GatewayIdentity("edge", "host", "1.0", Instant.now());
        gateway = SnapshotClient.start(vertx, new LocalLink(vertx), target, identity);
        put("/upstreams/a", 201);
        until("served", () -> target.current().revision() == 1);
        until("current", () -> controlPlane.fleet().gateway("edge").isPresent());
    }

    @AfterEach
    void stop() throws Exception {
        await(gateway.close());
        await(controlPlane.close());
        await(vertx.close());
        postgres.close();
    }

    private HttpResponse<String> send(String method, String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(base + path))
                .header("Authorization", "Bearer " + TOKEN)
                .header("Content-Type", "application/json")
                .timeout(Duration.ofSeconds(20))
                .method(
                        method,
                        body.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body))
                .build();
        return http.send(request, BodyHandlers.ofString());
    }

    private JsonNode put(String path, int status) throws Exception {
        HttpResponse<String> answer = send("PUT", path, "{\"nodes\":[{\"url\":\"http://a.test\"}]}");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        return Json.read(answer.body(), JsonNode.class);
    }

    private JsonNode get(String path) throws Exception {
        return Json.read(send("GET", path, "").body(), JsonNode.class);
    }

    private void refuse() throws Exception {
        target.refuseLate("late");
        JsonNode accepted = put("/upstreams/late?wait=all", 201);
        assertThat(accepted.at("/revision/votes/0/vote").asText()).isEqualTo("ACCEPT");
        assertThat(accepted.at("/revision/complete").asBoolean()).isFalse();
        assertThat(accepted.at("/revision/gateways/0/answer").asText()).isEqualTo("NACK");
    }

    @Test
    void writesAreAnsweredWithTheRefusalUntilOneMendsItAndEverybodyIsTold() throws Exception {
        start(false);
        refuse();

        JsonNode refused = put("/upstreams/other", 409);
        assertThat(refused.path("type").asText()).isEqualTo("urn:sigma:problem:revision-refused");
        assertThat(refused.path("detail").asText())
                .contains("gateway edge refuses revision 2 because of /upstreams/late: late (expected: good)");
        assertThat(refused.at("/errors/0/pointer").asText()).isEqualTo("/upstreams/late");
        assertThat(put("/upstreams/other?dryRun=true", 409).path("votes")).hasSize(1);

        JsonNode analysis = get("/analysis?rule=refused-by-gateways");
        assertThat(analysis.path("errors").asInt()).isEqualTo(1);
        assertThat(analysis.at("/items/0/kind").asText()).isEqualTo("UPSTREAM");
        assertThat(analysis.at("/items/0/id").asText()).isEqualTo("late");
        assertThat(analysis.at("/items/0/detail").asText()).contains("gateway edge refuses revision 2");
        assertThat(send("GET", "/metrics", "").body())
                .contains("sigma_control_refusing_gateways 1\n", "sigma_control_writes_held_up 1\n");

        HttpResponse<String> mended = send("DELETE", "/upstreams/late?wait=all", "");
        assertThat(mended.statusCode()).as(mended.body()).isEqualTo(200);
        assertThat(Json.read(mended.body(), JsonNode.class)
                        .at("/revision/complete")
                        .asBoolean())
                .isTrue();
        assertThat(put("/upstreams/other?wait=all", 201)
                        .at("/revision/complete")
                        .asBoolean())
                .isTrue();
        assertThat(get("/analysis?rule=refused-by-gateways").path("items")).isEmpty();
        assertThat(send("GET", "/metrics", "").body()).contains("sigma_control_refusing_gateways 0\n");
    }

    @Test
    void aRollBackMendsIt() throws Exception {
        start(false);
        refuse();

        HttpResponse<String> back = send("POST", "/revisions/1/rollback?wait=all", "{}");

        assertThat(back.statusCode()).as(back.body()).isEqualTo(200);
        until("served", () -> target.current().revision() == 3);
        assertThat(target.current().state().upstreams()).containsOnlyKeys("a");
    }

    @Test
    void aGatewayThatIsWaivedHoldsUpNobody() throws Exception {
        start(false);
        until("there", () -> controlPlane.fleet().gateway("edge").isPresent());
        HttpResponse<String> early = send("PUT", "/gateways/edge/waiver?reason=disk", "");
        assertThat(early.statusCode()).isEqualTo(409);
        assertThat(early.body()).contains("nothing-to-waive", "does not refuse the newest revision");
        refuse();
        put("/upstreams/other", 409);
        assertThat(send("PUT", "/gateways/nobody/waiver", "").statusCode()).isEqualTo(404);
        assertThat(send("DELETE", "/gateways/edge/waiver", "").statusCode()).isEqualTo(404);

        HttpResponse<String> waived = send("PUT", "/gateways/edge/waiver?reason=disk", "");

        assertThat(waived.statusCode()).as(waived.body()).isEqualTo(200);
        until("waived", () -> controlPlane.fleet().gateway("edge").orElseThrow().waived() != null);
        JsonNode waiver = get("/gateways/edge").path("waiver");
        assertThat(waiver.path("reason").asText()).isEqualTo("disk");
        assertThat(waiver.path("waivedBy").asText()).isEqualTo("settings:admin-token");
        assertThat(waiver.path("waivedAt").asText()).isNotEmpty();
        assertThat(waiver.path("revision").asLong()).isEqualTo(2);
        assertThat(get("/gateways").at("/items/0/waiver")).isEqualTo(waiver);
        assertThat(get("/audit?action=waiveGateway&outcome=DONE")
                        .at("/items/0/detail")
                        .asText())
                .isEqualTo("disk");
        JsonNode written = put("/upstreams/other", 201);
        assertThat(written.at("/revision/votes/0/vote").asText()).isEqualTo("REFUSE");
        until("it refuses that too", () -> controlPlane.fleet().refused().isPresent());
        assertThat(get("/analysis?rule=refused-by-gateways").path("items")).isNotEmpty();

        assertThat(send("DELETE", "/gateways/edge/waiver", "").statusCode()).isEqualTo(204);
        until("counts", () -> controlPlane.fleet().gateway("edge").orElseThrow().waived() == null);
        until("refused", () -> controlPlane.fleet().refused().isPresent());
        put("/upstreams/third", 409);
    }

    @Test
    void whereTheSettingSaysSoItIsRolledBackByItself() throws Exception {
        start(true);
        refuse();

        until("rolled back", () -> target.current().revision() == 3);

        assertThat(target.current().state().upstreams()).containsOnlyKeys("a");
        JsonNode revision = get("/revisions/3");
        assertThat(revision.path("author").asText()).isEqualTo("control-plane");
        assertThat(revision.path("message").asText())
                .isEqualTo(
                        "Rolled back: gateway edge refuses revision 2 because of /upstreams/late: late (expected: good)");
        put("/upstreams/other", 201);
    }
}
