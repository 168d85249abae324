package io.sigma.dataplane.telemetry;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Lines of an access log, one after the other. One event loop appends; the writer reads as far as that published them,
 * also while the loop goes on behind. Lines that follow each other and go to one file are a segment.
 */
final class LogBlock {

    static final int BYTES = 64 * 1024;
    private static final int SEGMENTS_MAX = 256;
    private static final int END_BITS = 32;

    private static final VarHandle PUBLISHED;
    private static final VarHandle FULL;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            PUBLISHED = lookup.findVarHandle(LogBlock.class, "published", long.class);
            FULL = lookup.findVarHandle(LogBlock.class, "full", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Where lines go. */
    interface Output {

        /** Takes whole lines, all for the file of {@code target}. */
        void write(LogTarget target, ByteBuffer lines);
    }

    // Two views of the same bytes, because writing moves one.
    private final ByteBuffer bytes;
    private final ByteBuffer lines;
    // Of the segments; written by the loop before they are published.
    private final LogTarget[] targets = new LogTarget[SEGMENTS_MAX];
    private final int[] starts = new int[SEGMENTS_MAX];
    // The number of segments, and in the lower half the end of the last one: one word, so that both are read together.
    @SuppressWarnings("unused") // By a VarHandle.
    private long published;

    @SuppressWarnings("unused") // By a VarHandle.
    private boolean full;

    // Confined to the loop.
    private int end;
    private int segments;

    // Confined to the writer's thread.
    private int written;
    private int segment;

    // Among those that are free, see LogQueue.
    private @Nullable LogBlock below;

    private LogBlock(ByteBuffer bytes) {
        this.bytes = bytes;
        this.lines = bytes.duplicate();
    }

    /** Returns a block that is written without a copy, to be kept. */
    static LogBlock regular() {
        return new LogBlock(ByteBuffer.allocateDirect(BYTES));
    }

    /** Returns a block for a line that fits in no other, to be used once. */
    static LogBlock large(int bytes) {
        return new LogBlock(ByteBuffer.allocate(bytes));
    }

    boolean isLarge() {
        return bytes.capacity() > BYTES;
    }

    /** Returns as how many blocks it counts. */
    int size() {
        return Math.ceilDiv(bytes.capacity(), BYTES);
    }

    // --- On the loop.

    /** Returns whether a line for {@code target} fits in, and can be told from the others. */
    boolean takes(LogTarget target, int length) {
        return bytes.capacity() - end >= length
                && (segments < SEGMENTS_MAX || targets[segments - 1].sharesFile(target));
    }

    /** Appends a line, and shows it to the writer. */
    void append(LogTarget target, byte[] line, int length) {
        bytes.put(end, line, 0, length);
        if (segments == 0 || !targets[segments - 1].sharesFile(target)) {
            targets[segments] = target;
            starts[segments] = end;
            segments++;
        }
        end += length;
        PUBLISHED.setRelease(this, (long) segments << END_BITS | end);
    }

    /** Tells the writer that nothing more comes. */
    void finish() {
        FULL.setRelease(this, true);
    }

    // --- While it is free.

    /** Empties it, to lie on {@code top}. */
    void reset(@Nullable LogBlock top) {
        below = top;
        published = 0;
        full = false;
        end = 0;
        segments = 0;
        written = 0;
        segment = 0;
    }

    @Nullable
    LogBlock below() {
        return below;
    }

    // --- On the writer's thread.

    /** Returns whether nothing more comes; to be asked before {@link #drain}. */
    boolean isFull() {
        return (boolean) FULL.getAcquire(this);
    }

    /** Gives {@code out} what was published since the last call. */
    void drain(Output out) {
        long seen = (long) PUBLISHED.getAcquire(this);
        int seenEnd = (int) seen;
        int last = (int) (seen >>> END_BITS) - 1;
        while (written < seenEnd) {
            int until = segment == last ? seenEnd : starts[segment + 1];
            if (until > written) {
                out.write(targets[segment], lines.limit(until).position(written));
                written = until;
            }
            if (segment < last) {
                segment++;
            }
        }
    }
}
