package io.sigma.dataplane.telemetry;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A file that is put aside when it is full: {@code access.log}, {@code access.log.1}, ... Confined to the writer's thread. */
final class LogFile {

    private static final int BATCH_BYTES = 8 * 1024;
    private static final int BATCH_BYTES_MAX = 256 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(LogFile.class);

    private final Path path;
    private final Opener opener;
    private final LineOutput output;
    private byte[] batch = new byte[BATCH_BYTES];
    private int length;
    private @Nullable SeekableByteChannel out;
    private long bytes;
    private long bytesMax;
    private int filesMax;

    LogFile(Path path, Opener opener, LongAdder lost) {
        this.path = path;
        this.opener = opener;
        this.output = new LineOutput("The access log " + path, lost);
    }

    /** Opens a file at its end, and makes it and its folder where they are not there. */
    @FunctionalInterface
    interface Opener {
        SeekableByteChannel open(Path path) throws IOException;
    }

    static SeekableByteChannel append(Path path) throws IOException {
        Path folder = path.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        return Files.newByteChannel(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /** Collects {@code lines} for the next {@link #flush}, which is made at once when there are many. */
    void add(LogTarget target, ByteBuffer lines) {
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

    void flush() {
        if (length == 0) {
            return;
        }
        ByteBuffer lines = ByteBuffer.wrap(batch, 0, length);
        try {
            if (out != null && bytes > 0 && bytes + length > bytesMax) {
                close();
                rotate();
            }
            SeekableByteChannel opened = open();
            output.write(opened, lines);
            bytes = opened.size();
        } catch (IOException e) {
            output.lost(e, lines);
        }
        length = 0;
    }

    private SeekableByteChannel open() throws IOException {
        SeekableByteChannel opened = out;
        if (opened == null) {
            opened = opener.open(path);
            bytes = opened.size();
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

    void close() {
        SeekableByteChannel opened = out;
        out = null;
        if (opened != null) {
            try {
                opened.close();
            } catch (IOException e) {
                LOG.warn("{} could not be closed: {}", path, e.getMessage());
            }
        }
    }
}
