package io.sigma.controlplane.store.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.pgclient.SslMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DatabaseUrlTest {

    @Test
    void everyPartIsReadAndUnescaped() {
        DatabaseUrl url = DatabaseUrl.parse(
                "postgresql://si%40gma:p%3Aa+%2F%25@db.example:5433/my%20db?sslmode=verify-full&sslrootcert=/etc/ca%2Bx.pem");
        assertThat(url)
                .isEqualTo(new DatabaseUrl(
                        "db.example", 5433, "my db", "si@gma", "p:a+/%", "verify-full", "/etc/ca+x.pem"));
        assertThat(url.connectOptions(url.hosts().getFirst()).getSslMode()).isEqualTo(SslMode.VERIFY_FULL);
        assertThat(url.dataSource(5).getSslRootCert()).isEqualTo("/etc/ca+x.pem");
    }

    @Test
    void whatIsLeftOutHasDefaults() {
        DatabaseUrl url = DatabaseUrl.parse("postgresql://sigma@[::1]/sigma");
        assertThat(url).isEqualTo(new DatabaseUrl("::1", 5432, "sigma", "sigma", "", "prefer", null));
    }

    @Test
    void severalHostsAreReadInTheirOrder() {
        DatabaseUrl url = DatabaseUrl.parse("postgresql://sigma:geheim@db-1,db-2:5433,[::1]:5434/sigma"
                + "?target_session_attrs=read-write&sslmode=disable");
        assertThat(url.hosts())
                .containsExactly(
                        new DatabaseUrl.Host("db-1", 5432),
                        new DatabaseUrl.Host("db-2", 5433),
                        new DatabaseUrl.Host("::1", 5434));
        assertThat(url).asString().contains("db-1:5432,db-2:5433,[::1]:5434/sigma");
        assertThat(url.dataSource(5).getServerNames()).containsExactly("db-1", "db-2", "::1");
        assertThat(url.dataSource(5).getPortNumbers()).containsExactly(5432, 5433, 5434);
        assertThat(url.connectOptions(url.hosts().get(1)).getPort()).isEqualTo(5433);
    }

    @Test
    void thePasswordIsNeverShown() {
        assertThat(DatabaseUrl.parse("postgresql://sigma:geheim@db/sigma"))
                .asString()
                .contains("db:5432/sigma")
                .doesNotContain("geheim");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mysql://sigma:geheim@db/sigma",
                "postgresql://db/geheim",
                "postgresql://sigma:geheim@db",
                "postgresql://sigma:geheim@db/",
                "postgresql://sigma:geheim@/sigma",
                "postgresql://sigma:geheim@db/sigma?sslmode=maybe",
                "postgresql://sigma:geheim@db/sigma?options=x",
                "postgresql://sigma:geheim@db,/sigma",
                "postgresql://sigma:geheim@db,db:x/sigma",
                "postgresql://sigma:geheim@db,a b/sigma",
                "postgresql://sigma:geheim@db/sigma?target_session_attrs=any",
                "geheim geheim",
            })
    void othersAreRefusedWithoutTheirPassword(String url) {
        assertThatThrownBy(() -> DatabaseUrl.parse(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("databaseUrl: ")
                .hasMessageContaining("(expected: ")
                .hasMessageNotContaining("geheim");
    }
}
