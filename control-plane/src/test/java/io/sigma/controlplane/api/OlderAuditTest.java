package io.sigma.controlplane.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.store.database.DatabaseUrl;
import io.sigma.controlplane.testing.AdminClient;
import io.sigma.controlplane.testing.RunningControlPlane;
import io.sigma.controlplane.testing.TestDatabase;
import io.sigma.controlplane.testing.TestSettings;
import java.nio.file.Path;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Audit records of an older version. */
final class OlderAuditTest {

    @TempDir
    Path dir;

    @Test
    void beginsTheChain() throws Exception {
        String database = TestDatabase.fresh();
        DatabaseUrl url = DatabaseUrl.parse(database);
        Flyway.configure()
                .dataSource(
                        "jdbc:postgresql://" + url.host() + ":" + url.port() + "/" + url.database(),
                        url.user(),
                        url.password())
                .locations("classpath:db/migration")
                .target("70")
                .load()
                .migrate();
        for (int i = 1; i <= 3; i++) {
            TestDatabase.execute(
                    database,
                    "insert into revisions (number, write_id, committed_at, author, state_hash, changes) values (" + i
                            + ", gen_random_uuid(), now(), 'admin', repeat('0', 64), 1)");
            TestDatabase.execute(
                    database,
                    "insert into revision_changes (revision, seq, kind, id, after) values (" + i
                            + ", 0, 'PROXY_SERVER', 'web', '{\"id\":\"web\",\"port\":" + i + "}')");
            TestDatabase.execute(
                    database, "insert into audit values (" + i + ", now(), 'admin', '10.0.0.1', 'putProxyServer web')");
        }
        TestDatabase.execute(
                database,
                "insert into proxy_servers (id, spec, revision, updated_at) values"
                        + " ('web', '{\"id\":\"web\",\"port\":3}', 3, now())");
        TestDatabase.execute(database, "update head set revision = 3");
        try (RunningControlPlane upgraded = RunningControlPlane.start(TestSettings.of(dir, database))) {
            AdminClient admin = upgraded.client();
            assertThat(AuditTest.records(admin, "").subList(0, 3))
                    .containsOnly("admin putProxyServer DONE 200 [PROXY_SERVER/web]");
            assertThat(AuditTest.records(admin, "")).hasSize(4);
            assertThat(admin.get("/audit/verification").json().path("valid").asBoolean())
                    .isTrue();
            assertThat(upgraded.controlPlane().firstAdmin()).isPresent();
            assertThat(admin.put("/proxy-servers/more", "{\"port\":18299}").status())
                    .isEqualTo(201);
        }
    }
}
