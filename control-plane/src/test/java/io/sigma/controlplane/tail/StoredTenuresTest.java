package io.sigma.controlplane.tail;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.access.Scope;
import io.sigma.controlplane.store.Store;
import io.sigma.controlplane.testing.AdminClient;
import io.sigma.controlplane.testing.TestControlPlane;
import io.sigma.controlplane.testing.TestSettings;
import io.sigma.model.Kind;
import io.sigma.model.LastRequest;
import io.sigma.model.LastRequests;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** History belongs to the resource that there was, not to the one that has its id now. */
final class StoredTenuresTest {

    @RegisterExtension
    final TestControlPlane running = new TestControlPlane();

    private static final Scope SHOP = new Scope(List.of(), Map.of("team", "shop"));
    private static final Scope BLOG = new Scope(List.of(), Map.of("team", "blog"));

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path dir;

    private final Vertx vertx = Vertx.vertx();

    @SuppressWarnings("NullAway.Init")
    private Store store;

    @SuppressWarnings("NullAway.Init")
    private StoredTenures tenures;

    @BeforeEach
    void open() throws Exception {
        store = Store.open(vertx, TestSettings.of(dir, running.database()));
        tenures = new StoredTenures(store.database(), running.controlPlane().revisionLog());
    }

    @AfterEach
    void close() throws Exception {
        store.close().await(30, TimeUnit.SECONDS);
        vertx.close().await(30, TimeUnit.SECONDS);
    }

    private AdminClient client() {
        return running.client();
    }

    private long put(String path, String body) {
        assertThat(client().put(path, body).status()).as(path).isIn(200, 201);
        return revision();
    }

    private long revision() {
        return running.controlPlane().revisionLog().current().revision();
    }

    private long route(String more) {
        return put("/routes/a", "{\"routerId\":\"r\",\"path\":\"/a\",\"proxyPassId\":\"p\"" + more + "}");
    }

    private static LastRequest request(long revision) {
        return LastRequest.builder()
                .id("" + revision)
                .at(Instant.EPOCH)
                .gatewayId("g")
                .proxyServerId("s")
                .routeId("a")
                .protocol("HTTP/1.1")
                .method("GET")
                .host("h")
                .path("/secret")
                .status(200)
                .durationMicros(1L)
                .bytesIn(1L)
                .bytesOut(1L)
                .attempts(1)
                .revision(revision)
                .build();
    }

    @Test
    void whoHasTheIdNowSeesNothingOfWhoHadItBefore() {
        put("/proxy-servers/s", "{\"port\":21001}");
        put("/routers/r", "{\"proxyServerId\":\"s\"}");
        put("/proxy-passes/p", "{\"fixedResponse\":{}}");
        long shops = route(",\"labels\":{\"team\":\"shop\"}");
        assertThat(tenures.of(SHOP, Kind.ROUTE, "a").revision()).isEqualTo(shops);
        assertThat(tenures.of(BLOG, Kind.ROUTE, "a")).isEqualTo(Tenures.NEVER);
        route(",\"labels\":{\"team\":\"shop\"},\"priority\":7");
        route(",\"labels\":{\"team\":\"shop\",\"more\":\"x\"}");
        assertThat(tenures.of(SHOP, Kind.ROUTE, "a").revision()).isEqualTo(shops);

        assertThat(client().delete("/routes/a").status()).isEqualTo(200);
        assertThat(tenures.of(SHOP, Kind.ROUTE, "a")).isEqualTo(Tenures.NEVER);
        long blogs = route(",\"labels\":{\"team\":\"blog\"}");
        assertThat(tenures.of(BLOG, Kind.ROUTE, "a").revision()).isEqualTo(blogs);
        assertThat(tenures.of(SHOP, Kind.ROUTE, "a")).isEqualTo(Tenures.NEVER);
        assertThat(tenures.of(BLOG, Kind.ROUTE, "a").at()).isAfter(Instant.now().minusSeconds(600));

        LastRequests all = new LastRequests(List.of(request(blogs), request(blogs - 1), request(shops)), 3L, List.of());
        assertThat(new TailView(true, BLOG, tenures).of(all).items())
                .extracting(LastRequest::id)
                .containsExactly("" + blogs);
        assertThat(new TailView(true, SHOP, tenures).of(all).items()).isEmpty();
        assertThat(new TailView(true, Scope.ALL, tenures).of(all)).isEqualTo(all);

        // It is given to the other team, and back.
        long given = route(",\"labels\":{\"team\":\"shop\"}");
        assertThat(tenures.of(SHOP, Kind.ROUTE, "a").revision()).isEqualTo(given);
        assertThat(tenures.all(SHOP, Kind.ROUTE)).containsOnlyKeys("a");
        assertThat(tenures.all(BLOG, Kind.ROUTE)).isEmpty();
        long back = route(",\"labels\":{\"team\":\"blog\"}");
        assertThat(tenures.of(BLOG, Kind.ROUTE, "a").revision()).isEqualTo(back);
    }

    @Test
    void trafficOfWhoHadTheIdBeforeIsNotSeen() {
        put("/proxy-servers/s", "{\"port\":21001}");
        put("/routers/r", "{\"proxyServerId\":\"s\"}");
        put("/proxy-passes/p", "{\"fixedResponse\":{}}");
        route(",\"labels\":{\"team\":\"blog\"}");
        String made = client().post("/tokens", "{\"name\":\"blog\",\"role\":\"EDITOR\",\"labels\":{\"team\":\"blog\"}}")
                .json()
                .path("token")
                .asText();
        String[] blog = {"Authorization", "Bearer " + made};
        store.database()
                .query("insert into traffic (seconds, kind, id, slot, writer, requests, failures, bytes, cells)"
                        + " select 5, 'ROUTE', id, to_timestamp(floor(extract(epoch from now()) / 5) * 5 - 60), 'w', 7,"
                        + " 0, 0, '' from unnest(array['a', 'other-teams']) id");
        for (String path : List.of("/traffic?route=a", "/traffic/top?kind=route")) {
            AdminClient.Reply own = client().get(path, blog);
            assertThat(own.status()).as(own.toString()).isEqualTo(200);
            assertThat(own.json().path("points").size()
                            + own.json().path("items").size())
                    .as(own.toString())
                    .isZero();
        }
        assertThat(client().get("/traffic?route=other-teams", blog).status()).isEqualTo(403);
        assertThat(client().get("/traffic", blog).status()).isEqualTo(200);
        assertThat(client().get("/traffic/top?kind=gateway", blog).status()).isEqualTo(200);
        assertThat(client().get("/traffic?route=other-teams").status()).isEqualTo(200);
    }
}
