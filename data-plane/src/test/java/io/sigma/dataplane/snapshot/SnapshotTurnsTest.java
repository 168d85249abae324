package io.sigma.dataplane.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sigma.dataplane.filter.FilterServices;
import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.loop.NoScheduler;
import io.sigma.dataplane.telemetry.GatewayMetrics;
import io.sigma.json.Json;
import io.sigma.model.Kind;
import io.sigma.model.ProxyPass;
import io.sigma.model.ProxyServer;
import io.sigma.model.Route;
import io.sigma.model.Router;
import io.sigma.model.Upstream;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.Snapshot;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is done to snapshots is done one after the other; a few routes where changes come from, what takes longer elsewhere. */
class SnapshotTurnsTest {

    private static final int PATIENCE_SECONDS = 20;
    private static final int FULL = 1_000;
    private static final int BROKEN = 1_001;

    private final Queue<String> threads = new ConcurrentLinkedQueue<>();

    private volatile boolean ready = true;

    private final SnapshotApplier applier = SnapshotApplier.of(
            (endpoint, loop, connected, failed) -> failed.accept(new IllegalStateException("no network")),
            List.of(new Loop(0, new NoScheduler())),
            new GatewayMetrics(100, 1),
            FilterServices.NONE,
            new ActiveSnapshot(),
            new SnapshotApplier.Preparation() {
                @Override
                public Future<Runnable> prepare(RuntimeSnapshot next) {
                    if (next.source().state().proxyServers().containsKey("server-" + FULL)) {
                        return Future.failedFuture(new SnapshotRefused("/port", "no port is free"));
                    }
                    if (next.source().state().proxyServers().containsKey("server-" + BROKEN)) {
                        throw new StackOverflowError("too deep");
                    }
                    return Future.succeededFuture(
                            () -> note("served " + next.source().revision()));
                }

                @Override
                public boolean isReady(RuntimeSnapshot served) {
                    return ready;
                }

                @Override
                public void check(RuntimeSnapshot next) {
                    note("checked " + next.source().revision());
                }
            });

    private final ExecutorService link = Executors.newSingleThreadExecutor(task -> new Thread(task, "link"));

    @AfterEach
    void close() {
        applier.close();
        link.shutdownNow();
    }

    private void note(String what) {
        threads.add(what + " by " + Thread.currentThread().getName());
    }

    private static void await(Future<?> future) throws Exception {
        future.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private static EntityChange server(int port) {
        String id = "server-" + port;
        return entity(Kind.PROXY_SERVER, id, "{\"id\": \"" + id + "\", \"port\": " + port + "}", ProxyServer.class);
    }

    private static EntityChange route(int number) {
        String id = "r" + number;
        return entity(
                Kind.ROUTE,
                id,
                "{\"id\": \"" + id + "\", \"routerId\": \"all\", \"path\": \"/" + number
                        + "\", \"proxyPassId\": \"pass\"}",
                Route.class);
    }

    private static EntityChange entity(Kind kind, String id, String json, Class<?> type) {
        return new EntityChange(kind, id, Json.read(json, type));
    }

    private static List<EntityChange> routes(int count) {
        return IntStream.range(0, count).mapToObj(SnapshotTurnsTest::route).toList();
    }

    private static Snapshot first() {
        return Snapshot.NONE.advance(
                1,
                List.of(
                        server(80),
                        entity(Kind.ROUTER, "all", "{\"id\": \"all\", \"proxyServerId\": \"server-80\"}", Router.class),
                        entity(
                                Kind.UPSTREAM,
                                "nodes",
                                "{\"id\": \"nodes\", \"nodes\": [{\"url\": \"http://127.0.0.1:1\"}]}",
                                Upstream.class),
                        entity(
                                Kind.PROXY_PASS,
                                "pass",
                                "{\"id\": \"pass\", \"upstreamId\": \"nodes\"}",
                                ProxyPass.class)));
    }

    @Test
    void aFewRoutesAreAssembledCheckedAndServedWhereChangesComeFrom() throws Exception {
        applier.serveLittleBy(link);
        Snapshot before = first();
        await(applier.apply(before));

        await(applier.assemble(false, () -> {
                    note("assembled 2");
                    return before.advance(2, routes(1));
                })
                .compose(next -> applier.prepare(next).compose(fits -> applier.apply(next))));

        assertThat(threads)
                .containsExactly(
                        "served 1 by sigma-snapshot-large",
                        "assembled 2 by link",
                        "checked 2 by link",
                        "served 2 by link");
    }

    @Test
    void aThreadDoesThatWhereChangesComeFromNone() throws Exception {
        Snapshot before = first();
        await(applier.apply(before));
        await(applier.apply(before.advance(2, routes(1))));

        assertThat(threads).containsExactly("served 1 by sigma-snapshot-large", "served 2 by sigma-snapshot");
    }

    @Test
    void manyRoutesAndWhatMayHaveToWaitHoldUpNothingThatChangesComeFrom() throws Exception {
        applier.serveLittleBy(link);
        Snapshot before = first();
        await(applier.apply(before));
        Snapshot many = before.advance(2, routes(101));
        await(applier.apply(many));
        await(applier.apply(many.advance(3, List.of(new EntityChange(Kind.ROUTE, "r7", null)))));
        ready = false;
        await(applier.apply(many.advance(4, List.of(new EntityChange(Kind.ROUTE, "r8", null)))));

        assertThat(threads)
                .containsExactly(
                        "served 1 by sigma-snapshot-large",
                        "served 2 by sigma-snapshot-large",
                        "served 3 by link",
                        "served 4 by sigma-snapshot-large");
    }

    @Test
    void whatIsLittleWaitsForWhatTakesLong() throws Exception {
        applier.serveLittleBy(link);
        List<String> expected = new ArrayList<>();
        Snapshot next = first();
        Future<Void> last = applier.apply(next);
        expected.add("served 1 by sigma-snapshot-large");
        for (int i = 2; i < 40; i++) {
            boolean little = i % 3 != 0;
            next = next.advance(i, List.of(little ? route(i) : server(80 + i)));
            last = applier.apply(next);
            expected.add("served " + i + " by " + (little ? "link" : "sigma-snapshot-large"));
        }

        await(last);

        assertThat(threads).containsExactlyElementsOf(expected);
    }

    @Test
    void theNextOneIsTakenAfterOneThatFails() throws Exception {
        applier.serveLittleBy(link);
        Snapshot before = first();
        Future<Void> refused = applier.apply(before.advance(2, List.of(server(FULL))));
        Future<Void> broken = applier.apply(before.advance(3, List.of(server(BROKEN))));
        Future<Void> served = applier.apply(before.advance(4, routes(1)));

        assertThatThrownBy(() -> await(refused))
                .isInstanceOfSatisfying(
                        SnapshotRefused.class, e -> assertThat(e.pointer()).isEqualTo("/port"));
        assertThatThrownBy(() -> await(broken)).isInstanceOf(StackOverflowError.class);
        await(served);
        assertThat(applier.current().revision()).isEqualTo(4);
    }

    @Test
    void theNextOneIsTakenWhenThoseFailWhoHearOfOne() throws Exception {
        Future<Void> heard = applier.apply(first());
        heard.onSuccess(served -> {
            throw new IllegalStateException("who hears of it fails");
        });
        await(heard);

        await(applier.apply(first().advance(2, routes(1))));

        assertThat(applier.current().revision()).isEqualTo(2);
    }

    @Test
    void whatCannotBeAssembledFailsAndTheNextOneIsTaken() throws Exception {
        Future<Snapshot> broken = applier.assemble(false, () -> {
            throw new IllegalArgumentException("snapshot: damaged");
        });

        assertThatThrownBy(() -> await(broken))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("snapshot: damaged");
        assertThat(applier.assemble(false, () -> Snapshot.NONE).await(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .isSameAs(Snapshot.NONE);
    }

    @Test
    void whatTakesLongIsAssembledByAThreadWithMoreWeight() throws Exception {
        await(applier.assemble(true, () -> {
            note("assembled");
            return Snapshot.NONE;
        }));

        assertThat(threads).containsExactly("assembled by sigma-snapshot-large");
    }

    @Test
    void nothingIsTakenByAGatewayThatIsClosing() {
        applier.close();

        assertThatThrownBy(() -> await(applier.assemble(false, () -> Snapshot.NONE)))
                .hasMessageContaining("the gateway is closing");
        assertThatThrownBy(() -> await(applier.prepare(first())))
                .isNotInstanceOf(SnapshotRefused.class)
                .hasMessageContaining("the gateway is closing");
        assertThatThrownBy(() -> await(applier.apply(first())))
                .isInstanceOf(SnapshotRefused.class)
                .hasMessageContaining("the gateway is closing");
        applier.discard();
    }

    @Test
    void whatChangesCameFromMayBeGone() {
        applier.serveLittleBy(link);
        link.shutdownNow();

        assertThatThrownBy(() -> await(applier.apply(first()))).hasMessageContaining("the gateway is closing");
        assertThatThrownBy(() -> await(applier.prepare(first()))).hasMessageContaining("the gateway is closing");
    }
}
