package io.sigma.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds and stops a server that a killed process left behind. Call it with the directory's lock held: then none can be
 * wanted.
 */
final class StaleServer {

    private static final Logger log = LoggerFactory.getLogger(StaleServer.class);
    private static final Duration FAST_WAIT = Duration.ofSeconds(20);
    private static final Duration IMMEDIATE_WAIT = Duration.ofSeconds(10);

    private StaleServer() {}

    static void stop(Path data) throws IOException {
        Optional<Long> pid = find(data);
        if (pid.isEmpty()) {
            // The number in a left-over file may belong to an innocent process by now, which PostgreSQL would take for
            // a server.
            Files.deleteIfExists(data.resolve(PidFile.NAME));
            return;
        }
        long stale = pid.get();
        log.warn("stopping PostgreSQL pid {}, left behind by a process that was killed", stale);
        for (Stop stop : List.of(new Stop("INT", FAST_WAIT), new Stop("QUIT", IMMEDIATE_WAIT))) {
            Signals.send(stop.signal(), stale);
            Deadline deadline = Deadline.in(stop.within());
            while (!deadline.passed()) {
                if (!serves(stale, data)) {
                    return;
                }
                deadline.pause();
            }
        }
        throw new IOException("PostgreSQL pid %d still uses %s after SIGINT and SIGQUIT (expected: it ends within %s)"
                .formatted(stale, data, FAST_WAIT.plus(IMMEDIATE_WAIT)));
    }

    private record Stop(String signal, Duration within) {}

    /** Returns the process id of a server that runs on this data, if there is one. */
    static Optional<Long> find(Path data) throws IOException {
        return PidFile.read(data).map(PidFile::pid).filter(pid -> serves(pid, data));
    }

    /**
     * A process id may have been given to somebody else since: only a "postgres" that works inside the data is ours.
     */
    private static boolean serves(long pid, Path data) {
        Path process = Path.of("/proc", Long.toString(pid));
        try {
            Path program = Files.readSymbolicLink(process.resolve("exe")).getFileName();
            return program != null
                    && program.toString().startsWith("postgres")
                    && Files.isSameFile(process.resolve("cwd"), data);
        } catch (IOException goneOrNotOurs) {
            return false;
        }
    }
}
