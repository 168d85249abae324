package io.sigma.controlplane.store;

import static io.sigma.controlplane.store.StoreFixture.gone;
import static io.sigma.controlplane.store.StoreFixture.server;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.settings.ControlPlaneSettings;
import io.sigma.controlplane.store.database.DatabaseUrl;
import io.sigma.controlplane.testing.AdminClient.Reply;
import io.sigma.controlplane.testing.Eventually;
import io.sigma.controlplane.testing.RunningControlPlane;
import io.sigma.controlplane.testing.TestDatabase;
import io.sigma.controlplane.testing.TestSettings;
import io.sigma.model.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The retention of old revisions. */
@Timeout(120)
final class RetentionTest {

    private static final int REVISIONS = 160;

    @TempDir
    Path dir;

    private String url = "";

    @BeforeEach
    void empty() {
        url = TestDatabase.fresh();
    }

    private ControlPlaneSettings settings(String... more) {
        List<String> all = new ArrayList<>(List.of("revisionsKeptMax", "100"));
        all.addAll(List.of(more));
        return TestSettings.of(dir, url, all.toArray(String[]::new));
    }

    /** Makes 160 revisions: 20 in a day. */
    private void history(StoreFixture fixture) {
        for (int i = 1; i <= REVISIONS; i++) {
            String id = "s" + i % 9;
            fixture.write(i % 7 == 0 ? gone(Kind.PROXY_SERVER, "s" + (i - 1) % 9) : server(id, i));
        }
        TestDatabase.execute(
                url,
                "update revisions set committed_at = timestamptz '2024-05-05T00:00:00Z'"
                        + " + (number - 1) / 20 * interval '1 day' + number * interval '1 minute'");
    }

    private List<Long> kept() {
        return TestDatabase.query(url, "select number from revisions order by number").stream()
                .map(Long::valueOf)
                .toList();
    }

    private static List<Long> range(long from, long to) {
        return LongStream.rangeClosed(from, to).boxed().toList();
    }

    @Test
    void ofOldRevisionsCheckpointsAreKeptThatCanBeShownComparedAndRolledBackTo() throws Exception {
        String[] comparisons = {"20/diff/40", "40/diff/20", "40/diff/160", "20/diff/41", "20/diff/0", "100/diff/20"};
        try (RunningControlPlane running = RunningControlPlane.start(settings());
                StoreFixture fixture = StoreFixture.listening(settings("revisionsKeptDays", "0"))) {
            history(fixture);
            Map<String, JsonNode> before = new HashMap<>();
            for (String path : paths(comparisons)) {
                before.put(path, read(running, path));
            }

            assertThat(fixture.store().retention().run()).isEqualTo(2);

            List<Long> expected = new ArrayList<>(List.of(20L, 40L));
            expected.addAll(range(41, 160));
            assertThat(kept()).isEqualTo(expected);
            for (String path : paths(comparisons)) {
                assertThat(read(running, path)).as(path).isEqualTo(before.get(path));
            }
            JsonNode checkpoint = read(running, "/revisions/40");
            assertThat(checkpoint.path("since").asLong()).isEqualTo(20);
            assertThat(checkpoint.path("changes"))
                    .hasSize(read(running, "/revisions/20/diff/40")
                            .path("changes")
                            .size());
            assertThat(read(running, "/revisions?limit=1000")
                            .path("items")
                            .get(120)
                            .path("since")
                            .asLong())
                    .isEqualTo(20);

            Reply back = running.client().post("/revisions/20/rollback", "{}");

            assertThat(back.status()).as("%s", back).isEqualTo(200);
            assertThat(read(running, "/revisions/161").path("stateHash"))
                    .isEqualTo(read(running, "/revisions/20").path("stateHash"));
        }
    }

    private static List<String> paths(String... comparisons) {
        return Stream.concat(
                        Stream.of(comparisons).map(pair -> "/revisions/" + pair),
                        Stream.of("/revisions/20/config", "/revisions/40/config", "/revisions/60/config"))
                .toList();
    }

    private static JsonNode read(RunningControlPlane running, String path) {
        Reply reply = running.client().get(path);
        assertThat(reply.status()).as("%s %s", path, reply).isEqualTo(200);
        return reply.json();
    }

    @Test
    void whoAsksForARevisionThatIsNoLongerKeptLearnsWhichAre() throws Exception {
        try (RunningControlPlane running = RunningControlPlane.start(settings());
                StoreFixture fixture = StoreFixture.listening(settings("revisionCheckpointsMax", "2"))) {
            history(fixture);
            fixture.store().retention().run();
            // Three days are old, and the last of them is not merged yet.
            assertThat(kept().subList(0, 3)).containsExactly(40L, 41L, 42L);

            List<Reply> replies = List.of(
                    running.client().get("/revisions/17"),
                    running.client().get("/revisions/17/config"),
                    running.client().get("/revisions/17/acks"),
                    running.client().get("/revisions/17/diff/160"),
                    running.client().get("/revisions/160/diff/17"),
                    running.client().get("/revisions/160/diff/0"),
                    running.client().post("/revisions/17/rollback", "{}"),
                    running.client().post("/revisions/17/rollback", "{\"kind\":\"PROXY_SERVER\",\"id\":\"s1\"}"));

            for (Reply reply : replies) {
                assertThat(reply.status()).as("%s", reply).isEqualTo(410);
                assertThat(reply.json().path("type").asText()).isEqualTo("urn:sigma:problem:revision-gone");
                assertThat(reply.json().path("oldestRevision").asLong()).isEqualTo(40);
            }
            assertThat(replies.getFirst().json().path("detail").asText())
                    .isEqualTo("Revision 17 is no longer kept; the oldest kept revision is 40.");
            assertThat(running.client().get("/revisions/161/config").status()).isEqualTo(404);
            assertThat(running.client()
                            .post("/route-tests", "{\"url\":\"http://a.test/\",\"revision\":17}")
                            .status())
                    .isNotEqualTo(200);
        }
    }

    @Test
    void theNearestRevisionsAreNamedToo() throws Exception {
        try (RunningControlPlane running = RunningControlPlane.start(settings());
                StoreFixture fixture = StoreFixture.listening(settings())) {
            history(fixture);
            fixture.store().retention().run();

            assertThat(running.client()
                            .get("/revisions/33")
                            .json()
                            .path("detail")
                            .asText())
                    .isEqualTo("Revision 33 is no longer kept; the nearest kept revisions are 20 and 40,"
                            + " the oldest is 20.");
        }
    }

    @Test
    void ageAloneMakesRevisionsOldButNeverTheNewestHundred() throws Exception {
        String[] aged = {"revisionsKeptMax", "100000", "revisionsKeptDays", "30", "revisionCheckpointsMax", "0"};
        try (StoreFixture fixture = StoreFixture.listening(settings(aged))) {
            history(fixture);
            TestDatabase.execute(url, "update revisions set committed_at = now() where number > 30");

            fixture.store().retention().run();
            assertThat(kept()).isEqualTo(range(31, 160));

            TestDatabase.execute(url, "update revisions set committed_at = now() - interval '31 days'");
            fixture.store().retention().run();
            assertThat(kept()).isEqualTo(range(61, 160));
        }
    }

    @Test
    void whatWasMergedIsMergedAgainWithLongerSlots() throws Exception {
        try (StoreFixture fixture = StoreFixture.listening(settings())) {
            history(fixture);
            fixture.store().retention().run();
        }
        try (StoreFixture fixture = StoreFixture.listening(settings("revisionCheckpointHours", "8760"));
                RunningControlPlane running = RunningControlPlane.start(settings())) {
            JsonNode before = read(running, "/revisions/160/diff/60");
            for (int i = 1; i <= 30; i++) {
                fixture.write(server("t", i));
            }
            TestDatabase.execute(url, "update revisions set committed_at = now() where number > 60");

            fixture.store().retention().run();

            assertThat(kept().subList(0, 2)).containsExactly(60L, 61L);
            assertThat(read(running, "/revisions/60").path("since").asLong()).isZero();
            assertThat(read(running, "/revisions/160/diff/60")).isEqualTo(before);
            assertThat(read(running, "/revisions/60/diff/0").path("changes"))
                    .hasSize(read(running, "/revisions/60").path("changes").size());
        }
    }

    @Test
    void aKeyOfAMergedRevisionIsForgotten() throws Exception {
        WriteKey key = WriteKey.of("test", "key", new byte[] {1});
        try (StoreFixture fixture = StoreFixture.listening(settings())) {
            history(fixture);
            TestDatabase.execute(
                    url,
                    "update revisions set write_id = '" + key.writeId() + "', request_digest = 'x' where number = 20");

            fixture.store().retention().run();

            assertThat(TestDatabase.query(url, "select count(*) from revisions where request_digest is not null"))
                    .containsExactly("0");
            assertThat(TestDatabase.query(
                            url, "select count(*) from revisions where write_id = '" + key.writeId() + "'"))
                    .containsExactly("0");
        }
    }

    @Test
    void oneControlPlaneWorksAtATime() throws Exception {
        try (StoreFixture fixture = StoreFixture.listening(settings());
                StoreFixture other = StoreFixture.listening(settings())) {
            history(fixture);
            int steps = other.store().database().transaction(connection -> {
                other.store().database().query(connection, "select pg_advisory_xact_lock($1)", Retention.LOCK);
                return fixture.store().retention().run();
            });
            assertThat(steps).isZero();
            assertThat(kept()).hasSize(REVISIONS);

            assertThat(fixture.store().retention().run()).isEqualTo(2);
            assertThat(other.store().retention().run()).isZero();
        }
    }

    @Test
    void theHistoryOfAnOlderVersionIsKeptAndThinnedLikeAnyOther() throws Exception {
        DatabaseUrl parsed = DatabaseUrl.parse(url);
        Flyway.configure()
                .dataSource(parsed.dataSource(5))
                .locations("classpath:db/migration")
                .target("111")
                .load()
                .migrate();
        TestDatabase.execute(
                url,
                "insert into revisions (number, write_id, committed_at, author, state_hash, changes)"
                        + " select n, gen_random_uuid(), timestamptz '2024-05-05T00:00:00Z' + n / 50 * interval '1 day',"
                        + " 'admin', repeat('0', 64), 1 from generate_series(1, 200) n");
        TestDatabase.execute(
                url,
                "insert into revision_changes (revision, seq, kind, id, before, after) select n, 0, 'PROXY_SERVER', 'web',"
                        + " case when n > 1 then jsonb_build_object('id', 'web', 'port', n - 1) end,"
                        + " jsonb_build_object('id', 'web', 'port', n) from generate_series(1, 200) n");
        TestDatabase.execute(
                url,
                "insert into proxy_servers (id, spec, revision, updated_at)"
                        + " values ('web', '{\"id\":\"web\",\"port\":200}', 200, now())");
        TestDatabase.execute(url, "update head set revision = 200");

        try (StoreFixture fixture = StoreFixture.listening(settings());
                RunningControlPlane running = RunningControlPlane.start(settings())) {
            assertThat(read(running, "/revisions/7/config")
                            .at("/proxyServers/0/port")
                            .asInt())
                    .isEqualTo(7);

            fixture.store().retention().run();

            assertThat(kept().subList(0, 2)).containsExactly(49L, 99L);
            assertThat(read(running, "/revisions/49/config")
                            .at("/proxyServers/0/port")
                            .asInt())
                    .isEqualTo(49);
            assertThat(read(running, "/revisions/49").path("since").asLong()).isZero();
            assertThat(fixture.write(server("more", 1)).revision()).isEqualTo(201);
        }
    }

    /** The thread would end with what nobody expects, and the history grow until a restart. */
    @Test
    void whateverIsThrownTheNextLookIsTaken() throws Exception {
        try (StoreFixture fixture = StoreFixture.deaf(settings("revisionsKeptDays", "0"))) {
            history(fixture);
            TestDatabase.execute(url, "create table kept_head as select * from head");
            TestDatabase.execute(url, "delete from head");
            Retention retention = new Retention(fixture.store().database(), 100, 0, 24, 50, Duration.ofMillis(50));
            retention.start();
            try {
                Thread.sleep(500);
                assertThat(kept()).hasSize(REVISIONS);
                TestDatabase.execute(url, "insert into head select * from kept_head");
                Eventually.holds("old ones are tidied up", Duration.ofSeconds(20), () -> kept().size() < REVISIONS);
            } finally {
                retention.close();
            }
        }
    }
}
