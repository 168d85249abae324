package io.sigma.controlplane.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.store.history.RevisionLog;
import io.sigma.model.GatewayState;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.GatewayStatus;
import io.sigma.snapshot.Snapshot;
import io.sigma.snapshot.StateHash;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A gateway's claim to serve a revision counts only if the database has the revision. */
final class HistoriesTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private long known = 5;
    private long stored = 5;

    private final Histories histories = Histories.of(new RevisionLog() {
        @Override
        public Snapshot current() {
            return new Snapshot(known, StateHash.EMPTY, ConfigState.empty());
        }

        @Override
        public void onAdvance(Consumer<Snapshot> listener) {
            // Nobody is told.
        }

        @Override
        public @Nullable List<EntityChange> changesSince(long revision, StateHash hash, long toRevision) {
            return null;
        }

        @Override
        public Future<Snapshot> confirmed() {
            known = stored;
            return Future.succeededFuture(current());
        }
    });

    private GatewayState state(long revision) {
        GatewayStatus status =
                new GatewayStatus("edge", "host", "1", NOW, revision, StateHash.EMPTY.hex(), null, false);
        GatewayRow row = new GatewayRow(status, "one", NOW);
        GatewayState state = GatewayState.LOST;
        // The database is asked because of the first look.
        for (int i = 0; i < 2; i++) {
            state = row.view(histories, NOW, Duration.ofSeconds(10), null).state();
        }
        return state;
    }

    @Test
    void revisionThatTheDatabaseDoesNotHaveIsOfAnotherHistory() {
        assertThat(state(6)).isEqualTo(GatewayState.OTHER_HISTORY);
        assertThat(state(900)).isEqualTo(GatewayState.OTHER_HISTORY);
        assertThat(state(Long.MAX_VALUE)).isEqualTo(GatewayState.OTHER_HISTORY);
        assertThat(state(5)).isEqualTo(GatewayState.CURRENT);
        // Another control plane commits it at last.
        stored = 7;
        assertThat(state(7)).isEqualTo(GatewayState.CURRENT);
        assertThat(state(8)).isEqualTo(GatewayState.OTHER_HISTORY);
    }
}
