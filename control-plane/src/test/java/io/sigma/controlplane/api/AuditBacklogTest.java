package io.sigma.controlplane.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.store.AuditEntry;
import io.sigma.controlplane.testing.Eventually;
import io.sigma.model.AuditOutcome;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class AuditBacklogTest {

    private final List<String> written = new CopyOnWriteArrayList<>();
    private volatile boolean away = true;

    private static AuditEntry entry(String who) {
        return new AuditEntry(who, "local", "putRoute", AuditOutcome.FAILED, 503, null, List.of(), "unavailable");
    }

    private void append(AuditEntry entry) {
        if (away) {
            throw new IllegalStateException("away");
        }
        written.add(entry.who() + ": " + entry.detail());
    }

    @Test
    void recordsThatCouldNotBeWrittenAreWrittenInTheirOrderWithTheirTime() throws Exception {
        Vertx vertx = Vertx.vertx();
        try {
            AuditBacklog backlog =
                    new AuditBacklog(vertx, this::append, InstantSource.fixed(Instant.parse("2026-01-02T03:04:05Z")));
            vertx.runOnContext(nothing -> {
                backlog.append(entry("one"));
                backlog.append(entry("two"));
                away = false;
                backlog.append(entry("three"));
            });
            Eventually.holds("all are written", Duration.ofSeconds(20), () -> written.size() == 3);
            assertThat(written)
                    .containsExactly(
                            "one: unavailable (at 2026-01-02T03:04:05Z, recorded later)",
                            "two: unavailable (at 2026-01-02T03:04:05Z, recorded later)",
                            "three: unavailable (at 2026-01-02T03:04:05Z, recorded later)");
        } finally {
            vertx.close().await(30, TimeUnit.SECONDS);
        }
    }

    @Test
    void whatAnErrorKeptOutOfTheLogIsWrittenLater() throws Exception {
        Vertx vertx = Vertx.vertx();
        try {
            AuditBacklog backlog = new AuditBacklog(
                    vertx,
                    entry -> {
                        if (away) {
                            throw new StackOverflowError("on purpose");
                        }
                        append(entry);
                    },
                    InstantSource.fixed(Instant.parse("2026-01-02T03:04:05Z")));
            vertx.runOnContext(nothing -> {
                backlog.append(entry("one"));
                away = false;
            });
            Eventually.holds("it is written", Duration.ofSeconds(20), () -> written.size() == 1);
        } finally {
            vertx.close().await(30, TimeUnit.SECONDS);
        }
    }
}
