package io.sigma.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The content of {@code postmaster.pid}: the first line is the server's process id, the eighth its state, as pg_ctl
 * reads it.
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
