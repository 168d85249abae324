package io.sigma.dataplane.telemetry;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** A file that is put aside when it is full: {@code access.log}, {@code access.log.1}, ... Confined to the writer's thread. */
final class LogFile {

    private static final int BATCH_BYTES_MAX = 256 * 1024;

    private final Path path;
    private final ByteArrayOutputStream batch = new ByteArrayOutputStream();
    private @Nullable OutputStream out;
    private long bytes;
    private long bytesMax;
    private int filesMax;

    LogFile(Path path) {
        this.path = path;
    }

    /** Collects {@code lines} for the next {@link #flush}, which is made at once when there are many. */
    void add(LogTarget target, ByteBuffer lines) throws IOException {
        bytesMax = target.fileBytesMax();
        filesMax = target.filesMax();
        if (batch.size() + lines.remaining() > BATCH_BYTES_MAX) {
            flush();
        }
        batch.write(lines.array(), lines.arrayOffset() + lines.position(), lines.remaining());
    }

    void flush() throws IOException {
        if (batch.size() == 0) {
            return;
        }
        try {
            if (out != null && bytes > 0 && bytes + batch.size() > bytesMax) {
                close();
                rotate();
            }
            OutputStream opened = open();
            batch.writeTo(opened);
            opened.flush();
            bytes += batch.size();
        } finally {
            batch.reset();
        }
    }

    private OutputStream open() throws IOException {
        OutputStream opened = out;
        if (opened == null) {
            Path folder = path.toAbsolutePath().getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
            opened = Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            bytes = Files.size(path);
            out = opened;
        }
        return opened;
    }

    private void rotate() throws IOException {
        for (int i = filesMax - 1; i >= 1; i--) {
            try {
                Files.move(aside(i - 1), aside(i), StandardCopyOption.REPLACE_EXISTING);
            } catch (NoSuchFileException e) {
                // There are not that many yet.
            }
        }
        Files.deleteIfExists(path);
    }

    private Path aside(int number) {
        return number == 0 ? path : path.resolveSibling(path.getFileName() + "." + number);
    }

    void close() throws IOException {
        OutputStream opened = out;
        out = null;
        if (opened != null) {
            opened.close();
        }
    }
}
