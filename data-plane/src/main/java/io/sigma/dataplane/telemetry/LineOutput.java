package io.sigma.dataplane.telemetry;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes lines, counts those that are lost, as to a full disk, and says when that begins and when it ends. A line that
 * was cut off ends before the next one begins. Confined to the writer's thread.
 */
final class LineOutput {

    private static final Logger LOG = LoggerFactory.getLogger(LineOutput.class);

    /** After so long it is tried again to write to what takes nothing at the moment. */
    private static final long FULL_NANOS = 1_000_000;

    private final String name;
    private final LongAdder lost;
    private boolean failing;
    private boolean cutOff;
    private long lostSince;

    /**
     * @param name of what is written to, for the log
     * @param lost counts lines
     */
    LineOutput(String name, LongAdder lost) {
        this.name = name;
        this.lost = lost;
    }

    /** Writes all of {@code lines} to {@code channel}, or counts what is not written. */
    void write(WritableByteChannel channel, ByteBuffer lines) {
        int start = lines.position();
        try {
            if (cutOff) {
                writeAll(channel, ByteBuffer.wrap(new byte[] {'\n'}));
                cutOff = false;
            }
            writeAll(channel, lines);
        } catch (IOException e) {
            cutOff |= lines.position() > start && lines.get(lines.position() - 1) != '\n';
            lost(e, lines);
            return;
        }
        if (failing) {
            LOG.warn("{} is written again, {} lines were lost", name, lostSince);
            failing = false;
            lostSince = 0;
        }
    }

    private static void writeAll(WritableByteChannel channel, ByteBuffer octets) throws IOException {
        while (octets.hasRemaining()) {
            if (channel.write(octets) == 0) {
                LockSupport.parkNanos(FULL_NANOS);
            }
        }
    }

    /** Counts {@code lines} as lost because of {@code cause}. */
    void lost(IOException cause, ByteBuffer lines) {
        long count = 0;
        while (lines.hasRemaining()) {
            count += lines.get() == '\n' ? 1 : 0;
        }
        lost.add(count);
        lostSince += count;
        if (!failing) {
            LOG.error("{} cannot be written, its lines are lost: {}", name, cause.toString());
            failing = true;
        }
    }
}
