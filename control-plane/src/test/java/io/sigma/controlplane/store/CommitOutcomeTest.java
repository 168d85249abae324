package io.sigma.controlplane.store;

import static io.sigma.controlplane.store.StoreFixture.server;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.testing.TestDatabase;
import io.sigma.controlplane.testing.TestSettings;
import java.nio.file.Path;
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
            Committed committed = fixture.write(server("b", 2));
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

    private static String through(BreakingProxy proxy, String url) {
        return url.replace(":" + DatabaseUrl.parse(url).port() + "/", ":" + proxy.port() + "/") + "?sslmode=disable";
    }
}
