package io.sigma.controlplane.store.database;

import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings the schema up to date. Blocks; used once, at start. */
public final class Migrations {

    private static final Logger LOG = LoggerFactory.getLogger(Migrations.class);

    private static final long BACK_OFF_MIN_MILLIS = 100;
    private static final long BACK_OFF_MAX_MILLIS = 2000;
    private static final int CONNECT_TIMEOUT_SECONDS = 5;

    private Migrations() {}

    /**
     * Waits for PostgreSQL, at most {@code wait}, and applies what its schema lacks. Several control planes may do so
     * at once: Flyway's lock lets one of them work while the others wait.
     *
     * @throws FailureException with {@link Failure.Unavailable} when PostgreSQL does not answer in time or refuses
     */
    public static void migrate(DatabaseUrl url, Duration wait) throws InterruptedException {
        PGSimpleDataSource source = url.dataSource(CONNECT_TIMEOUT_SECONDS);
        await(url, source, wait);
        try {
            Flyway.configure(Migrations.class.getClassLoader())
                    .dataSource(source)
                    .locations("classpath:db/migration")
                    .failOnMissingLocations(true)
                    .load()
                    .migrate();
        } catch (FlywayException e) {
            throw unavailable(url, e);
        }
    }

    private static void await(DatabaseUrl url, PGSimpleDataSource source, Duration wait) throws InterruptedException {
        long deadline = System.nanoTime() + wait.toNanos();
        long backOff = BACK_OFF_MIN_MILLIS;
        while (true) {
            try (Connection connection = source.getConnection()) {
                connection.createStatement().execute("select 1");
                return;
            } catch (SQLException e) {
                long left = deadline - System.nanoTime();
                if (left <= 0 || isFinal(e)) {
                    throw unavailable(url, e);
                }
                if (backOff == BACK_OFF_MIN_MILLIS) {
                    LOG.info("Waiting up to {} s for {}: {}", wait.toSeconds(), url, e.getMessage());
                }
                Thread.sleep(Math.min(backOff, Math.max(1, left / 1_000_000)));
                backOff = Math.min(backOff * 2, BACK_OFF_MAX_MILLIS);
            }
        }
    }

    /** Returns whether waiting cannot help: the password is wrong, or the role may not connect. */
    private static boolean isFinal(SQLException e) {
        String state = e.getSQLState();
        return state != null && state.startsWith("28");
    }

    private static FailureException unavailable(DatabaseUrl url, Exception cause) {
        String detail = "The database " + url + " cannot be used: " + cause.getMessage();
        return new FailureException(new Failure.Unavailable(detail), cause);
    }
}
