package io.sigma.controlplane.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.traffic.TrafficLog;
import io.sigma.snapshot.GatewayStatus;
import io.sigma.snapshot.StateHash;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Pool;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class VoteServerTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() throws Exception {
        vertx.close().await(30, TimeUnit.SECONDS);
    }

    private static final Histories NOTHING = new Histories() {
        @Override
        public long newest() {
            return 0;
        }

        @Override
        public @Nullable StateHash hashOf(long revision) {
            return null;
        }
    };

    private static Pool nowhere() {
        return (Pool) Proxy.newProxyInstance(
                Pool.class.getClassLoader(), new Class<?>[] {Pool.class}, (proxy, method, arguments) -> {
                    throw new IllegalStateException("nobody asks the database here");
                });
    }

    /** As when a switch or a region fails: all of them go within a moment, on one event loop. */
    @Test
    void allGatewaysMayGoAtOnce() {
        GatewayRegistry registry =
                new GatewayRegistry(NOTHING, Duration.ofSeconds(10), InstantSource.fixed(NOW), System::nanoTime, "one");
        VoteServer votes = new VoteServer(
                vertx,
                vertx.getOrCreateContext(),
                registry,
                new ProposalTable(nowhere()),
                new Transfers(body -> Future.failedFuture("nobody asks for bodies here")),
                new FleetSettings(
                        "one",
                        null,
                        Duration.ofSeconds(10),
                        Duration.ofMinutes(10),
                        1_000,
                        false,
                        new TrafficLog.Limits(100, Duration.ofHours(1), Duration.ofDays(1)),
                        new FleetSettings.NodeHistory(Duration.ofDays(1), 100)));
        for (int i = 0; i < GatewayRegistry.GATEWAYS_MAX; i++) {
            registry.update(new GatewayRow(
                    new GatewayStatus("g" + i, "host", "1", NOW, 0, StateHash.EMPTY.hex(), null, false), "one", NOW));
        }
        long began = System.nanoTime();
        for (int i = 0; i < GatewayRegistry.GATEWAYS_MAX; i++) {
            votes.gone("g" + i);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(2));
    }

    @Test
    void whereAGatewayHangsIsKnownWhileItIsLive() {
        GatewayRegistry registry =
                new GatewayRegistry(NOTHING, Duration.ofSeconds(10), InstantSource.fixed(NOW), System::nanoTime);
        registry.update(new GatewayRow(
                new GatewayStatus("a", "host", "1", NOW, 0, StateHash.EMPTY.hex(), null, false), "two", NOW));
        registry.update(new GatewayRow(
                new GatewayStatus("b", "host", "1", NOW, 0, StateHash.EMPTY.hex(), null, true), "two", NOW));

        assertThat(registry.controlPlaneOf("a")).isEqualTo("two");
        assertThat(registry.controlPlaneOf("b")).isNull();
        assertThat(registry.controlPlaneOf("c")).isNull();
    }
}
