package io.sigma.controlplane.testing;

import io.sigma.postgres.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A primary and a hot standby that replicates from it, each a server of its own. */
public final class Standby implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Before it is started. */
    public static final Standby NONE = new Standby(Path.of("."), null, null);

    private final Path dir;
    private @Nullable EmbeddedPostgres first;
    private @Nullable EmbeddedPostgres second;
    /** Where writes are taken. */
    private @Nullable EmbeddedPostgres primary;

    private Standby(Path dir, @Nullable EmbeddedPostgres first, @Nullable EmbeddedPostgres second) {
        this.dir = dir;
        this.first = first;
        this.second = second;
        this.primary = first;
    }

    /** Returns an empty cluster that nobody uses, made once for each JVM. */
    private static synchronized Path empty() throws IOException, InterruptedException {
        Path made = Files.createDirectories(Path.of("target/standby-test").toAbsolutePath());
        if (!Files.exists(made.resolve("postgres/data"))) {
            open(made).close();
        }
        Files.deleteIfExists(made.resolve("postgres/port"));
        return made.resolve("postgres");
    }

    public static Standby start(Path dir) throws IOException, InterruptedException {
        Path one = Files.createDirectories(dir.resolve("one"));
        Path two = Files.createDirectories(dir.resolve("two"));
        run("cp", "-a", empty().toString(), one.toString());
        run("cp", "-a", empty().toString(), two.toString());
        EmbeddedPostgres primary = open(one);
        follow(two, primary);
        Standby pair = new Standby(dir, primary, open(two));
        Eventually.holds(
                "the standby replicates",
                PATIENCE,
                () -> !TestDatabase.query(
                                superuser(primary, one), "select 1 from pg_stat_replication where state = 'streaming'")
                        .isEmpty());
        return pair;
    }

    private static EmbeddedPostgres open(Path home) throws IOException {
        return EmbeddedPostgres.start(home, Path.of("target/postgres-test/postgres"));
    }

    /** Lets the server of {@code home}, which is stopped, be a standby of {@code primary} when it is started. */
    private static void follow(Path home, EmbeddedPostgres primary) throws IOException, InterruptedException {
        Path data = home.resolve("postgres/data");
        Path signal = data.resolve("standby.signal");
        Files.writeString(signal, "");
        run("chown", "--reference=" + data, signal.toString());
        String password = Files.readString(home.resolve("postgres/password")).strip();
        Files.writeString(
                data.resolve("postgresql.auto.conf"),
                "primary_conninfo = 'host=127.0.0.1 port=" + primary.port() + " user=postgres password=" + password
                        + "'\n",
                StandardOpenOption.APPEND);
    }

    private static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).inheritIO().start();
        if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IOException(String.join(" ", command));
        }
    }

    private static String superuser(EmbeddedPostgres server, Path home) {
        try {
            String password =
                    Files.readString(home.resolve("postgres/password")).strip();
            return "postgresql://postgres:" + password + "@127.0.0.1:" + server.port() + "/postgres";
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static EmbeddedPostgres running(@Nullable EmbeddedPostgres server) {
        if (server == null) {
            throw new IllegalStateException("stopped");
        }
        return server;
    }

    private Path home(EmbeddedPostgres server) {
        return dir.resolve(server.equals(first) ? "one" : "two");
    }

    /** Returns the URL with both hosts. */
    public String url() {
        String one = running(first).url();
        int path = one.lastIndexOf('/');
        return one.substring(0, path) + ",127.0.0.1:" + running(second).port() + one.substring(path);
    }

    /** Returns the first column of a query of the server that takes writes. */
    public List<String> query(String sql) {
        return TestDatabase.query(running(primary).url(), sql);
    }

    /** The standby takes writes from now on. */
    public void promote() {
        EmbeddedPostgres standby = running(second);
        TestDatabase.execute(superuser(standby, home(standby)), "select pg_promote()");
        primary = standby;
    }

    /** Lets each commit at the primary wait for the standby from now on. */
    public void replicateSynchronously() {
        EmbeddedPostgres server = running(first);
        String url = superuser(server, home(server));
        TestDatabase.execute(url, "alter system set synchronous_standby_names = '*'");
        TestDatabase.execute(url, "select pg_reload_conf()");
        Eventually.holds(
                "the standby is waited for",
                PATIENCE,
                () -> !TestDatabase.query(url, "select 1 from pg_stat_replication where sync_state = 'sync'")
                        .isEmpty());
    }

    /** The standby ends; the primary stays. */
    public void stopStandby() {
        running(second).close();
    }

    /** The standby comes back, at its old address, and replicates again. */
    public void startStandby() throws IOException {
        second = open(dir.resolve("two"));
    }

    /** Stops every process of the primary where it is: its sockets stay open and nothing is answered. */
    public void freezePrimary() throws IOException, InterruptedException {
        signal("-STOP");
    }

    /** The processes of the first server go on. */
    public void thawPrimary() throws IOException, InterruptedException {
        signal("-CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        ProcessHandle server = ProcessHandle.of(running(first).pid()).orElseThrow();
        List<String> command = new ArrayList<>(List.of("kill", name, String.valueOf(server.pid())));
        server.descendants().forEach(child -> command.add(String.valueOf(child.pid())));
        run(command.toArray(new String[0]));
    }

    /** Returns the first column of a query of the server that was the primary at first. */
    public List<String> queryFirst(String sql) {
        return TestDatabase.query(running(first).url(), sql);
    }

    /** Returns the first column of a query of the server that was the standby at first. */
    public List<String> querySecond(String sql) {
        return TestDatabase.query(running(second).url(), sql);
    }

    /** Stops the primary; what it had is at the standby. */
    public void stopPrimary() {
        running(first).close();
        primary = null;
    }

    /** The primary stops, and the standby takes its place. */
    public void failOver() {
        stopPrimary();
        promote();
    }

    /** As {@link #failOver()}; then the old primary comes back as a standby, at its old address. */
    public void switchRoles() throws IOException, InterruptedException {
        failOver();
        follow(dir.resolve("one"), running(second));
        first = open(dir.resolve("one"));
    }

    /** Says whether the primary refuses writes, on the connections that are open too. */
    public void primaryTakesNoWrites(boolean none) {
        EmbeddedPostgres server = running(first);
        String url = superuser(server, home(server));
        TestDatabase.execute(url, "alter system set default_transaction_read_only = " + (none ? "on" : "off"));
        TestDatabase.execute(url, "select pg_reload_conf()");
        Eventually.holds(
                "it is so",
                PATIENCE,
                () -> TestDatabase.query(url, "show default_transaction_read_only")
                        .equals(List.of(none ? "on" : "off")));
    }

    /** Ends the primary without a word; it is started again by itself. */
    public void killPrimary() {
        EmbeddedPostgres server = running(first);
        long pid = server.pid();
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();
        Eventually.holds("it runs again", PATIENCE, () -> server.pid() != pid);
    }

    @Override
    public void close() {
        if (second != null) {
            second.close();
        }
        if (first != null) {
            first.close();
        }
    }
}
