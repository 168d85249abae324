package io.sigma.dataplane.telemetry;

import io.sigma.dataplane.disk.LogPlace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that is put aside when it is full: {@code access.log}, {@code access.log.1}, ... Confined to the writer's
 * thread.
 */
final class LogFile {

    private static final int BATCH_BYTES = 8 * 1024;
    private static final int BATCH_BYTES_MAX = 256 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(LogFile.class);

    private final String name;
    private final LogPlace place;
    private final LineOutput output;
    private byte[] batch = new byte[BATCH_BYTES];
    private int length;
    private @Nullable SeekableByteChannel out;
    private long bytes;
    private long bytesMax;
    private int filesMax;

    LogFile(String name, LogPlace place, LongAdder lost) {
        this.name = name;
        this.place = place;
        this.output = new LineOutput("The access log " + name, lost);
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
                place.rotate(filesMax);
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
            opened = place.open();
            bytes = opened.size();
            out = opened;
        }
        return opened;
    }

    void close() {
        SeekableByteChannel opened = out;
        out = null;
        if (opened != null) {
            try {
                opened.close();
            } catch (IOException e) {
                LOG.warn("{} could not be closed: {}", name, e.getMessage());
            }
        }
    }
}
