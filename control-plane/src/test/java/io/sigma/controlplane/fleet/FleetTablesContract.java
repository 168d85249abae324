package io.sigma.controlplane.fleet;

import io.sigma.controlplane.store.Store;
import io.sigma.controlplane.testing.TestDatabase;
import io.sigma.controlplane.testing.TestSettings;
import io.sigma.controlplane.traffic.TrafficLog;
import io.sigma.snapshot.TrafficEntry;
import io.sigma.snapshot.TrafficReport;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What tests of the tables of the fleet share: a control plane with an empty database. */
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
                vertx, store.database().pool(), store.database().notifications(), store.log(), settings));
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
