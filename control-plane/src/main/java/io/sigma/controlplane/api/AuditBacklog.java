package io.sigma.controlplane.api;

import io.sigma.controlplane.store.AuditEntry;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records for the audit log that could not be written, as while the database is away or takes no writes: they are
 * written when it is back, in their order, each with the time when it happened. Confined to the server's verticle,
 * whose thread may wait.
 */
final class AuditBacklog {

    private static final Logger LOG = LoggerFactory.getLogger(AuditBacklog.class);

    static final int ENTRIES_MAX = 10_000;
    private static final long RETRY_MILLIS = 1_000;

    private final Vertx vertx;
    private final Consumer<AuditEntry> log;
    private final InstantSource clock;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private boolean retrying;

    private record Waiting(AuditEntry entry, Instant at) {}

    /** @param log appends a record, or throws */
    AuditBacklog(Vertx vertx, Consumer<AuditEntry> log, InstantSource clock) {
        this.vertx = vertx;
        this.log = log;
        this.clock = clock;
    }

    /** Appends {@code entry}, now or when that is possible again. */
    void append(AuditEntry entry) {
        Instant now = clock.instant();
        if (waiting.isEmpty()) {
            try {
                log.accept(entry);
                return;
            } catch (RuntimeException | Error e) {
                LOG.warn("The audit log cannot be written; records wait in memory: {}", e.getMessage());
            }
        }
        if (waiting.size() >= ENTRIES_MAX) {
            LOG.error("not in the audit log, for which {} records wait already: {}", ENTRIES_MAX, entry);
            return;
        }
        waiting.add(new Waiting(entry, now));
        again();
    }

    private void again() {
        if (!retrying) {
            retrying = true;
            vertx.setTimer(RETRY_MILLIS, timer -> retry());
        }
    }

    private void retry() {
        try {
            for (Waiting next = waiting.peek(); next != null; next = waiting.peek()) {
                log.accept(next.entry().late(next.at()));
                waiting.remove();
            }
            LOG.info("The audit log is written again");
        } catch (RuntimeException | Error e) {
            LOG.debug("The audit log cannot be written yet", e);
        } finally {
            retrying = false;
        }
        if (!waiting.isEmpty()) {
            again();
        }
    }

    /** Writes to the log of the process what waits still. */
    void close() {
        waiting.forEach(
                lost -> LOG.error("not in the audit log, which cannot be written: {} at {}", lost.entry(), lost.at()));
        waiting.clear();
    }
}
