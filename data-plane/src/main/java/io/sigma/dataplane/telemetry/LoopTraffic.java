package io.sigma.dataplane.telemetry;

import io.sigma.snapshot.DurationBuckets;
import io.sigma.snapshot.TrafficEntry;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The counters of one route or upstream on one event loop, since the start. Written on that loop only, without fences;
 * a reader may see a write slightly late.
 */
final class LoopTraffic {

    private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle COUNTS = MethodHandles.arrayElementVarHandle(int[].class);

    // Cells of the array. What is before and behind them keeps other data out of their lines of the cache.
    private static final int PADDING = 16;
    private static final int BYTES_IN = PADDING + TrafficEntry.CLASSES;
    private static final int BYTES_OUT = BYTES_IN + 1;

    private final long[] cells = new long[BYTES_OUT + 1 + PADDING];
    // They wrap around: what is reported are differences.
    private final int[] durations = new int[DurationBuckets.COUNT];

    /**
     * Notes an answer; on the loop.
     *
     * @param status 0 for none
     * @param nanos the duration of the request
     */
    void add(int status, long nanos) {
        int cell = PADDING + Math.clamp(status / 100, 0, TrafficEntry.CLASSES - 1);
        CELLS.setOpaque(cells, cell, cells[cell] + 1);
        int bucket = DurationBuckets.of(nanos);
        COUNTS.setOpaque(durations, bucket, durations[bucket] + 1);
    }

    /** Notes bytes of bodies; on the loop. */
    void bytes(long in, long out) {
        if (in != 0) {
            CELLS.setOpaque(cells, BYTES_IN, cells[BYTES_IN] + in);
        }
        if (out != 0) {
            CELLS.setOpaque(cells, BYTES_OUT, cells[BYTES_OUT] + out);
        }
    }

    /** Adds what was counted to {@code sum}; from any thread. */
    void addTo(TrafficSum sum) {
        for (int i = 0; i < sum.cells.length; i++) {
            sum.cells[i] += (long) CELLS.getOpaque(cells, PADDING + i);
        }
        for (int i = 0; i < durations.length; i++) {
            sum.durations[i] += (int) COUNTS.getOpaque(durations, i);
        }
    }
}
