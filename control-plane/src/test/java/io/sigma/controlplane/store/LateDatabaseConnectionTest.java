package io.sigma.controlplane.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.store.database.Database;
import io.sigma.controlplane.store.database.DatabaseUrl;
import io.sigma.controlplane.testing.Eventually;
import io.sigma.controlplane.testing.TestDatabase;
import io.sigma.controlplane.testing.TestSettings;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgBuilder;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.SqlConnection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Connections to PostgreSQL that come when nobody waits for them any more. */
@Timeout(120)
final class LateDatabaseConnectionTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);

    @TempDir
    Path dir;

    private final String url = TestDatabase.fresh();
    private final DatabaseUrl parsed = DatabaseUrl.parse(url);

    private StoreFixture open(BreakingProxy proxy) throws InterruptedException {
        String through = url.replace(":" + parsed.port() + "/", ":" + proxy.port() + "/") + "?sslmode=disable";
        return StoreFixture.deaf(TestSettings.of(dir, through, "databaseTimeoutMillis", "500"));
    }

    /** The pool here has one connection, and gives up no sooner than who asks it: the next one gets what came late. */
    @Test
    void aConnectionThatComesTooLateGoesBackToItsPool() throws Exception {
        try (BreakingProxy direct = new BreakingProxy(parsed.port());
                BreakingProxy slow = new BreakingProxy(parsed.port());
                StoreFixture fixture = open(direct)) {
            Vertx vertx = Vertx.vertx();
            Pool pool = PgBuilder.pool()
                    .using(vertx)
                    .connectingTo(parsed.connectOptions(new DatabaseUrl.Host("127.0.0.1", slow.port())))
                    .with(new PoolOptions().setMaxSize(1))
                    .build();
            Database database = fixture.store().database();
            slow.hold();
            assertThatThrownBy(() -> database.connection(pool)).isInstanceOf(FailureException.class);
            slow.pass();

            Eventually.holds("the connection is there", LIMIT, () -> pool.size() == 1);
            SqlConnection next = database.connection(pool);
            assertThat(database.query(next, "select 1").size()).isEqualTo(1);
            next.close();
            pool.close().await(LIMIT.toSeconds(), TimeUnit.SECONDS);
            vertx.close().await(LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    /** There are two connections for writes: as many that are lost would end writing for good. */
    @Test
    void writesGoOnAfterConnectionsThatTookTooLong() throws Exception {
        try (BreakingProxy proxy = new BreakingProxy(parsed.port());
                StoreFixture fixture = open(proxy)) {
            proxy.hold();
            for (int i = 0; i < 3; i++) {
                int port = i + 1;
                assertThatThrownBy(() -> fixture.write(StoreFixture.server("a", port)))
                        .isInstanceOf(FailureException.class);
            }
            proxy.pass();
            for (int i = 0; i < 5; i++) {
                int port = i + 1;
                Eventually.holds("a write is taken", LIMIT, () -> {
                    try {
                        return fixture.write(StoreFixture.server("a", port)).durable();
                    } catch (FailureException e) {
                        return false;
                    }
                });
            }
        }
    }
}
