package io.sigma.dataplane.telemetry;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A file that is put aside when it is full: {@code access.log}, {@code access.log.1}, ... Confined to the writer's thread. */
final class LogFile {

    private static final int BATCH_BYTES = 8 * 1024;
    private static final int BATCH_BYTES_MAX = 256 * 1024;

    private final Path path;
    private byte[] batch = new byte[BATCH_BYTES];
    private int length;
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
        int count = lines.remaining();
        if (length + count > BATCH_BYTES_MAX) {
            flush();
        }
        if (length + count > batch.length) {
            batch = Arrays.copyOf(batch, Math.max(length + count, 2 * batch.length));
        }
        lines.get(batch, length, count);
        length += count;
    }

    void flush() throws IOException {
        if (length == 0) {
            return;
        }
        try {
            if (out != null && bytes > 0 && bytes + length > bytesMax) {
                close();
                rotate();
            }
            OutputStream opened = open();
            opened.write(batch, 0, length);
            opened.flush();
            bytes += length;
        } finally {
            length = 0;
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
