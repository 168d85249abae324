package io.sigma.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * A running PostgreSQL server that belongs to this process.
 *
 * <p>Everything lives under {@code dataDir/postgres}: the binaries (extracted once per version), the data, the
 * generated password (mode 0600) and the port. The server listens on 127.0.0.1 only and asks every client for the
 * password. It stops when this process ends, however it ends; where it could not, the next start stops the left-over
 * first.
 *
 * <p>All methods may be called from any thread; {@link #start} and {@link #close} block.
 */
public final class EmbeddedPostgres implements AutoCloseable {

    private final DirectoryLock lock;
    private final ServerProcess server;
    private final String password;

    private EmbeddedPostgres(DirectoryLock lock, ServerProcess server, String password) {
        this.lock = lock;
        this.server = server;
        this.password = password;
    }

    /**
     * Starts the server of {@code dataDir}, creating its database on the first call. Returns when it accepts
     * connections.
     *
     * @throws IOException where it cannot, with a message for people: the directory is in use by another process, its
     *     data was written by another major version, the server did not start in time (the message then ends with its
     *     last log lines)
     */
    public static EmbeddedPostgres start(Path dataDir) throws IOException {
        return start(dataDir, dataDir.resolve("postgres"));
    }

    /**
     * As {@link #start(Path)}, with the directory under which the binaries are extracted: tests share one, because
     * extracting takes longer than starting.
     */
    public static EmbeddedPostgres start(Path dataDir, Path binariesDir) throws IOException {
        Path home = dataDir.toAbsolutePath().normalize().resolve("postgres");
        Files.createDirectories(home);
        // The server's user must reach the data below, and may not list or read anything here.
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwx--x--x"));
        DirectoryLock lock = DirectoryLock.acquire(home.resolve("lock"));
        try {
            RunAs runAs = RunAs.forData(home.resolve("data"));
            Path binaries = Binaries.locate(binariesDir.toAbsolutePath().normalize(), runAs);
            ServerFiles cluster = new ServerFiles(home, binaries, runAs);
            String password = cluster.prepare();
            StaleServer.stop(cluster.data());
            ServerProcess server = new ServerProcess(cluster);
            server.start();
            return new EmbeddedPostgres(lock, server, password);
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    /**
     * Returns where to connect: {@code postgresql://user:password@127.0.0.1:port/database}. It contains the password,
     * so it must not be logged. The user owns the database and is no superuser.
     */
    public String url() {
        return "postgresql://%s:%s@127.0.0.1:%d/%s".formatted(ServerFiles.ROLE, password, port(), ServerFiles.DATABASE);
    }

    /**
     * Returns the TCP port on 127.0.0.1, which stays the same as long as this object lives, also when the server is
     * restarted.
     */
    public int port() {
        return server.port();
    }

    /** Returns the process id of the server, which changes when it had to be restarted. */
    public long pid() {
        return server.pid();
    }

    /**
     * Stops the server as {@code pg_ctl stop -m fast} does: open transactions are rolled back. Waits at most 40 s,
     * once.
     */
    @Override
    public void close() {
        server.stop();
        lock.close();
    }

    @Override
    public String toString() {
        return "EmbeddedPostgres[127.0.0.1:%d, pid %d]".formatted(port(), pid());
    }
}
