package io.sigma.controlplane.fleet;

import io.sigma.controlplane.reported.Configured;
import io.sigma.controlplane.store.Store;
import io.sigma.controlplane.store.history.RevisionLog;
import io.sigma.controlplane.testing.TestDatabase;
import io.sigma.controlplane.testing.TestSettings;
import io.sigma.controlplane.traffic.TrafficLog;
import io.sigma.model.Kind;
import io.sigma.model.Node;
import io.sigma.model.NodeDiscovery;
import io.sigma.model.Route;
import io.sigma.model.Upstream;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.Snapshot;
import io.sigma.snapshot.StateHash;
import io.sigma.snapshot.TrafficEntry;
import io.sigma.snapshot.TrafficReport;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The base of tests of the fleet's tables: a control plane with an empty database. */
@Timeout(120)
abstract class FleetTablesContract {

    static final Instant STARTED = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir
    Path dir;

    final Vertx vertx = Vertx.vertx();
    String url = "";

    @Nullable
    Store store;

    @Nullable
    FleetServer fleet;

    @BeforeEach
    void start() throws Exception {
        url = TestDatabase.fresh();
        store = Store.open(vertx, TestSettings.of(dir, url));
        FleetSettings settings = new FleetSettings(
                "one",
                null,
                Duration.ofSeconds(10),
                Duration.ofMinutes(10),
                0,
                false,
                new TrafficLog.Limits(100, Duration.ofHours(1), Duration.ofDays(1)),
                new FleetSettings.NodeHistory(Duration.ofDays(1), 100));
        fleet = await(FleetServer.start(
                vertx, store.database().pool(), store.database().notifications(), configured(store.log()), settings));
    }

    Configured configured() {
        return new Configured(configured(java.util.Objects.requireNonNull(store).log()));
    }

    /** Returns the log as if its revisions had two routes, and upstreams with and without discovery. */
    private static RevisionLog configured(RevisionLog log) {
        ConfigState state = ConfigState.empty()
                .with(List.of(
                        new EntityChange(Kind.ROUTE, "a", route("a")),
                        new EntityChange(Kind.ROUTE, "odd", route("odd")),
                        new EntityChange(
                                Kind.UPSTREAM,
                                "shop",
                                Upstream.builder().id("shop").nodes(nodes()).build()),
                        new EntityChange(
                                Kind.UPSTREAM,
                                "found",
                                Upstream.builder()
                                        .id("found")
                                        .discovery(NodeDiscovery.builder()
                                                .type("DNS")
                                                .url("http://found:80")
                                                .build())
                                        .build())));
        return new RevisionLog() {
            @Override
            public Snapshot current() {
                Snapshot known = log.current();
                return new Snapshot(known.revision(), known.hash(), state);
            }

            @Override
            public void onAdvance(Consumer<Snapshot> listener) {
                log.onAdvance(listener);
            }

            @Override
            public @Nullable List<EntityChange> changesSince(long revision, StateHash hash, long toRevision) {
                return log.changesSince(revision, hash, toRevision);
            }

            @Override
            public @Nullable StateHash hashOf(long revision) {
                return log.hashOf(revision);
            }

            @Override
            public Future<Snapshot> confirmed() {
                return log.confirmed().map(known -> current());
            }
        };
    }

    private static Route route(String id) {
        return Route.builder()
                .id(id)
                .routerId("r")
                .path("/" + id)
                .proxyPassId("p")
                .build();
    }

    private static List<Node> nodes() {
        return IntStream.rangeClosed(1, 100)
                .mapToObj(i -> Node.builder()
                        .url("http://10.0.0." + i + (i > 9 ? ":80" : ""))
                        .build())
                .toList();
    }

    @AfterEach
    void stop() throws Exception {
        if (fleet != null) {
            await(fleet.close());
        }
        if (store != null) {
            await(store.close());
        }
        await(vertx.close());
    }

    static <T> T await(Future<T> future) throws Exception {
        return future.await(30, TimeUnit.SECONDS);
    }

    FleetServer fleet() {
        return java.util.Objects.requireNonNull(fleet);
    }

    static TrafficReport traffic(String gateway, Instant started, long sequence, String route) {
        return new TrafficReport(
                gateway,
                started,
                sequence,
                0,
                List.of(new TrafficEntry(
                        TrafficEntry.Kind.ROUTE, route, List.of(0L, 0L, 1L, 0L, 0L, 0L), 10, 20, List.of(1, 1))));
    }
}
