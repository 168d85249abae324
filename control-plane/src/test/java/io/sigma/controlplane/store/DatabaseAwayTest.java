package io.sigma.controlplane.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.store.database.DatabaseUrl;
import io.sigma.controlplane.testing.AdminClient.Reply;
import io.sigma.controlplane.testing.RunningControlPlane;
import io.sigma.controlplane.testing.TestDatabase;
import io.sigma.controlplane.testing.TestSettings;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Answers of reads of the admin API while PostgreSQL is away or slow. */
@Timeout(180)
final class DatabaseAwayTest {

    private static final List<String> READS = List.of(
            "/traffic",
            "/traffic/top",
            "/upstreams/u/health",
            "/upstreams/u/health/history",
            "/revisions/1/acks",
            "/revisions/1",
            "/revisions",
            "/upstreams/u");

    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir
    Path dir;

    private String url = "";
    private DatabaseUrl parsed = DatabaseUrl.parse("postgresql://a:b@127.0.0.1:1/c");

    @BeforeEach
    void empty() {
        url = TestDatabase.fresh();
        parsed = DatabaseUrl.parse(url);
    }

    private static void written(Reply reply) {
        assertThat(reply.status()).as("%s", reply).isIn(200, 201);
    }

    private static void assertUnavailable(Reply reply, String path, String type) {
        assertThat(reply.status()).as("%s: %s", path, reply).isEqualTo(503);
        assertThat(reply.json().path("type").asText()).as("%s: %s", path, reply).isEqualTo("urn:sigma:problem:" + type);
        assertThat(reply.header("Retry-After")).as(path).isNotEmpty();
    }

    @Test
    void everyReadSaysThatTheDatabaseIsAway() throws Exception {
        try (BreakingProxy proxy = new BreakingProxy(parsed.port());
                RunningControlPlane running = RunningControlPlane.start(TestSettings.of(
                        dir,
                        url.replace(":" + parsed.port() + "/", ":" + proxy.port() + "/") + "?sslmode=disable",
                        "databaseTimeoutMillis",
                        "1000"))) {
            written(running.client().put("/upstreams/u", "{\"nodes\":[{\"url\":\"http://a.test\"}]}"));
            proxy.goAway();
            for (String path : READS) {
                assertUnavailable(running.client().get(path), path, "database-away");
            }
        }
    }

    /** A server that takes connections and says nothing keeps nobody who wants to stop. */
    @Test
    void aStoreClosesWhateverTheDatabaseDoes() throws Exception {
        try (BreakingProxy proxy = new BreakingProxy(parsed.port());
                StoreFixture fixture = StoreFixture.deaf(TestSettings.of(
                        dir, url.replace(":" + parsed.port() + "/", ":" + proxy.port() + "/") + "?sslmode=disable"))) {
            fixture.write(StoreFixture.server("a", 1));
            proxy.silence();
            // More than there are connections: some are being made when all are closed.
            for (int i = 0; i < 40; i++) {
                fixture.store().database().pool().query("select 1").execute();
            }
            fixture.store().close().await(LIMIT.toSeconds(), TimeUnit.SECONDS);
            // Vert.x itself waits for those.
            proxy.goAway();
        }
    }

    @Test
    void aReadThatTakesTooLongIsNoFailureOfTheControlPlane() throws Exception {
        try (RunningControlPlane running =
                        RunningControlPlane.start(TestSettings.of(dir, url, "databaseTimeoutMillis", "500"));
                Connection other = DriverManager.getConnection(
                        "jdbc:postgresql://" + parsed.host() + ":" + parsed.port() + "/" + parsed.database(),
                        parsed.user(),
                        parsed.password());
                Statement statement = other.createStatement()) {
            written(running.client().put("/upstreams/u", "{\"nodes\":[{\"url\":\"http://a.test\"}]}"));
            other.setAutoCommit(false);
            statement.execute("lock table traffic, node_health, node_events, gateway_answers in access exclusive mode");
            for (String path : READS.subList(0, 5)) {
                assertUnavailable(running.client().get(path), path, "unavailable");
            }
            other.rollback();
            assertThat(running.client().get("/traffic").status()).isEqualTo(200);
        }
    }

    /** As the database says it when no page can be added to a table. */
    @Test
    void healthSaysThatTheDiskOfTheDatabaseIsFull() throws Exception {
        try (RunningControlPlane running = RunningControlPlane.start(TestSettings.of(dir, url))) {
            TestDatabase.execute(url, """
                    create function full_disk() returns trigger language plpgsql as
                    $$ begin raise exception 'No space left on device' using errcode = '53100'; end $$""");
            TestDatabase.execute(
                    url, "create trigger full_disk before insert on revisions execute function full_disk()");
            assertThat(running.client().get("/health").json().path("status").asText())
                    .isEqualTo("UP");
            Reply write = running.client().put("/upstreams/u", "{\"nodes\":[{\"url\":\"http://a.test\"}]}");
            assertUnavailable(write, "/upstreams/u", "unavailable");
            Reply health = running.client().get("/health");
            // Reads are served.
            assertThat(health.status()).isEqualTo(200);
            assertThat(health.json().path("status").asText()).isEqualTo("DEGRADED");
            assertThat(health.json().at("/checks/database").asText()).contains("disk is full");
        }
    }

    @Test
    void aControlPlaneThatIsBehindSaysSo() throws Exception {
        try (RunningControlPlane running = RunningControlPlane.start(TestSettings.of(dir, url))) {
            written(running.client().put("/upstreams/u", "{\"nodes\":[{\"url\":\"http://a.test\"}]}"));
            // Only the history has it: there is nothing that it could be loaded from.
            TestDatabase.execute(
                    url,
                    "insert into revisions (number, write_id, committed_at, author, state_hash, changes)"
                            + " select number + 6, gen_random_uuid(), committed_at, author, state_hash, 0 from revisions");
            assertUnavailable(running.client().get("/revisions/7/config"), "/revisions/7/config", "unavailable");
        }
    }
}
