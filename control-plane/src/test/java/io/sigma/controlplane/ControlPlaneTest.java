package io.sigma.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.testing.AdminClient.Reply;
import io.sigma.controlplane.testing.Eventually;
import io.sigma.controlplane.testing.RunningControlPlane;
import io.sigma.controlplane.testing.TestDatabase;
import io.sigma.controlplane.testing.TestSettings;
import io.sigma.postgres.EmbeddedPostgres;
import io.sigma.snapshot.StateHash;
import java.net.BindException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
final class ControlPlaneTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir
    Path dir;

    @Test
    void aRestartKeepsEverything() throws Exception {
        String url = TestDatabase.fresh();
        Reply before;
        String tag;
        try (RunningControlPlane running = RunningControlPlane.start(TestSettings.of(dir, url))) {
            tag = running.client().put("/proxy-servers/web", "{\"port\":80}").header("ETag");
            running.client().put("/routers/r", "{\"proxyServerId\":\"web\"}");
            before = running.client().get("/config");
        }
        try (RunningControlPlane running = RunningControlPlane.start(TestSettings.of(dir, url))) {
            Reply after = running.client().get("/config");
            assertThat(after.json()).isEqualTo(before.json());
            assertThat(after.header("ETag")).isEqualTo(before.header("ETag"));
            assertThat(running.client().get("/proxy-servers/web").header("ETag"))
                    .isEqualTo(tag);
            assertThat(running.client()
                            .put("/routers/s", "{\"proxyServerId\":\"web\"}")
                            .json()
                            .at("/revision/number")
                            .asLong())
                    .isEqualTo(3);
        }
    }

    @Test
    void controlPlanesAreToldOfEachOthersRevisions() throws Exception {
        String url = TestDatabase.fresh();
        // Far longer than the test waits: only a notification can be in time.
        try (RunningControlPlane first = RunningControlPlane.start(
                        TestSettings.of(dir.resolve("a"), url, "revisionPollMillis", "600000"));
                RunningControlPlane second = RunningControlPlane.start(
                        TestSettings.of(dir.resolve("b"), url, "revisionPollMillis", "600000"))) {
            first.client().put("/proxy-servers/a", "{\"port\":1}");
            reached(second, 1);
            second.client().put("/proxy-servers/b", "{\"port\":2}");
            reached(first, 2);
            assertThat(first.controlPlane().revisionLog().current().hash())
                    .isEqualTo(second.controlPlane().revisionLog().current().hash());
            assertThat(first.client().get("/proxy-servers/b").status()).isEqualTo(200);
        }
    }

    private static void reached(RunningControlPlane running, long revision) {
        Eventually.holds(
                "revision " + revision,
                LIMIT,
                () -> running.controlPlane().revisionLog().current().revision() == revision);
    }

    @Test
    void theDatabaseMayGoAndComeBack() throws Exception {
        try (EmbeddedPostgres postgres =
                EmbeddedPostgres.start(dir.resolve("postgres"), Path.of("target/postgres-test/postgres"))) {
            try (RunningControlPlane running =
                    RunningControlPlane.start(TestSettings.of(dir, postgres.url(), "databaseTimeoutMillis", "1000"))) {
                running.client().put("/proxy-servers/a", "{\"port\":1}");
                kill(postgres.pid());

                Eventually.holds("health is down", LIMIT, () -> {
                    Reply health = running.client().get("/health");
                    return health.status() == 503
                            && health.json().path("status").asText().equals("DOWN");
                });
                long began = System.nanoTime();
                Reply refused = running.client().put("/proxy-servers/b", "{\"port\":2}");
                if (refused.status() == 503) {
                    assertThat(refused.header("Retry-After")).isNotEmpty();
                    assertThat(refused.json().path("type").asText()).isEqualTo("urn:sigma:problem:database-away");
                    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
                }
                assertThat(running.client().get("/config").status())
                        .as("what is in memory is still shown")
                        .isEqualTo(200);

                Eventually.holds(
                        "writes work again",
                        LIMIT,
                        () -> running.client()
                                        .put("/proxy-servers/c", "{\"port\":3}")
                                        .status()
                                < 300);
                assertThat(running.client().get("/proxy-servers/a").status()).isEqualTo(200);
                Eventually.holds(
                        "health is up",
                        LIMIT,
                        () -> running.client().get("/health").status() == 200);
                var current = running.controlPlane().revisionLog().current();
                assertThat(StateHash.of(current.state())).isEqualTo(current.hash());
            }
        }
    }

    private static void kill(long pid) {
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();
    }

    @Test
    void withoutADatabaseTheStartFailsInTimeAndWithoutThePassword() {
        String url = "postgresql://sigma:geheim@127.0.0.1:1/sigma";
        assertThatThrownBy(() -> RunningControlPlane.start(TestSettings.of(dir, url, "databaseStartMillis", "300")))
                .isInstanceOf(FailureException.class)
                .hasMessageContaining("127.0.0.1:1/sigma")
                .hasMessageNotContaining("geheim");
    }

    @Test
    void aTakenPortFailsTheStartAndLeavesNothingOpen() throws Exception {
        String url = TestDatabase.fresh();
        try (RunningControlPlane running = RunningControlPlane.start(TestSettings.of(dir.resolve("a"), url))) {
            String port = String.valueOf(running.controlPlane().adminPort());
            assertThatThrownBy(
                            () -> RunningControlPlane.start(TestSettings.of(dir.resolve("b"), url, "adminPort", port)))
                    .isInstanceOf(FailureException.class)
                    .hasMessageContaining("127.0.0.1:" + port)
                    .hasRootCauseInstanceOf(BindException.class);
            Eventually.holds(
                    "the connections of the second are closed",
                    LIMIT,
                    () -> TestDatabase.query(
                                            url,
                                            "select 1 from pg_stat_activity where query like 'listen %sigma_revision%'"
                                                    + " and datname = current_database()")
                                    .size()
                            == 1);
        }
    }

    @Test
    void severalStartAtOnceOnAnEmptyDatabase() throws Exception {
        String url = TestDatabase.fresh();
        RunningControlPlane[] started = new RunningControlPlane[4];
        Thread[] threads = new Thread[started.length];
        for (int i = 0; i < started.length; i++) {
            int index = i;
            threads[i] = Thread.ofPlatform().start(() -> {
                try {
                    started[index] = RunningControlPlane.start(TestSettings.of(dir.resolve("cp" + index), url));
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
        }
        for (Thread thread : threads) {
            thread.join(LIMIT.multipliedBy(2));
        }
        for (RunningControlPlane one : started) {
            assertThat(one).isNotNull();
            assertThat(one.client().get("/health").status()).isEqualTo(200);
        }
        for (RunningControlPlane one : started) {
            one.close();
        }
    }
}
