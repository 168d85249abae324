package io.sigma.dataplane.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.filter.FilterServices;
import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.telemetry.GatewayMetrics;
import io.sigma.json.Json;
import io.sigma.model.Kind;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.Snapshot;
import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The metrics show nothing of snapshots that were compiled and never served. */
final class RefusedMetersTest {

    /** Runs what is to be done at once; nothing is ever due. */
    private static final class AtOnce implements Loop.Scheduler {

        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public void schedule(Runnable task, long millis) {
            // Nothing here waits.
        }
    }

    /** Refuses proxy servers at port 81, as if it were taken. */
    private static final class Ports implements Preparation {

        @Override
        public Future<Preparation.Prepared> prepare(RuntimeSnapshot next) {
            try {
                check(next, true);
                return Future.succeededFuture(() -> {});
            } catch (SnapshotRefused e) {
                return Future.failedFuture(e);
            }
        }

        @Override
        public void check(RuntimeSnapshot next, boolean unnamed) {
            if (next.source().state().proxyServers().values().stream().anyMatch(server -> server.port() == 81)) {
                throw new SnapshotRefused("/proxyServers/added/port", "81 is taken");
            }
        }
    }

    private final GatewayMetrics metrics = new GatewayMetrics(2, 1);
    private final SnapshotApplier applier = SnapshotApplier.of(
            (endpoint, loop, connected, failed) -> failed.accept(new IllegalStateException("no network")),
            List.of(new Loop(0, new AtOnce())),
            metrics,
            FilterServices.NONE,
            new ActiveSnapshot(),
            new Ports());

    private final Snapshot served = Snapshot.NONE.advance(1, all("old", 80, "{}"));

    @AfterEach
    void close() {
        applier.close();
    }

    private static EntityChange entity(Kind kind, String id, String json) {
        return EntityChange.of(kind, id, Json.read(json, com.fasterxml.jackson.databind.JsonNode.class));
    }

    /** A proxy server, a router, a route, a proxy pass and an upstream of that name. */
    private static List<EntityChange> all(String id, int port, String plugins) {
        String own = "{\"id\":\"" + id + "\",";
        return List.of(
                entity(Kind.UPSTREAM, id, own + "\"nodes\":[{\"url\":\"http://" + id + ".test\"}]}"),
                entity(Kind.PROXY_PASS, id, own + "\"upstreamId\":\"" + id + "\"}"),
                entity(Kind.PROXY_SERVER, id, own + "\"port\":" + port + "}"),
                entity(Kind.ROUTER, id, own + "\"proxyServerId\":\"" + id + "\"}"),
                entity(
                        Kind.ROUTE,
                        id,
                        own + "\"path\":\"/" + id + "\",\"routerId\":\"" + id + "\",\"proxyPassId\":\"" + id
                                + "\",\"plugins\":" + plugins + "}"));
    }

    private static boolean done(Future<Void> future) throws Exception {
        return future.transform(end -> Future.succeededFuture(end.succeeded())).await(20, TimeUnit.SECONDS);
    }

    private void showsOnlyWhatIsServed() {
        assertThat(metrics.scrape())
                .contains("upstream=\"old\"", "proxy_server=\"old\"")
                .doesNotContain("\"added\"", "\"other\"");
    }

    @Test
    void whatACandidateHasThatIsRefusedWithItIsForgotten() throws Exception {
        assertThat(done(applier.apply(served))).isTrue();
        Snapshot taken = served.advance(2, all("added", 81, "{}"));

        assertThat(done(applier.prepare(taken))).isFalse();
        showsOnlyWhatIsServed();
        assertThat(done(applier.apply(taken))).isFalse();
        showsOnlyWhatIsServed();
        roomIsLeft();
    }

    @Test
    void whatACandidateHasThatIsWithdrawnIsForgotten() throws Exception {
        assertThat(done(applier.apply(served))).isTrue();

        assertThat(done(applier.prepare(served.advance(2, all("added", 82, "{}")))))
                .isTrue();
        assertThat(metrics.scrape()).contains("upstream=\"added\"");
        applier.discard();

        // One thing after the other.
        assertThat(done(applier.apply(served))).isTrue();
        showsOnlyWhatIsServed();
        roomIsLeft();
    }

    @Test
    void whatHalfACompilationAskedForIsForgotten() throws Exception {
        assertThat(done(applier.apply(served))).isTrue();
        Snapshot broken = served.advance(2, all("added", 82, "{\"extensions\":{\"nothing\":{}}}"));

        assertThat(done(applier.prepare(broken))).isFalse();
        showsOnlyWhatIsServed();
        assertThat(done(applier.apply(broken))).isFalse();
        showsOnlyWhatIsServed();
        roomIsLeft();
    }

    @Test
    void whatIsServedAfterAllIsShown() throws Exception {
        assertThat(done(applier.apply(served))).isTrue();
        Snapshot next = served.advance(2, all("added", 82, "{}"));
        assertThat(done(applier.prepare(next))).isTrue();
        assertThat(done(applier.apply(next))).isTrue();

        assertThat(metrics.scrape())
                .contains(
                        "sigma_upstream_retries_total{upstream=\"added\"}",
                        "sigma_connections{proxy_server=\"added\"}");
    }

    /** There is room for two upstreams: what was refused has left its place. */
    private void roomIsLeft() throws Exception {
        assertThat(done(applier.apply(served.advance(2, all("next", 82, "{}")))))
                .isTrue();
        assertThat(metrics.scrape()).contains("sigma_upstream_retries_total{upstream=\"next\"}");
    }
}
