package io.sigma.postgres;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Signals that {@link Process} cannot send: its SIGTERM makes PostgreSQL wait for its clients to leave. */
final class Signals {

    private static final Duration WAIT = Duration.ofSeconds(10);

    private Signals() {}

    /** Sends a signal, by its name without "SIG". A process that is gone is no error. */
    static void send(String signal, long pid) throws IOException {
        ShortCommands.run(
                Path.of("/"), List.of("sh", "-c", "kill -s \"$1\" \"$2\"", "sh", signal, Long.toString(pid)), "", WAIT);
    }
}
