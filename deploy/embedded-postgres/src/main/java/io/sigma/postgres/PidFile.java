package io.sigma.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What {@code postmaster.pid} says: the server's first line is its process id, its eighth the state, as pg_ctl reads
 * it.
 */
record PidFile(long pid, boolean ready) {

    static final String NAME = "postmaster.pid";

    static Optional<PidFile> read(Path data) throws IOException {
        List<String> lines;
        try {
            lines = Files.readAllLines(data.resolve(NAME));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
        try {
            boolean ready = lines.size() > 7 && lines.get(7).strip().equals("ready");
            return Optional.of(new PidFile(Long.parseLong(lines.getFirst().strip()), ready));
        } catch (RuntimeException halfWritten) {
            return Optional.empty();
        }
    }
}
