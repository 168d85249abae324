package io.sigma.controlplane.testing;

import io.sigma.controlplane.store.database.DatabaseUrl;
import io.sigma.postgres.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A PostgreSQL server for all tests of a JVM; each test begins with an empty schema. */
public final class TestDatabase {

    private static @Nullable EmbeddedPostgres server;

    private TestDatabase() {}

    /** Returns the URL of the database, emptied. */
    public static synchronized String fresh() {
        try {
            if (server == null) {
                Path dir =
                        Files.createDirectories(Path.of("target/postgres-test").toAbsolutePath());
                server = EmbeddedPostgres.start(dir);
            }
            execute(server.url(), "drop schema public cascade");
            execute(server.url(), "create schema public");
            return server.url();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a statement. */
    public static void execute(String url, String sql) {
        try (Connection connection = connect(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What is done while a table is locked; {@code waited} returns when somebody waits for the table. */
    @FunctionalInterface
    public interface Meanwhile {
        void run(Runnable waited) throws IOException;
    }

    /** Does something while nobody can read or write a table. */
    public static void whileLocked(String url, String table, Meanwhile work) throws IOException {
        try (Connection connection = connect(url);
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("lock table " + table);
            work.run(() -> Eventually.holds(
                    "somebody waits for " + table,
                    Duration.ofSeconds(10),
                    () -> !query(
                                    url,
                                    "select 1 from pg_locks where not granted and relation = '" + table + "'::regclass")
                            .isEmpty()));
            connection.commit();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the first column of a query. */
    public static List<String> query(String url, String sql) {
        try (Connection connection = connect(url);
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            List<String> rows = new ArrayList<>();
            while (result.next()) {
                rows.add(result.getString(1));
            }
            return rows;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Connection connect(String url) throws SQLException {
        DatabaseUrl parsed = DatabaseUrl.parse(url);
        String jdbc = "jdbc:postgresql://" + parsed.host() + ":" + parsed.port() + "/" + parsed.database();
        return DriverManager.getConnection(jdbc, parsed.user(), parsed.password());
    }
}
