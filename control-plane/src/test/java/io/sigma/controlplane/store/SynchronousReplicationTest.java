package io.sigma.controlplane.store;

import static io.sigma.controlplane.store.StoreFixture.server;
import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.testing.AdminClient.Reply;
import io.sigma.controlplane.testing.Eventually;
import io.sigma.controlplane.testing.RunningControlPlane;
import io.sigma.controlplane.testing.TestSettings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Against a primary whose commits wait for its standby: what was acknowledged is at both. */
@Timeout(300)
final class SynchronousReplicationTest extends StandbyContract {

    @BeforeEach
    void replicate() throws Exception {
        pair.replicateSynchronously();
    }

    @Test
    void aWriteThatTheStandbyDoesNotHaveIsNotAcknowledged() throws Exception {
        try (StoreFixture fixture = open()) {
            fixture.write(server("a", 1));
            pair.stopStandby();
            List<Failure> failures = new ArrayList<>();
            try {
                fixture.write(server("b", 2));
            } catch (FailureException e) {
                failures.add(e.failure());
            }
            assertThat(failures).hasSize(1).first().isInstanceOf(Failure.OutcomeUnknown.class);
            pair.startStandby();
            Eventually.holds("a write is taken", PATIENCE, () -> isWritten(fixture, "c", 3));
        }
    }

    /** PostgreSQL ends the wait with a warning and says that the commit is done. */
    @Test
    void aRevocationThatTheStandbyDoesNotHaveIsNotAcknowledged() throws Exception {
        try (RunningControlPlane running = RunningControlPlane.start(
                TestSettings.of(dir.resolve("cp"), pair.url(), "databaseTimeoutMillis", "2000"))) {
            Reply made = running.client().post("/tokens", "{\"name\":\"ci\",\"role\":\"EDITOR\"}");
            assertThat(made.status()).isEqualTo(201);
            pair.stopStandby();
            Reply revoked = running.client().delete("/tokens/ci");
            assertThat(revoked.status()).isEqualTo(503);
            assertThat(revoked.json().path("type").asText()).endsWith("outcome-unknown");
            assertThat(revoked.json().path("detail").asText()).doesNotContain("Nothing was changed");
        }
    }

    /** Each refusal is a record that waits for the standby. */
    @Test
    void readsGoOnWhileTheStandbyIsAway() throws Exception {
        try (RunningControlPlane running = RunningControlPlane.start(
                TestSettings.of(dir.resolve("cp"), pair.url(), "databaseTimeoutMillis", "2000"))) {
            pair.stopStandby();
            for (int i = 0; i < 20; i++) {
                assertThat(running.client().put("/routes/a", "{\"routerId\":5}").status())
                        .isBetween(400, 503);
            }
            Eventually.holds("reads go on", PATIENCE, () -> {
                for (int i = 0; i < 20; i++) {
                    if (running.client().get("/routes").status() != 200) {
                        return false;
                    }
                }
                return true;
            });
        }
    }

    @Test
    void noAcknowledgedWriteIsLostWhenTheStandbyTakesOver() throws Exception {
        try (StoreFixture fixture = open()) {
            List<String> acknowledged = Collections.synchronizedList(new ArrayList<>());
            AtomicBoolean over = new AtomicBoolean();
            Thread writer = Thread.startVirtualThread(() -> {
                for (int i = 1; !over.get(); i++) {
                    if (isWritten(fixture, "s" + i, i)) {
                        acknowledged.add("s" + i);
                    }
                }
            });
            Eventually.holds("writes go on", PATIENCE, () -> acknowledged.size() > 10);
            pair.freezePrimary();
            pair.promote();
            int before = acknowledged.size();
            Eventually.holds("writes go on at the standby", PATIENCE, () -> acknowledged.size() > before + 5);
            // It takes writes as before, and waits for a standby that does not replicate any more.
            pair.thawPrimary();
            int thawed = acknowledged.size();
            Eventually.holds("writes go on", PATIENCE, () -> acknowledged.size() > thawed + 5);
            over.set(true);
            writer.join();
            assertThat(pair.querySecond("select id from proxy_servers")).containsAll(acknowledged);
        } finally {
            pair.thawPrimary();
        }
    }
}
