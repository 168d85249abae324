package io.sigma.dataplane.telemetry;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The durations of the exchanges of one event loop. Written on that loop only, without fences; a reader of the metrics
 * may see a write slightly late.
 */
final class LoopDurations {

    /** The longest one is that of this minute and of the two before. */
    private static final long WINDOW_NANOS = 60_000_000_000L;

    private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);

    // Cells of the array. What is before and behind them keeps other data out of their lines of the cache.
    private static final int SUM = 16;
    private static final int MAX = SUM + 1;
    private static final int MAX_BEFORE = SUM + 2;
    private static final int MAX_FIRST = SUM + 3;
    private static final int WINDOW_END = SUM + 4;
    private static final int COUNTS = SUM + 5;
    private static final int PADDING = 16;

    private final long[] bounds;
    private final long[] cells;

    /**
     * @param bounds of the buckets, in nanoseconds, each included in its bucket; a last one has what is beyond
     * @param now by {@link System#nanoTime()}
     */
    LoopDurations(long[] bounds, long now) {
        this.bounds = bounds;
        this.cells = new long[COUNTS + bounds.length + 1 + PADDING];
        cells[WINDOW_END] = now + WINDOW_NANOS;
    }

    /**
     * Notes an exchange; on the loop.
     *
     * @param nanos that it took, not negative
     * @param now by {@link System#nanoTime()}
     */
    void add(long nanos, long now) {
        int bucket = 0;
        while (bucket < bounds.length && nanos > bounds[bucket]) {
            bucket++;
        }
        if (now - cells[WINDOW_END] >= 0) {
            turn(now);
        }
        set(COUNTS + bucket, cells[COUNTS + bucket] + 1);
        set(SUM, cells[SUM] + nanos);
        if (nanos > cells[MAX]) {
            set(MAX, nanos);
        }
    }

    private void turn(long now) {
        long windows = (now - cells[WINDOW_END]) / WINDOW_NANOS + 1;
        set(MAX_FIRST, windows == 1 ? cells[MAX_BEFORE] : windows == 2 ? cells[MAX] : 0);
        set(MAX_BEFORE, windows == 1 ? cells[MAX] : 0);
        set(MAX, 0);
        set(WINDOW_END, cells[WINDOW_END] + windows * WINDOW_NANOS);
    }

    /** Returns the longest one of the last two to three minutes, in nanoseconds; 0 when there was none. */
    long max(long now) {
        long over = now - get(WINDOW_END);
        long windows = over < 0 ? 0 : over / WINDOW_NANOS + 1;
        long max = windows <= 2 ? get(MAX) : 0;
        if (windows <= 1) {
            max = Math.max(max, get(MAX_BEFORE));
        }
        return windows == 0 ? Math.max(max, get(MAX_FIRST)) : max;
    }

    /** Returns the sum of all, in nanoseconds. */
    long sum() {
        return get(SUM);
    }

    /** Returns how many there are in a bucket. */
    long count(int bucket) {
        return get(COUNTS + bucket);
    }

    private void set(int cell, long value) {
        CELLS.setOpaque(cells, cell, value);
    }

    private long get(int cell) {
        return (long) CELLS.getOpaque(cells, cell);
    }
}
