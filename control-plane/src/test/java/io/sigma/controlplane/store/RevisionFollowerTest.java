package io.sigma.controlplane.store;

import static io.sigma.controlplane.store.StoreFixture.gone;
import static io.sigma.controlplane.store.StoreFixture.router;
import static io.sigma.controlplane.store.StoreFixture.server;
import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.store.history.RevisionLog;
import io.sigma.controlplane.testing.Eventually;
import io.sigma.controlplane.testing.TestDatabase;
import io.sigma.controlplane.testing.TestSettings;
import io.sigma.model.Kind;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.Snapshot;
import io.sigma.snapshot.StateHash;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
final class RevisionFollowerTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);

    @TempDir
    Path dir;

    private String url = "";

    @BeforeEach
    void empty() {
        url = TestDatabase.fresh();
    }

    private StoreFixture open(boolean listen, String pollMillis) throws InterruptedException {
        var settings = TestSettings.of(dir, url, "revisionPollMillis", pollMillis);
        return listen ? StoreFixture.listening(settings) : StoreFixture.deaf(settings);
    }

    private static void reached(StoreFixture fixture, long revision) {
        Eventually.holds(
                "revision " + revision,
                LIMIT,
                () -> fixture.store().log().current().revision() == revision);
    }

    @Test
    void pollingMakesUpForLostNotifications() throws Exception {
        try (StoreFixture writer = open(true, "600000");
                StoreFixture deaf = open(false, "50")) {
            writer.write(server("a", 1));
            reached(deaf, 1);
            writer.write(server("b", 2), router("r", "b"));
            writer.write(gone(Kind.ROUTER, "r"), gone(Kind.PROXY_SERVER, "b"));
            reached(deaf, 3);
            Snapshot snapshot = deaf.store().log().current();
            assertThat(snapshot.state().proxyServers()).containsOnlyKeys("a");
            assertThat(snapshot.state().routers()).isEmpty();
            assertThat(snapshot.hash()).isEqualTo(StateHash.of(snapshot.state()));
        }
    }

    /** It is not told a second time: a gateway would hear of the next revision only. */
    @Test
    void anErrorOfOneListenerKeepsNoOtherFromHearingOfARevision() throws Exception {
        try (StoreFixture fixture = open(true, "600000")) {
            List<Long> heard = new CopyOnWriteArrayList<>();
            fixture.store().log().onAdvance(snapshot -> {
                throw new StackOverflowError("on purpose");
            });
            fixture.store().log().onAdvance(snapshot -> heard.add(snapshot.revision()));
            fixture.write(server("a", 1));
            Eventually.holds("it is told", LIMIT, () -> heard.contains(1L));
        }
    }

    @Test
    void theIncrementalHashIsTheRecomputedOneAfterEveryWrite() throws Exception {
        try (StoreFixture fixture = open(true, "600000")) {
            List<EntityChange[]> writes = List.of(
                    new EntityChange[] {server("a", 1), server("b", 2)},
                    new EntityChange[] {server("a", 3)},
                    new EntityChange[] {router("r", "a"), router("s", "b"), server("c", 4)},
                    new EntityChange[] {gone(Kind.ROUTER, "s"), router("r", "b")},
                    new EntityChange[] {gone(Kind.PROXY_SERVER, "a"), gone(Kind.PROXY_SERVER, "c")},
                    new EntityChange[] {gone(Kind.ROUTER, "r"), gone(Kind.PROXY_SERVER, "b")});
            for (EntityChange[] write : writes) {
                CommitResult committed = fixture.write(write);
                fixture.store().log().hint();
                fixture.store().log().reached(committed.revision()).await(20, TimeUnit.SECONDS);
                Snapshot snapshot = fixture.store().log().current();
                assertThat(snapshot.hash()).isEqualTo(committed.hash()).isEqualTo(StateHash.of(snapshot.state()));
            }
            assertThat(fixture.store().log().current().hash()).isEqualTo(StateHash.EMPTY);
        }
    }

    @Test
    void deltasLeadFromAnyRecentRevisionToTheSnapshot() throws Exception {
        try (StoreFixture fixture = open(true, "600000")) {
            RevisionLog log = fixture.store().log();
            Snapshot none = log.current();
            fixture.write(server("a", 1));
            reached(fixture, 1);
            Snapshot first = log.current();
            fixture.write(server("b", 2));
            fixture.write(gone(Kind.PROXY_SERVER, "a"));
            reached(fixture, 3);
            Snapshot third = log.current();

            for (Snapshot from : List.of(none, first)) {
                List<EntityChange> delta = log.changesSince(from.revision(), from.hash(), 3);
                assertThat(delta).isNotNull();
                assertThat(from.advance(3, delta).hash()).isEqualTo(third.hash());
            }
            assertThat(log.changesSince(0, none.hash(), 1)).containsExactly(server("a", 1));
            assertThat(log.changesSince(3, third.hash(), 3)).isEmpty();
            assertThat(log.changesSince(1, none.hash(), 3)).as("another hash").isNull();
            assertThat(log.changesSince(3, third.hash(), 1)).as("backwards").isNull();
            assertThat(log.changesSince(4, third.hash(), 4)).as("not known").isNull();
        }
    }

    @Test
    void listenersAreToldInOrder() throws Exception {
        try (StoreFixture fixture = open(true, "600000")) {
            List<Long> told = new CopyOnWriteArrayList<>();
            List<Long> numbers = new CopyOnWriteArrayList<>();
            fixture.store().log().onAdvance(snapshot -> told.add(snapshot.revision()));
            fixture.store().log().onRevision(revision -> numbers.add(revision.number()));
            for (int i = 1; i <= 20; i++) {
                fixture.write(server("a", i));
            }
            reached(fixture, 20);
            Eventually.holds("all were told", LIMIT, () -> numbers.size() == 20);
            assertThat(told).isSorted().doesNotHaveDuplicates().contains(20L);
            assertThat(numbers).isSorted().doesNotHaveDuplicates();
        }
    }

    @Test
    void aDeltaThatDoesNotAddUpIsReplacedByTheWholeState() throws Exception {
        try (StoreFixture writer = open(true, "600000");
                StoreFixture follower = open(false, "600000")) {
            RevisionLog log = follower.store().log();
            Snapshot none = log.current();
            writer.write(server("a", 1));
            TestDatabase.execute(url, "update revision_changes set after = jsonb_set(after, '{port}', '9')");
            follower.store().log().hint();
            reached(follower, 1);
            assertThat(log.current().state().proxyServers().get("a").port()).isEqualTo(1);
            assertThat(log.current().hash())
                    .isEqualTo(StateHash.of(log.current().state()));
            assertThat(log.changesSince(0, none.hash(), 1))
                    .as("no delta leads there")
                    .isNull();
        }
    }

    @Test
    void aHashOfAnOlderFormIsComputedAnewAtStart() throws Exception {
        try (StoreFixture writer = open(true, "600000")) {
            writer.write(server("a", 1));
        }
        TestDatabase.execute(url, "update head set state_hash = repeat('a', 64)");
        TestDatabase.execute(url, "update revisions set state_hash = repeat('a', 64)");
        try (StoreFixture fixture = open(true, "600000")) {
            Snapshot snapshot = fixture.store().log().current();
            assertThat(snapshot.hash()).isEqualTo(StateHash.of(snapshot.state()));
            assertThat(TestDatabase.query(
                            url, "select state_hash from head union all select state_hash from revisions"))
                    .containsOnly(snapshot.hash().hex());
            CommitResult committed = fixture.write(server("b", 2));
            reached(fixture, 2);
            assertThat(fixture.store().log().current().hash()).isEqualTo(committed.hash());
        }
    }

    @Test
    void aWrongHashInTheDatabaseIsCorrectedWhileRunning() throws Exception {
        try (StoreFixture fixture = open(true, "600000")) {
            fixture.write(server("a", 1));
            reached(fixture, 1);
            TestDatabase.execute(url, "update head set state_hash = repeat('a', 64)");
            fixture.write(server("b", 2));
            reached(fixture, 2);
            Snapshot second = fixture.store().log().current();
            assertThat(second.hash()).isEqualTo(StateHash.of(second.state()));
            assertThat(TestDatabase.query(url, "select state_hash from head"))
                    .containsExactly(second.hash().hex());

            fixture.write(server("c", 3));
            reached(fixture, 3);
            assertThat(fixture.store().log().changesSince(2, second.hash(), 3))
                    .as("followed, not loaded again")
                    .containsExactly(server("c", 3));
        }
    }

    @Test
    void aRestoredDatabaseIsFollowedBackwards() throws Exception {
        try (StoreFixture fixture = open(false, "50")) {
            fixture.write(server("a", 1));
            fixture.write(server("b", 2));
            reached(fixture, 2);
            String hash = TestDatabase.query(url, "select state_hash from revisions where number = 1")
                    .getFirst();
            TestDatabase.execute(url, "delete from proxy_servers where id = 'b'");
            TestDatabase.execute(url, "delete from revisions where number = 2");
            TestDatabase.execute(url, "update head set revision = 1, state_hash = '" + hash + "'");
            reached(fixture, 1);
            assertThat(fixture.store().log().current().state().proxyServers()).containsOnlyKeys("a");
            assertThat(fixture.store().log().current().hash().hex()).isEqualTo(hash);
        }
    }

    /** Makes the database what it was after revision 1, and writes {@code names} then, a revision each. */
    private void anotherHistory(String... names) throws Exception {
        String hash = TestDatabase.query(url, "select state_hash from revisions where number = 1")
                .getFirst();
        TestDatabase.execute(url, "delete from proxy_servers where id = 'b'");
        TestDatabase.execute(url, "delete from revisions where number > 1");
        TestDatabase.execute(url, "update head set revision = 1, state_hash = '" + hash + "'");
        try (StoreFixture writer = open(false, "600000")) {
            for (int i = 0; i < names.length; i++) {
                writer.write(server(names[i], 10 + i));
            }
        }
    }

    @Test
    void aRestoredDatabaseThatHasComeAsFarAgainIsFollowed() throws Exception {
        try (StoreFixture fixture = open(false, "600000")) {
            fixture.write(server("a", 1));
            fixture.write(server("b", 2));
            fixture.store().log().hint();
            reached(fixture, 2);
            Snapshot lost = fixture.store().log().current();

            anotherHistory("c");

            Snapshot confirmed = fixture.store().log().confirmed().await(20, TimeUnit.SECONDS);
            assertThat(confirmed.revision()).isEqualTo(2);
            assertThat(confirmed.state().proxyServers()).containsOnlyKeys("a", "c");
            assertThat(fixture.store().log().hashOf(2))
                    .isEqualTo(confirmed.hash())
                    .isNotEqualTo(lost.hash());
            assertThat(fixture.store().log().changesSince(2, lost.hash(), 2)).isNull();
        }
    }

    @Test
    void aRestoredDatabaseThatHasGoneFurtherIsFollowed() throws Exception {
        try (StoreFixture fixture = open(false, "600000")) {
            fixture.write(server("a", 1));
            fixture.write(server("b", 2));
            fixture.store().log().hint();
            reached(fixture, 2);

            anotherHistory("c", "d");

            Snapshot confirmed = fixture.store().log().confirmed().await(20, TimeUnit.SECONDS);
            assertThat(confirmed.revision()).isEqualTo(3);
            assertThat(confirmed.state().proxyServers()).containsOnlyKeys("a", "c", "d");
            assertThat(fixture.store().log().hashOf(2)).isNull();
        }
    }

    @Test
    void aHashThatAnotherVersionWroteIsLeftAlone() throws Exception {
        try (StoreFixture fixture = open(false, "50")) {
            fixture.write(server("a", 1));
            reached(fixture, 1);
            Snapshot before = fixture.store().log().current();
            String strange = "0".repeat(63) + "7";
            TestDatabase.execute(url, "update head set state_hash = '" + strange + "'");
            fixture.store().log().confirmed().await(20, TimeUnit.SECONDS);
            fixture.store().log().confirmed().await(20, TimeUnit.SECONDS);

            assertThat(fixture.store().log().current()).isSameAs(before);
            assertThat(TestDatabase.query(url, "select state_hash from head")).containsExactly(strange);
        }
    }

    @Test
    void aRevisionOfManyChangesIsFollowedAndLoadedWhole() throws Exception {
        EntityChange[] many =
                IntStream.range(0, 2100).mapToObj(i -> server("s" + i, 1 + i)).toArray(EntityChange[]::new);
        try (StoreFixture writer = open(true, "600000");
                StoreFixture follower = open(false, "50")) {
            CommitResult committed = writer.write(many);
            reached(follower, 1);
            assertThat(follower.store().log().current().hash()).isEqualTo(committed.hash());
            assertThat(follower.store().revisions().find(1).changes()).isEqualTo(2100);
            try (StoreFixture late = open(false, "600000")) {
                assertThat(late.store().log().current().state().proxyServers()).hasSize(2100);
                assertThat(late.store().log().current().hash()).isEqualTo(committed.hash());
            }
        }
    }

    @Test
    void aGapInTheHistoryIsLoadedOver() throws Exception {
        var bounded = TestSettings.of(
                dir, url, "revisionsKeptMax", "100", "revisionCheckpointsMax", "0", "revisionPollMillis", "600000");
        try (StoreFixture late = StoreFixture.deaf(bounded);
                StoreFixture writer = StoreFixture.listening(bounded)) {
            for (int i = 1; i <= 105; i++) {
                writer.write(server("a", i));
            }
            writer.store().retention().run();
            assertThat(TestDatabase.query(url, "select count(*) from revisions"))
                    .containsExactly("100");
            assertThat(TestDatabase.query(url, "select count(*) from revision_changes"))
                    .containsExactly("100");
            late.store().log().hint();
            reached(late, 105);
            assertThat(late.store()
                            .log()
                            .current()
                            .state()
                            .proxyServers()
                            .get("a")
                            .port())
                    .isEqualTo(105);
        }
    }
}
