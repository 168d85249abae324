package io.sigma.postgres;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts the server, starts it again when it dies, and stops it. */
final class ServerProcess {

    private static final Logger log = LoggerFactory.getLogger(ServerProcess.class);
    private static final Duration START_WAIT = Duration.ofSeconds(60);
    private static final Duration FAST_WAIT = Duration.ofSeconds(30);
    private static final Duration IMMEDIATE_WAIT = Duration.ofSeconds(10);
    private static final Duration RESTART_PAUSE_MIN = Duration.ofMillis(100);
    private static final Duration RESTART_PAUSE_MAX = Duration.ofSeconds(10);
    private static final int START_TRIES = 5;

    private final ServerFiles cluster;
    private final LogTail tail = new LogTail();
    private final CompletableFuture<Void> started = new CompletableFuture<>();
    // Written by the keeper thread before "started" completes.
    private volatile int port;
    private volatile @Nullable Process process;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private volatile @Nullable Thread keeper;

    ServerProcess(ServerFiles cluster) {
        this.cluster = cluster;
    }

    int port() {
        return port;
    }

    long pid() {
        Process current = process;
        return current == null ? -1 : current.pid();
    }

    /** Returns when the server accepts connections. */
    void start() throws IOException {
        // The kernel signals the child when the thread that started it ends, not the process: so that thread must live
        // as long.
        keeper = Thread.ofPlatform().daemon().name("sigma-postgres").start(this::keep);
        try {
            started.get();
        } catch (InterruptedException e) {
            stop();
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while PostgreSQL was starting");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
        }
    }

    private void keep() {
        try {
            startFirst();
            started.complete(null);
            log.info("PostgreSQL {} accepts connections on 127.0.0.1:{}, pid {}", Binaries.version(), port, pid());
            restartUntilStopped();
        } catch (IOException | RuntimeException e) {
            if (!started.completeExceptionally(e)) {
                log.error("PostgreSQL on port {} is no longer kept running", port, e);
            }
        } catch (InterruptedException e) {
            log.debug("PostgreSQL on port {} is no longer kept running", port);
        }
    }

    /** Takes the port of the last run, or a new one where somebody else has taken that. */
    private void startFirst() throws IOException {
        for (int attempt = 1; ; attempt++) {
            port = attempt == 1 ? rememberedPort() : freePort();
            try {
                launch();
                break;
            } catch (IOException e) {
                if (attempt == START_TRIES || stopping() || isFree(port)) {
                    throw e;
                }
                log.warn("port {} was taken while PostgreSQL was starting, trying another", port, e);
            }
        }
        Path temporary = cluster.portFile().resolveSibling("port.part");
        Files.writeString(temporary, port + "\n");
        Files.move(temporary, cluster.portFile(), StandardCopyOption.ATOMIC_MOVE);
    }

    private void restartUntilStopped() throws InterruptedException {
        Duration pause = RESTART_PAUSE_MIN;
        while (!stopping()) {
            Process current = process;
            if (current != null) {
                int exitCode = current.waitFor();
                if (stopping()) {
                    return;
                }
                log.error("PostgreSQL pid {} ended with exit code {} and is started again", current.pid(), exitCode);
            }
            if (stopping.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
            try {
                launch();
                pause = RESTART_PAUSE_MIN;
                log.info("PostgreSQL accepts connections again, pid {}", pid());
            } catch (IOException e) {
                pause = pause.multipliedBy(2).compareTo(RESTART_PAUSE_MAX) < 0
                        ? pause.multipliedBy(2)
                        : RESTART_PAUSE_MAX;
                log.error("PostgreSQL could not be started again, next try in {}", pause, e);
            }
        }
    }

    private void launch() throws IOException {
        List<String> command = cluster.runAs()
                .command(List.of(
                        cluster.program("postgres"),
                        "-D",
                        ServerFiles.DATA_AS_SEEN_FROM_INSIDE,
                        "-c",
                        "listen_addresses=127.0.0.1",
                        "-c",
                        "port=" + port,
                        "-c",
                        "unix_socket_directories=",
                        "-c",
                        "fsync=on",
                        "-c",
                        "logging_collector=off",
                        "-c",
                        "log_checkpoints=off",
                        "-c",
                        "log_timezone=UTC",
                        "-c",
                        "timezone=UTC"));
        Process child = ShortCommands.environment(new ProcessBuilder(command))
                .directory(cluster.data().toFile())
                .redirectErrorStream(true)
                .start();
        process = child;
        child.getOutputStream().close();
        tail.follow(child);
        awaitReady(child);
    }

    private void awaitReady(Process child) throws IOException {
        Deadline deadline = Deadline.in(START_WAIT);
        while (true) {
            if (!child.isAlive()) {
                throw new IOException("PostgreSQL ended with exit code %d while starting; its last log lines:%n%s"
                        .formatted(child.exitValue(), tail.text()));
            }
            Optional<PidFile> file = PidFile.read(cluster.data());
            if (file.isPresent()
                    && file.get().pid() == child.pid()
                    && file.get().ready()) {
                return;
            }
            if (stopping() || deadline.passed()) {
                end(child);
                throw new IOException("PostgreSQL does not accept connections after %s; its last log lines:%n%s"
                        .formatted(stopping() ? "being stopped" : START_WAIT, tail.text()));
            }
            deadline.pause();
        }
    }

    /** Stops the server for good. Called again, or before it started, it does nothing more. */
    void stop() {
        stopping.countDown();
        Process current = process;
        try {
            if (current != null && current.isAlive()) {
                end(current);
            }
            Thread thread = keeper;
            if (thread != null && !thread.join(FAST_WAIT.plus(IMMEDIATE_WAIT))) {
                log.error("PostgreSQL pid {} could not be stopped in time", pid());
            }
        } catch (IOException e) {
            log.error("PostgreSQL pid {} could not be stopped", pid(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean stopping() {
        return stopping.getCount() == 0;
    }

    private static void end(Process child) throws IOException {
        Signals.send("INT", child.pid());
        if (!ShortCommands.waitFor(child, FAST_WAIT)) {
            log.warn(
                    "PostgreSQL pid {} did not stop within {}, so it is stopped without a checkpoint",
                    child.pid(),
                    FAST_WAIT);
            Signals.send("QUIT", child.pid());
            if (!ShortCommands.waitFor(child, IMMEDIATE_WAIT)) {
                child.destroyForcibly();
            }
        }
    }

    private int rememberedPort() throws IOException {
        if (Files.exists(cluster.portFile())) {
            try {
                int remembered =
                        Integer.parseInt(Files.readString(cluster.portFile()).strip());
                if (remembered > 0 && remembered < 65_536 && isFree(remembered)) {
                    return remembered;
                }
            } catch (NumberFormatException e) {
                log.warn("{} holds no port, so a new one is taken", cluster.portFile());
            }
        }
        return freePort();
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
