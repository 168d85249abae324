package io.sigma.controlplane.fleet;

import io.sigma.model.GatewayAnswer;
import io.sigma.model.GatewayState;
import io.sigma.model.Refusal;
import io.sigma.snapshot.GatewayStatus;
import io.sigma.snapshot.StateHash;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The base of tests of the registry: a clock that the test moves, and gateways that report. */
abstract class GatewayRegistryContract {

    static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    long millis;
    long newest = 5;
    int looks;

    final GatewayRegistry registry = new GatewayRegistry(
            histories(), Duration.ofSeconds(10), this::now, () -> TimeUnit.MILLISECONDS.toNanos(millis));

    /** Revisions up to the newest, each with the hash of the empty state. */
    Histories histories() {
        return new Histories() {
            @Override
            public long newest() {
                return newest;
            }

            @Override
            public @Nullable StateHash hashOf(long revision) {
                looks++;
                return revision <= newest ? StateHash.EMPTY : null;
            }
        };
    }

    Instant now() {
        return START.plusMillis(millis);
    }

    void hear(String id, long revision, @Nullable Long refused, boolean stopping) {
        hear(id, "one", revision, refused, stopping, now());
    }

    void hear(String id, String controlPlane, long revision, @Nullable Long refused, boolean stopping, Instant seen) {
        Refusal refusal = refused == null
                ? null
                : Refusal.builder()
                        .revision(refused)
                        .pointer("/routes/a")
                        .message("wrong")
                        .build();
        registry.update(new GatewayRow(
                new GatewayStatus(id, "host", "1", START, revision, StateHash.EMPTY.hex(), refusal, stopping),
                controlPlane,
                seen));
    }

    GatewayState state(String id) {
        return registry.gateway(id).orElseThrow().state();
    }

    static List<GatewayAnswer> result(Answers wait) {
        return wait.promise().future().result();
    }

    void hear(String id, long revision, StateHash hash, @Nullable Refusal refusal) {
        registry.update(new GatewayRow(
                new GatewayStatus(id, "host", "1", START, revision, hash.hex(), refusal, false), "one", now()));
    }
}
