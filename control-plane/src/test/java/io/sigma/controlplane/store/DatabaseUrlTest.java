package io.sigma.controlplane.store;

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
        assertThat(url.connectOptions().getSslMode()).isEqualTo(SslMode.VERIFY_FULL);
        assertThat(url.dataSource(5).getSslRootCert()).isEqualTo("/etc/ca+x.pem");
    }

    @Test
    void whatIsLeftOutHasDefaults() {
        DatabaseUrl url = DatabaseUrl.parse("postgresql://sigma@[::1]/sigma");
        assertThat(url).isEqualTo(new DatabaseUrl("::1", 5432, "sigma", "sigma", "", "prefer", null));
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
