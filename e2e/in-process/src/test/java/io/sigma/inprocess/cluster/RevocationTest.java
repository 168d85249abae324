package io.sigma.inprocess.cluster;

import static io.sigma.inprocess.testkit.Waiting.await;
import static io.sigma.inprocess.testkit.Waiting.failure;
import static io.sigma.inprocess.testkit.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.ControlPlane;
import io.sigma.controlplane.settings.ControlPlaneSettings;
import io.sigma.dataplane.link.BridgeLink;
import io.sigma.dataplane.link.ControlLink;
import io.sigma.dataplane.link.Enrolment;
import io.sigma.dataplane.link.GatewayIdentity;
import io.sigma.dataplane.link.SnapshotClient;
import io.sigma.inprocess.testkit.Installation;
import io.sigma.inprocess.testkit.MemoryTarget;
import io.sigma.inprocess.testkit.SettingsOf;
import io.sigma.json.Json;
import io.sigma.settings.SettingsReader;
import io.sigma.snapshot.SnapshotProtocol;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Pool;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The revocation of a gateway, with two whole control planes. */
class RevocationTest {

    private static final String TOKEN = "token-of-the-revocation-test";
    private static final String SECRET_KEY = "secret-key-of-the-revocation-test";
    private static final String JOIN_TOKEN = "join-token-of-the-revocation-test";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path dir;

    private final Vertx vertx = Vertx.vertx();
    private final HttpClient http = HttpClient.newHttpClient();
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    @SuppressWarnings("NullAway.Init")
    private ControlPlane one;

    @SuppressWarnings("NullAway.Init")
    private ControlPlane two;

    @BeforeEach
    void open() throws Exception {
        empty();
        one = controlPlane("one");
        two = controlPlane("two");
    }

    private void empty() throws Exception {
        Pool pool = PgBuilder.pool()
                .using(vertx)
                .connectingTo(PgConnectOptions.fromUri(Installation.server().url()))
                .build();
        await(pool.query("drop schema public cascade").execute());
        await(pool.query("create schema public").execute());
        await(pool.close());
    }

    private ControlPlane controlPlane(String id) throws Exception {
        Vertx own = Vertx.vertx();
        open.push(() -> await(own.close()));
        ControlPlane started = await(ControlPlane.start(own, settings(id)));
        open.push(() -> await(started.close()));
        return started;
    }

    private ControlPlaneSettings settings(String id) throws Exception {
        return SettingsReader.of(
                        Map.of(
                                "SIGMA_ADMIN_PORT",
                                "0",
                                "SIGMA_CLUSTER_PORT",
                                "0",
                                "SIGMA_CLUSTER_HOST",
                                "127.0.0.1",
                                "SIGMA_ADMIN_TOKEN",
                                TOKEN,
                                "SIGMA_SECRET_KEY",
                                SECRET_KEY,
                                "SIGMA_JOIN_TOKEN",
                                JOIN_TOKEN,
                                "SIGMA_CONTROL_PLANE_ID",
                                id,
                                "SIGMA_DATA_DIR",
                                dir.resolve(id).toString(),
                                "SIGMA_DATABASE_URL",
                                Installation.server().url()),
                        null)
                .read(ControlPlaneSettings.class);
    }

    @AfterEach
    void close() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
        http.close();
        empty();
        await(vertx.close());
    }

    private HttpResponse<String> ask(ControlPlane controlPlane, String method, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + controlPlane.adminPort() + "/api/v1" + path))
                .header("Authorization", "Bearer " + TOKEN)
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private List<String> items(ControlPlane controlPlane, String path, String field) {
        List<String> items = new ArrayList<>();
        try {
            JsonNode page = Json.read(ask(controlPlane, "GET", path).body(), JsonNode.class);
            page.path("items").forEach(item -> items.add(item.path(field).asText()));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return items;
    }

    private ControlLink link(String id, ControlPlane controlPlane, @Nullable String joinToken) {
        String address = "127.0.0.1:" + controlPlane.clusterPort().orElseThrow();
        return BridgeLink.of(SettingsOf.gateway(dir.resolve(id), List.of(address), joinToken), id);
    }

    private ControlLink gateway(String id, ControlPlane controlPlane, @Nullable String joinToken) {
        ControlLink link = link(id, controlPlane, joinToken);
        GatewayIdentity identity = new GatewayIdentity(id, "host-of-" + id, "1.0", Instant.now());
        SnapshotClient client = SnapshotClient.start(vertx, link, new MemoryTarget(), identity);
        open.push(() -> await(client.close()));
        return link;
    }

    private static boolean isConnected(ControlLink link) throws Exception {
        // Whatever is answered, somebody has.
        return !String.valueOf(failure(link.request(SnapshotProtocol.FETCH, Map.of("gatewayId", "edge")))
                        .getMessage())
                .contains("no control plane is connected");
    }

    @Test
    void aRevokedGatewayIsCutOffWhereverItHangsAndDoesNotComeBackUntilItIsReadmitted() throws Exception {
        ControlLink edge = gateway("edge", two, JOIN_TOKEN);
        gateway("other", two, JOIN_TOKEN);
        for (ControlPlane each : List.of(one, two)) {
            until("both are known", () -> items(each, "/gateways", "id").equals(List.of("edge", "other")));
        }

        // On the control plane that it does not hang on.
        HttpResponse<String> revoked = ask(one, "PUT", "/gateways/edge/revocation?reason=stolen");

        assertThat(revoked.statusCode()).as(revoked.body()).isEqualTo(200);
        assertThat(Json.read(revoked.body(), JsonNode.class).path("reason").asText())
                .isEqualTo("stolen");
        for (ControlPlane each : List.of(one, two)) {
            until("edge is gone", () -> items(each, "/gateways", "id").equals(List.of("other")));
            assertThat(items(each, "/gateway-revocations", "gatewayId")).containsExactly("edge");
            assertThat(failure(Enrolment.enrol(
                            vertx,
                            "edge",
                            dir.resolve("thief"),
                            List.of("127.0.0.1:" + each.clusterPort().orElseThrow()),
                            JOIN_TOKEN)))
                    .hasMessageContaining("410")
                    .hasMessageContaining("gateway edge is revoked");
            ControlLink stolen = link("edge", each, null);
            stolen.open();
            assertThat(isConnected(stolen)).isFalse();
            await(stolen.close());
        }
        assertThat(isConnected(edge)).isFalse();
        assertThat(items(one, "/audit?action=revokeGateway&kind=GATEWAY&id=edge", "outcome"))
                .containsExactly("DONE");
        assertThat(items(two, "/gateways", "state")).containsExactly("CURRENT");

        assertThat(ask(two, "DELETE", "/gateways/edge/revocation").statusCode()).isEqualTo(204);
        assertThat(ask(two, "DELETE", "/gateways/edge/revocation").statusCode()).isEqualTo(404);

        // What it had stays bad, on the disk and in the hands of whoever took it; what it gets now is good.
        ControlLink old = link("edge", one, null);
        old.open();
        assertThat(isConnected(old)).isFalse();
        await(old.close());
        await(Enrolment.enrol(
                vertx,
                "edge",
                dir.resolve("again/edge"),
                List.of("127.0.0.1:" + two.clusterPort().orElseThrow()),
                JOIN_TOKEN));
        ControlLink again = BridgeLink.of(
                SettingsOf.gateway(
                        dir.resolve("again/edge"),
                        List.of("127.0.0.1:" + one.clusterPort().orElseThrow()),
                        null),
                "edge");
        GatewayIdentity identity = new GatewayIdentity("edge", "host-of-edge", "1.0", Instant.now());
        SnapshotClient client = SnapshotClient.start(vertx, again, new MemoryTarget(), identity);
        open.push(() -> await(client.close()));
        for (ControlPlane each : List.of(one, two)) {
            until("edge is back", () -> items(each, "/gateways", "id").equals(List.of("edge", "other")));
            assertThat(items(each, "/gateway-revocations", "gatewayId")).isEmpty();
        }
    }

    @Test
    void aGatewayThatNeverCameCanBeRevokedAndIdsAreChecked() throws Exception {
        assertThat(ask(one, "PUT", "/gateways/never-seen/revocation").statusCode())
                .isEqualTo(200);
        // Once more changes nothing but who said so.
        assertThat(ask(two, "PUT", "/gateways/never-seen/revocation?reason=lost")
                        .statusCode())
                .isEqualTo(200);
        assertThat(items(one, "/gateway-revocations", "reason")).containsExactly("lost");
        assertThat(ask(one, "PUT", "/gateways/a%20b/revocation").statusCode()).isEqualTo(400);
        assertThat(ask(one, "DELETE", "/gateways/other/revocation").statusCode())
                .isEqualTo(404);
        assertThat(items(one, "/audit?action=revokeGateway", "status")).containsExactly("400", "200", "200");
    }
}
