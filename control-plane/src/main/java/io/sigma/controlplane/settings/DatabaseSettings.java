package io.sigma.controlplane.settings;

import io.sigma.settings.Setting;
import org.jspecify.annotations.Nullable;

/** PostgreSQL, and the connections to it. */
public record DatabaseSettings(
        @Setting(
                value = "URL of PostgreSQL: postgresql://user:password@host:port[,host:port]/database. With several "
                        + "hosts, the one that takes writes is used. Options: sslmode (disable, allow, prefer, "
                        + "require, verify-ca, verify-full), sslrootcert and target_session_attrs (read-write).",
                secret = true)
        @Nullable
        String databaseUrl,

        @Setting(
                value = "Number of connections to PostgreSQL for reads. Writes use two more.",
                defaultValue = "8",
                min = 2,
                max = 1000)
        int databasePoolSize,

        @Setting(
                value = "Largest number of requests that wait for a connection to PostgreSQL. A further request is "
                        + "answered 503.",
                defaultValue = "256",
                min = 1,
                max = 100_000)
        int databaseQueueMax,

        @Setting(
                value = "Longest wait for a connection to PostgreSQL, or for an answer from it, in milliseconds.",
                defaultValue = "5000",
                min = 100,
                max = 600_000)
        int databaseTimeoutMillis,

        @Setting(
                value = "Longest wait for PostgreSQL at start, in milliseconds.",
                defaultValue = "60000",
                min = 0,
                max = 3_600_000)
        int databaseStartMillis) {

    @Override
    public String toString() {
        return "DatabaseSettings[secrets=[redacted]]";
    }
}
