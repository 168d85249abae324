package io.sigma.controlplane.store;

import static io.sigma.controlplane.store.StoreFixture.server;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.store.database.DatabaseUrl;
import io.sigma.controlplane.testing.Eventually;
import io.sigma.controlplane.testing.TestDatabase;
import io.sigma.controlplane.testing.TestSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A connection that breaks while a transaction is committed. */
@Timeout(120)
final class CommitOutcomeTest {

    @TempDir
    Path dir;

    @Test
    void aCommitWhoseAnswerIsLostIsReportedAsDone() throws Exception {
        String url = TestDatabase.fresh();
        try (BreakingProxy proxy = new BreakingProxy(DatabaseUrl.parse(url).port());
                StoreFixture fixture = StoreFixture.deaf(TestSettings.of(dir, through(proxy, url)))) {
            fixture.write(server("a", 1));
            proxy.breakAfterCommit();
            CommitResult committed = fixture.write(server("b", 2));
            assertThat(committed.revision()).isEqualTo(2);
            assertThat(proxy.broken()).isTrue();
            assertThat(TestDatabase.query(url, "select id from proxy_servers order by id"))
                    .containsExactly("a", "b");
            assertThat(fixture.write(server("c", 3)).revision()).isEqualTo(3);
        }
    }

    @Test
    void aCommitThatNeverArrivedIsReportedAsNotDone() throws Exception {
        String url = TestDatabase.fresh();
        try (BreakingProxy proxy = new BreakingProxy(DatabaseUrl.parse(url).port());
                StoreFixture fixture = StoreFixture.deaf(TestSettings.of(dir, through(proxy, url)))) {
            fixture.write(server("a", 1));
            proxy.breakBeforeCommit();
            assertThatThrownBy(() -> fixture.write(server("b", 2)))
                    .asInstanceOf(type(FailureException.class))
                    .extracting(FailureException::failure)
                    .isInstanceOf(Failure.Unavailable.class);
            assertThat(proxy.broken()).isTrue();
            assertThat(TestDatabase.query(url, "select id from proxy_servers")).containsExactly("a");
            assertThat(fixture.write(server("c", 3)).revision()).isEqualTo(2);
        }
    }

    @Test
    void aCommitAfterWhichTheDatabaseStaysAwayIsReportedAsUnknown() throws Exception {
        String url = TestDatabase.fresh();
        try (BreakingProxy proxy = new BreakingProxy(DatabaseUrl.parse(url).port());
                StoreFixture fixture =
                        StoreFixture.deaf(TestSettings.of(dir, through(proxy, url), "databaseTimeoutMillis", "2000"))) {
            fixture.write(server("a", 1));
            proxy.breakAfterCommitForGood();
            assertThatThrownBy(() -> fixture.write(server("b", 2)))
                    .asInstanceOf(type(FailureException.class))
                    .extracting(FailureException::failure)
                    .isInstanceOf(Failure.OutcomeUnknown.class);
        }
    }

    /** Each of them has a turn to write, and there are no more. */
    @Test
    void twoCommitsWhoseAnswersAreLostTogetherAreBothReportedAsDone() throws Exception {
        String url = TestDatabase.fresh();
        try (BreakingProxy proxy = new BreakingProxy(DatabaseUrl.parse(url).port());
                StoreFixture fixture =
                        StoreFixture.deaf(TestSettings.of(dir, through(proxy, url), "databaseTimeoutMillis", "3000"))) {
            fixture.write(server("a", 1));
            proxy.breakAfterCommits(2);
            CompletableFuture<CommitResult> second = new CompletableFuture<>();
            CommitResult first = fixture.store()
                    .writer()
                    .write(new WriteRequest("test", null, "local", "test"), reader -> {
                        Thread.startVirtualThread(() -> {
                            try {
                                second.complete(fixture.write(server("c", 3)));
                            } catch (RuntimeException e) {
                                second.completeExceptionally(e);
                            }
                        });
                        Eventually.holds(
                                "the second waits for the head",
                                Duration.ofSeconds(20),
                                () -> !TestDatabase.query(url, "select 1 from pg_locks where not granted")
                                        .isEmpty());
                        return List.of(server("b", 2));
                    });
            assertThat(first.revision()).isEqualTo(2);
            assertThat(second.get(60, TimeUnit.SECONDS).revision()).isEqualTo(3);
            assertThat(fixture.write(server("d", 4)).revision()).isEqualTo(4);
        }
    }

    @Test
    void connectionsThatComeTooLateAreNotLost() throws Exception {
        String url = TestDatabase.fresh();
        try (BreakingProxy proxy = new BreakingProxy(DatabaseUrl.parse(url).port());
                StoreFixture fixture =
                        StoreFixture.deaf(TestSettings.of(dir, through(proxy, url), "databaseTimeoutMillis", "1000"))) {
            // No connection for writing is there yet.
            proxy.hold();
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> fixture.write(server("a", 1))).isInstanceOf(FailureException.class);
            }
            proxy.pass();
            Eventually.holds("a write is taken", Duration.ofSeconds(60), () -> {
                try {
                    fixture.write(server("a", 1));
                    return true;
                } catch (FailureException e) {
                    return false;
                }
            });
        }
    }

    private static String through(BreakingProxy proxy, String url) {
        return url.replace(":" + DatabaseUrl.parse(url).port() + "/", ":" + proxy.port() + "/") + "?sslmode=disable";
    }
}
