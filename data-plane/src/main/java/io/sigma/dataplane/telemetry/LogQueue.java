package io.sigma.dataplane.telemetry;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Lines on their way from one event loop to the writer: one producer, one consumer, no locks (Lamport, "Specifying
 * Concurrent Program Modules", 1983). Lines are bytes in blocks, which come back when they are written. Blocks are made
 * as they are needed, up to a bound, and kept; the one that came back last is used first, because it is still in the
 * caches.
 */
final class LogQueue {

    /** The assumed length of a line, for the bound in bytes. */
    private static final int LINE_BYTES = 512;

    /**
     * After so many blocks the writer is woken: what it writes at once is what a request on its processor may wait for.
     */
    private static final int WAKING_BLOCKS = 2;

    private static final VarHandle LINES_IN;
    private static final VarHandle LINES_OUT;
    private static final VarHandle BEGUN;
    private static final VarHandle SIZES_OUT;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            LINES_IN = lookup.findVarHandle(LogQueue.class, "linesIn", long.class);
            LINES_OUT = lookup.findVarHandle(LogQueue.class, "linesOut", long.class);
            BEGUN = lookup.findVarHandle(LogQueue.class, "begun", long.class);
            SIZES_OUT = lookup.findVarHandle(LogQueue.class, "sizesOut", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final AtomicReferenceArray<@Nullable LogBlock> blocks;
    private final int mask;
    private final int blocksMax;
    private final int blocksHalf;
    private final int linesMax;
    private final Runnable wake;
    // A stack. Only the writer puts on it and only the loop takes from it, so what the loop sees on top stays in it.
    private final AtomicReference<@Nullable LogBlock> free = new AtomicReference<>();

    // Written by the loop.
    private long linesIn;
    private long begun;
    private long sizesIn;
    private @Nullable LogBlock current;

    // Written by the writer.
    private long linesOut;
    private long over;
    private long sizesOut;

    /**
     * @param linesMax that wait at most, and half a KiB for each of them
     * @param wake is run on the loop when there is enough to write, or half of the room is taken
     */
    LogQueue(int linesMax, Runnable wake) {
        this.linesMax = linesMax;
        this.blocksMax = (int) Math.max(2, Math.ceilDiv((long) linesMax * LINE_BYTES, LogBlock.BYTES));
        this.blocksHalf = Math.max(2, blocksMax / 2);
        int slots = Integer.highestOneBit(blocksMax - 1) << 1;
        this.blocks = new AtomicReferenceArray<>(slots);
        this.mask = slots - 1;
        this.wake = wake;
    }

    // --- On the loop.

    /** Returns whether too many lines wait for another one. */
    boolean isFull() {
        return linesIn - (long) LINES_OUT.getAcquire(this) >= linesMax;
    }

    /**
     * Appends a line.
     *
     * @param line the first {@code length} bytes are copied
     * @return false when there is no room for it
     */
    boolean offer(LogTarget target, byte[] line, int length) {
        LogBlock block = current;
        if (isFull()) {
            return false;
        }
        if (block == null || !block.takes(target, length)) {
            block = begin(length);
            if (block == null) {
                return false;
            }
        }
        block.append(target, line, length);
        if (block.isLarge()) {
            finish();
        }
        LINES_IN.setRelease(this, linesIn + 1);
        if (linesIn - (long) LINES_OUT.getAcquire(this) == linesMax / 2) {
            wake.run();
        }
        return true;
    }

    private @Nullable LogBlock begin(int bytes) {
        finish();
        int size = Math.max(1, Math.ceilDiv(bytes, LogBlock.BYTES));
        long used = sizesIn - (long) SIZES_OUT.getAcquire(this);
        if (used > 0 && used + size > blocksMax) {
            return null;
        }
        LogBlock block = bytes > LogBlock.BYTES ? LogBlock.large(bytes) : take();
        current = block;
        blocks.setPlain((int) begun & mask, block);
        BEGUN.setRelease(this, begun + 1);
        sizesIn += size;
        boolean becomesHalfFull = used < blocksHalf && used + size >= blocksHalf;
        if (becomesHalfFull || begun % WAKING_BLOCKS == 0) {
            wake.run();
        }
        return block;
    }

    private void finish() {
        if (current != null) {
            current.finish();
            current = null;
        }
    }

    private LogBlock take() {
        LogBlock top = free.get();
        while (top != null && !free.compareAndSet(top, top.below())) {
            top = free.get();
        }
        return top == null ? LogBlock.regular() : top;
    }

    // --- On the writer's thread.

    /** Gives all lines that wait to {@code out}. */
    void drain(LogBlock.Output out) {
        // Read before the blocks, so that all of these are in what follows.
        long lines = (long) LINES_IN.getAcquire(this);
        boolean more = true;
        while (more && over < (long) BEGUN.getAcquire(this)) {
            LogBlock block = Objects.requireNonNull(blocks.getPlain((int) over & mask));
            more = block.isFull();
            block.drain(out);
            if (more) {
                blocks.setPlain((int) over & mask, null);
                over++;
                giveBack(block);
                SIZES_OUT.setRelease(this, sizesOut + block.size());
            }
        }
        LINES_OUT.setRelease(this, lines);
    }

    /** Returns whether half of the room is taken. */
    boolean isHalfFull() {
        return (long) LINES_IN.getAcquire(this) - linesOut >= linesMax / 2
                || (long) BEGUN.getAcquire(this) - over >= blocksHalf;
    }

    private void giveBack(LogBlock block) {
        if (block.isLarge()) {
            return;
        }
        LogBlock top = free.get();
        block.reset(top);
        while (!free.compareAndSet(top, block)) {
            top = free.get();
            block.reset(top);
        }
    }
}
