package io.sigma.controlplane.store;

import static io.sigma.controlplane.store.StoreFixture.server;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.store.database.Database;
import io.sigma.controlplane.store.database.DatabaseUrl;
import io.sigma.controlplane.store.vote.Poll;
import io.sigma.controlplane.testing.TestDatabase;
import io.sigma.controlplane.testing.TestSettings;
import io.sigma.model.GatewayVote;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Writes, and reads, that wait for each other: nothing is wrong with the database. */
@Timeout(120)
final class WaitingWritesTest {

    private static final long VOTE_MILLIS = 900;

    @TempDir
    Path dir;

    private String url = "";

    @BeforeEach
    void empty() {
        url = TestDatabase.fresh();
    }

    @Test
    void writersWaitForTheVotesOnTheWritesBeforeThem() throws Exception {
        try (StoreFixture fixture = open("databaseTimeoutMillis", "1000", "gatewayVoteMillis", "1000")) {
            fixture.store().writer().ask(candidate -> new SlowPoll(), 1000);
            try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<CommitResult>> writes = new ArrayList<>();
                for (int i = 0; i < 5; i++) {
                    String id = "s" + i;
                    writes.add(executor.submit(() -> fixture.write(server(id, 1))));
                }
                for (Future<CommitResult> write : writes) {
                    assertThat(write.get(60, TimeUnit.SECONDS).durable()).isTrue();
                }
            }
        }
    }

    @Test
    void whoWaitsTooLongForOtherWritesIsToldSo() throws Exception {
        try (StoreFixture fixture = open("databaseTimeoutMillis", "400", "gatewayVoteMillis", "0");
                Connection other = connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("select revision from head for update");
            assertBusy(() -> fixture.write(server("a", 1)), "Earlier writes");
            other.rollback();
            assertThat(fixture.write(server("a", 1)).revision()).isEqualTo(1);
        }
    }

    @Test
    void aWriteThatFindsTooManyWaitingIsToldSo() throws Exception {
        try (StoreFixture fixture =
                open("databaseTimeoutMillis", "1000", "gatewayVoteMillis", "1000", "databaseQueueMax", "1")) {
            fixture.store().writer().ask(candidate -> new SlowPoll(), 1000);
            CompletableFuture<?>[] before = new CompletableFuture<?>[3];
            for (int i = 0; i < before.length; i++) {
                String id = "s" + i;
                before[i] = run(() -> fixture.write(server(id, 1)));
            }
            Thread.sleep(VOTE_MILLIS / 2);
            assertBusy(() -> fixture.write(server("a", 1)), "Too many requests");
            CompletableFuture.allOf(before).get(60, TimeUnit.SECONDS);
            assertThat(fixture.write(server("a", 1)).durable()).isTrue();
        }
    }

    @Test
    void aSlowStatementAndAFullQueueAreToldFromADatabaseThatIsAway() throws Exception {
        try (StoreFixture fixture =
                open("databaseTimeoutMillis", "1000", "databasePoolSize", "2", "databaseQueueMax", "1")) {
            Database database = fixture.store().database();
            assertBusy(() -> database.query("select pg_sleep(3)"), "A statement took longer");
            List<CompletableFuture<Void>> slow = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                slow.add(run(() -> database.query("select pg_sleep(0.3)")));
            }
            List<CompletableFuture<Void>> refused = slow.stream()
                    .filter(one -> one.handle((done, e) -> e != null).join())
                    .toList();
            assertThat(refused).hasSizeBetween(1, 6);
            assertThat(refused)
                    .allSatisfy(one -> assertBusy(
                            () -> {
                                try {
                                    one.join();
                                } catch (CompletionException e) {
                                    throw e.getCause();
                                }
                            },
                            "Too many requests"));
        }
    }

    private static CompletableFuture<Void> run(Runnable work) {
        return CompletableFuture.runAsync(work, Thread::startVirtualThread);
    }

    private StoreFixture open(String... settings) throws InterruptedException {
        return StoreFixture.deaf(TestSettings.of(dir, url, settings));
    }

    private Connection connect() throws Exception {
        DatabaseUrl parsed = DatabaseUrl.parse(url);
        return DriverManager.getConnection(
                "jdbc:postgresql://" + parsed.host() + ":" + parsed.port() + "/" + parsed.database(),
                parsed.user(),
                parsed.password());
    }

    private static void assertBusy(ThrowingCallable work, String why) {
        assertThatThrownBy(work)
                .asInstanceOf(type(FailureException.class))
                .extracting(FailureException::failure)
                .asInstanceOf(type(Failure.Unavailable.class))
                .satisfies(failure -> {
                    assertThat(failure.detail()).startsWith(why);
                    assertThat(failure.database()).isFalse();
                });
    }

    private static final class SlowPoll implements Poll {

        @Override
        public List<GatewayVote> votes() {
            try {
                Thread.sleep(VOTE_MILLIS);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return List.of();
        }

        @Override
        public void committed() {
            // Nobody waits for it.
        }

        @Override
        public void withdrawn() {
            // Nobody keeps anything.
        }
    }
}
