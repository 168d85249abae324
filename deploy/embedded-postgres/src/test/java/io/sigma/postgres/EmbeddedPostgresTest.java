package io.sigma.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When the tests run as root, the temporary directories are closed to the server's user, as root's home is. */
final class EmbeddedPostgresTest {

    private static final Path BINARIES = Path.of("target/postgres").toAbsolutePath();
    private static final Duration WAIT = Duration.ofSeconds(30);

    @TempDir
    Path dataDir;

    @Test
    void keepsDataAndPortBetweenRuns() throws Exception {
        int port;
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(dataDir, BINARIES)) {
            execute(postgres.url(), "create table kept (value text)");
            execute(postgres.url(), "insert into kept values ('yes')");
            port = postgres.port();
        }
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(dataDir, BINARIES)) {
            assertThat(query(postgres.url(), "select value from kept")).isEqualTo("yes");
            assertThat(postgres.port()).isEqualTo(port);
        }
    }

    @Test
    void isDurableAndKeepsItsSecrets() throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(dataDir, BINARIES)) {
            assertThat(query(postgres.url(), "show fsync")).isEqualTo("on");
            assertThat(query(postgres.url(), "show full_page_writes")).isEqualTo("on");
            assertThat(query(postgres.url(), "show data_checksums")).isEqualTo("on");
            assertThat(query(postgres.url(), "show password_encryption")).isEqualTo("scram-sha-256");
            assertThat(query(postgres.url(), "show listen_addresses")).isEqualTo("127.0.0.1");
            assertThat(query(postgres.url(), "show server_encoding")).isEqualTo("UTF8");
            assertThat(query(postgres.url(), "select rolsuper from pg_roles where rolname = current_user"))
                    .isEqualTo("f");
            Path password = dataDir.resolve("postgres/password");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(password)))
                    .isEqualTo("rw-------");
            assertThat(postgres.toString())
                    .doesNotContain(Files.readString(password).strip());
            assertThat(String.join(" ", commandLine(postgres.pid())))
                    .doesNotContain(Files.readString(password).strip());
        }
    }

    @Test
    void refusesAWrongPassword() throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(dataDir, BINARIES)) {
            assertThatThrownBy(() ->
                            query("postgresql://sigma:wrong@127.0.0.1:%d/sigma".formatted(postgres.port()), "select 1"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("password authentication failed");
        }
    }

    @Test
    void refusesADirectoryThatIsInUse() throws Exception {
        try (EmbeddedPostgres first = EmbeddedPostgres.start(dataDir, BINARIES)) {
            assertThatThrownBy(() -> EmbeddedPostgres.start(dataDir, BINARIES))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("is in use by another Sigma process");
            assertThat(query(first.url(), "select 'alive'")).isEqualTo("alive");
        }
    }

    @Test
    void refusesDataOfAnotherMajorVersion() throws Exception {
        EmbeddedPostgres.start(dataDir, BINARIES).close();
        Path version = dataDir.resolve("postgres/data/PG_VERSION");
        String ours = Files.readString(version).strip();
        Files.writeString(version, "9\n");
        assertThatThrownBy(() -> EmbeddedPostgres.start(dataDir, BINARIES))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("was written by PostgreSQL 9 (expected: %s;", ours);
    }

    @Test
    void failureToStartShowsTheLog() throws Exception {
        EmbeddedPostgres.start(dataDir, BINARIES).close();
        Path conf = dataDir.resolve("postgres/data/postgresql.conf");
        Files.writeString(conf, "no_such_setting = 1\n", StandardOpenOption.APPEND);
        assertThatThrownBy(() -> EmbeddedPostgres.start(dataDir, BINARIES))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("ended with exit code 1 while starting")
                .hasMessageContaining("unrecognized configuration parameter \"no_such_setting\"");
    }

    @Test
    void anInterruptedCreationIsDoneAgain() throws Exception {
        Path part = Files.createDirectories(dataDir.resolve("postgres/data.part/data"));
        Files.writeString(part.resolve("PG_VERSION"), "half");
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(dataDir, BINARIES)) {
            assertThat(query(postgres.url(), "select 1")).isEqualTo("1");
            assertThat(dataDir.resolve("postgres/data.part")).doesNotExist();
        }
    }

    @Test
    void aKilledServerIsStartedAgainOnItsPort() throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(dataDir, BINARIES)) {
            execute(postgres.url(), "create table kept as select 'yes' as value");
            long killed = postgres.pid();
            Signals.send("KILL", killed);
            await(() -> postgres.pid() != killed && answers(postgres.url()));
            assertThat(query(postgres.url(), "select value from kept")).isEqualTo("yes");
        }
    }

    @Test
    void stopsWhenItsParentIsKilled() throws Exception {
        long pid;
        try (ForkedJvm parent = ForkedJvm.start(List.of(), System.getProperty("java.class.path"), dataDir, BINARIES)) {
            ForkedJvm.Running running = parent.running();
            pid = running.pid();
            execute(running.url(), "create table kept as select 'yes' as value");
            parent.kill();
        }
        await(() -> !Files.exists(Path.of("/proc", "" + pid)));
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(dataDir, BINARIES)) {
            assertThat(query(postgres.url(), "select value from kept")).isEqualTo("yes");
        }
    }

    @Test
    void aLeftOverServerIsStoppedFirst() throws Exception {
        EmbeddedPostgres.start(dataDir, BINARIES).close();
        Path data = dataDir.resolve("postgres/data");
        Process leftOver = orphan(data);
        try {
            await(() -> PidFile.read(data).filter(PidFile::ready).isPresent());
            assertThat(StaleServer.find(data)).contains(leftOver.pid());
            try (EmbeddedPostgres postgres = EmbeddedPostgres.start(dataDir, BINARIES)) {
                assertThat(query(postgres.url(), "select 1")).isEqualTo("1");
                assertThat(postgres.pid()).isNotEqualTo(leftOver.pid());
                assertThat(leftOver.isAlive()).isFalse();
            }
        } finally {
            leftOver.destroyForcibly();
        }
    }

    @Test
    void anInnocentProcessWithTheOldNumberIsLeftAlone() throws Exception {
        EmbeddedPostgres.start(dataDir, BINARIES).close();
        Path data = dataDir.resolve("postgres/data");
        Process innocent = new ProcessBuilder(RunAs.forData(data).command(List.of("sleep", "600"))).start();
        try {
            Files.writeString(
                    data.resolve(PidFile.NAME), innocent.pid() + "\n/proc/self/cwd\n1\n1\n\n127.0.0.1\n\nready\n");
            try (EmbeddedPostgres postgres = EmbeddedPostgres.start(dataDir, BINARIES)) {
                assertThat(query(postgres.url(), "select 1")).isEqualTo("1");
                assertThat(innocent.isAlive()).isTrue();
            }
        } finally {
            innocent.destroyForcibly();
        }
    }

    @Test
    void programsGoToTheSharedPlaceWhereTheirUserCannotReachTheWantedOne() throws Exception {
        RunAs runAs = RunAs.forData(dataDir.resolve("postgres/data"));
        assumeTrue(runAs.switchesUser(), "only root runs the server as somebody else");
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(dataDir)) {
            assertThat(query(postgres.url(), "select 1")).isEqualTo("1");
            assertThat(commandLine(postgres.pid()).getFirst()).startsWith("/var/cache/sigma/postgres/bin-");
            assertThat((Integer) Files.getAttribute(Path.of("/proc/" + postgres.pid()), "unix:uid"))
                    .isEqualTo(runAs.uid())
                    .isNotZero();
        }
    }

    @Test
    void runsAsAUserThatIsNotRoot() throws Exception {
        assumeTrue(RunAs.forData(dataDir.resolve("none")).switchesUser(), "only root can become somebody else");
        Path open = Files.createTempDirectory("sigma-postgres-test");
        try {
            Path home = Files.createDirectory(open.resolve("home"));
            String classPath = ForkedJvm.readableClassPath(open);
            Files.setAttribute(home, "unix:uid", 65534);
            List<String> asNobody = List.of("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups");
            try (ForkedJvm parent = ForkedJvm.start(asNobody, classPath, home, home.resolve("postgres"))) {
                ForkedJvm.Running running = parent.running();
                assertThat(query(running.url(), "select 1")).isEqualTo("1");
                assertThat(running.user()).isEqualTo("nobody");
            }
        } finally {
            Binaries.deleteTree(open);
        }
    }

    /** Starts a server on this data that nobody looks after. */
    private static Process orphan(Path data) throws IOException {
        RunAs runAs = RunAs.forData(data);
        List<String> command = new ArrayList<>(List.of("setsid", "setpriv"));
        if (runAs.switchesUser()) {
            command.addAll(List.of("--reuid", "" + runAs.uid(), "--regid", "" + runAs.gid(), "--clear-groups"));
        } else {
            command.add("--no-new-privs");
        }
        Path postgres = BINARIES.resolve("bin-" + Binaries.version()).resolve("bin/postgres");
        int port =
                Integer.parseInt(Files.readString(data.resolveSibling("port")).strip());
        command.addAll(List.of(
                postgres.toString(), "-D", ServerFiles.DATA_AS_SEEN_FROM_INSIDE, "-c", "unix_socket_directories="));
        command.addAll(List.of("-c", "port=" + port, "-c", "listen_addresses=127.0.0.1"));
        return new ProcessBuilder(command)
                .directory(data.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static List<String> commandLine(long pid) throws IOException {
        return List.of(Files.readString(Path.of("/proc", "" + pid, "cmdline")).split("\0", -1));
    }

    private static boolean answers(String url) {
        try {
            return query(url, "select 1").equals("1");
        } catch (SQLException notYet) {
            return false;
        }
    }

    private static void execute(String url, String sql) throws SQLException {
        try (Connection connection = connect(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String query(String url, String sql) throws SQLException {
        try (Connection connection = connect(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            return rows.getString(1);
        }
    }

    private static Connection connect(String url) throws SQLException {
        URI uri = URI.create(url);
        String[] user = uri.getUserInfo().split(":", 2);
        return DriverManager.getConnection(
                "jdbc:postgresql://%s:%d%s".formatted(uri.getHost(), uri.getPort(), uri.getPath()), user[0], user[1]);
    }

    private static void await(Callable<Boolean> condition) throws Exception {
        Deadline deadline = Deadline.in(WAIT);
        while (!condition.call()) {
            assertThat(deadline.passed()).as("still waiting after %s", WAIT).isFalse();
            deadline.pause();
        }
    }
}
