package io.sigma.dataplane.takeover;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The socket in the data directory at which a running gateway can be asked for its sockets. Only its user reaches it:
 * the file has mode 0600, and each connection says whose it is. Thread-safe.
 */
final class ControlSocket implements AutoCloseable {

    private static final String NAME = "takeover.sock";
    private static final int WAITING_MAX = 4;

    private final int fd;
    private final Path file;
    private final @Nullable Object identity;
    private final AtomicBoolean closed = new AtomicBoolean();

    private ControlSocket(int fd, Path file, @Nullable Object identity) {
        this.fd = fd;
        this.file = file;
        this.identity = identity;
    }

    /**
     * Connects to the process that listens in a data directory; null when none does.
     *
     * @throws IOException when it cannot be asked, as when it acts for another user
     */
    static @Nullable ControlConnection connect(Path dataDir) throws IOException {
        Path directory = dataDir.toAbsolutePath();
        if (!Files.exists(directory.resolve(NAME))) {
            return null;
        }
        int fd = Kernel.socket();
        try {
            within(directory, NAME, path -> Kernel.connect(fd, path));
        } catch (NobodyListens e) {
            Kernel.close(fd);
            return null;
        } catch (IOException e) {
            Kernel.close(fd);
            throw e;
        }
        return new ControlConnection(fd);
    }

    /** Returns whether a process listens in a data directory. */
    static boolean isListening(Path dataDir) {
        try (ControlConnection connection = connect(dataDir)) {
            return connection != null;
        } catch (IOException e) {
            return true;
        }
    }

    /** Listens in a data directory, in place of whoever did before. */
    static ControlSocket listen(Path dataDir) throws IOException {
        Path directory = Files.createDirectories(dataDir.toAbsolutePath());
        String name = NAME + "." + ProcessHandle.current().pid();
        Path temporary = directory.resolve(name);
        Files.deleteIfExists(temporary);
        int fd = Kernel.socket();
        try {
            within(directory, name, path -> Kernel.bind(fd, path));
            Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rw-------"));
            Kernel.listen(fd, WAITING_MAX);
            Object identity = identity(temporary);
            Path file = directory.resolve(NAME);
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return new ControlSocket(fd, file, identity);
        } catch (IOException | RuntimeException e) {
            Kernel.close(fd);
            Files.deleteIfExists(temporary);
            throw e;
        }
    }

    @FunctionalInterface
    private interface PathUse {

        void with(String path) throws IOException;
    }

    /** A path of a socket is short: a descriptor of the folder is the beginning of it. */
    private static void within(Path directory, String name, PathUse use) throws IOException {
        int folder = Kernel.openDirectory(directory.toString());
        try {
            use.with("/proc/self/fd/" + folder + "/" + name);
        } finally {
            Kernel.close(folder);
        }
    }

    private static @Nullable Object identity(Path file) throws IOException {
        return Files.readAttributes(file, java.nio.file.attribute.BasicFileAttributes.class)
                .fileKey();
    }

    /**
     * Waits for a process that connects.
     *
     * @throws IOException when it acts for another user
     * @throws ClosedSocket when this socket was closed
     */
    ControlConnection accept() throws IOException {
        int connection;
        try {
            connection = Kernel.accept(fd);
        } catch (IOException e) {
            throw closed.get() ? new ClosedSocket() : e;
        }
        return new ControlConnection(connection);
    }

    /** The socket was closed by this process. */
    static final class ClosedSocket extends IOException {

        private static final long serialVersionUID = 1;
    }

    /** Returns whether another process listens in its place. */
    boolean isReplaced() {
        try {
            return Files.exists(file) && !Objects.equals(identity(file), identity);
        } catch (IOException e) {
            return false;
        }
    }

    /** Wakes {@link #accept}, and removes the file unless it is that of another process by now. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        Kernel.shutdown(fd);
        try {
            Object now = Files.exists(file) ? identity(file) : null;
            if (now != null && now.equals(identity)) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            // A file that nobody listens on is replaced by the next process.
            return;
        }
    }

    /** Gives the descriptor back, once nobody waits in {@link #accept}. */
    void release() {
        close();
        Kernel.close(fd);
    }
}
