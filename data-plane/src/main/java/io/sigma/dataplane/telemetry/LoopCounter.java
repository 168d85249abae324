package io.sigma.dataplane.telemetry;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A number to which each event loop adds on its own, without fences and without lines of the cache that loops share;
 * whoever reads the metrics sees the sum, maybe a moment late.
 */
final class LoopCounter {

    private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);

    /** Processors fetch two lines of 64 bytes at a time. */
    private static final int STRIDE = 16;

    private final long[] cells;

    LoopCounter(int loops) {
        cells = new long[(loops + 1) * STRIDE];
    }

    /** Adds {@code number}; to be called on the event loop {@code loop}. */
    void add(int loop, long number) {
        int cell = (loop + 1) * STRIDE;
        CELLS.setOpaque(cells, cell, cells[cell] + number);
    }

    /** Returns the sum over all loops. */
    long sum() {
        long sum = 0;
        for (int cell = STRIDE; cell < cells.length; cell += STRIDE) {
            sum += (long) CELLS.getOpaque(cells, cell);
        }
        return sum;
    }
}
