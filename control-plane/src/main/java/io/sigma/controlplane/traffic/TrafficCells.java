package io.sigma.controlplane.traffic;

import io.sigma.model.TrafficFigures;
import io.sigma.snapshot.DurationBuckets;
import io.sigma.snapshot.TrafficEntry;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/** Counts that add up: requests by status class, bytes, and durations by bucket. Confined to whoever adds. */
public final class TrafficCells {

    private static final int BYTES_IN = TrafficEntry.CLASSES;
    private static final int BYTES_OUT = BYTES_IN + 1;
    private static final double SECOND_MILLIS = 1000.0;

    /** The largest number of requests that a gateway may report for five seconds. */
    private static final long COUNT_MAX = 1L << 32;

    private static final long BYTES_MAX = 1L << 50;

    /** No cell has more, whatever is added: so sums of a few are no less than what they are of. */
    private static final long CELL_MAX = 1L << 59;

    private final long[] cells = new long[BYTES_OUT + 1];
    private final long[] durations = new long[DurationBuckets.COUNT];

    TrafficCells copy() {
        TrafficCells copy = new TrafficCells();
        copy.add(this);
        return copy;
    }

    /** Adds what {@code other} has. */
    public void add(TrafficCells other) {
        for (int i = 0; i < cells.length; i++) {
            cells[i] = sum(cells[i], other.cells[i]);
        }
        for (int i = 0; i < durations.length; i++) {
            durations[i] = sum(durations[i], other.durations[i]);
        }
    }

    /** @throws IllegalArgumentException when it is no entry that a gateway could have counted */
    void add(TrafficEntry entry) {
        if (entry.statuses().size() != TrafficEntry.CLASSES || entry.durations().size() % 2 != 0) {
            throw new IllegalArgumentException("entry: " + entry.id());
        }
        for (int i = 0; i < TrafficEntry.CLASSES; i++) {
            cells[i] = sum(cells[i], upTo(COUNT_MAX, entry.statuses().get(i)));
        }
        cells[BYTES_IN] = sum(cells[BYTES_IN], upTo(BYTES_MAX, entry.bytesIn()));
        cells[BYTES_OUT] = sum(cells[BYTES_OUT], upTo(BYTES_MAX, entry.bytesOut()));
        for (int i = 0; i < entry.durations().size(); i += 2) {
            int bucket = entry.durations().get(i);
            if (bucket < 0 || bucket >= durations.length) {
                throw new IllegalArgumentException("durations: " + bucket);
            }
            durations[bucket] =
                    sum(durations[bucket], upTo(COUNT_MAX, entry.durations().get(i + 1)));
        }
    }

    private static long upTo(long max, long number) {
        if (number < 0 || number > max) {
            throw new IllegalArgumentException(number + " (expected: 0.." + max + ")");
        }
        return number;
    }

    private static long sum(long one, long other) {
        return Math.min(CELL_MAX, one + other);
    }

    public long requests() {
        long requests = 0;
        for (int i = 0; i < TrafficEntry.CLASSES; i++) {
            requests += cells[i];
        }
        return requests;
    }

    /** Returns how many were not answered, or with 5xx. */
    public long failures() {
        return cells[0] + cells[5];
    }

    public long bytes() {
        return cells[BYTES_IN] + cells[BYTES_OUT];
    }

    /** Returns the cells, then each bucket that is not empty with its count, as numbers of variable length. */
    byte[] encode() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (long cell : cells) {
            number(out, cell);
        }
        for (int i = 0; i < durations.length; i++) {
            if (durations[i] != 0) {
                number(out, i);
                number(out, durations[i]);
            }
        }
        return out.toByteArray();
    }

    /**
     * Adds what {@link #encode()} wrote; of what it cannot have written nothing, so that the rest can still be told.
     */
    void add(byte[] encoded) {
        TrafficCells decoded = new TrafficCells();
        if (decoded.read(ByteBuffer.wrap(encoded))) {
            add(decoded);
        }
    }

    private boolean read(ByteBuffer in) {
        for (int i = 0; i < cells.length; i++) {
            long number = number(in);
            if (number < 0) {
                return false;
            }
            cells[i] = number;
        }
        while (in.hasRemaining()) {
            long bucket = number(in);
            long count = number(in);
            if (bucket < 0 || bucket >= durations.length || count < 0) {
                return false;
            }
            durations[(int) bucket] = count;
        }
        return true;
    }

    private static void number(ByteArrayOutputStream out, long number) {
        long left = number;
        while (left > 0x7f) {
            out.write((int) ((left & 0x7f) | 0x80));
            left >>>= 7;
        }
        out.write((int) left);
    }

    /** Returns -1 for what is no number of a cell. */
    private static long number(ByteBuffer in) {
        long number = 0;
        for (int shift = 0; shift < Long.SIZE && in.hasRemaining(); shift += 7) {
            byte part = in.get();
            number |= (long) (part & 0x7f) << shift;
            if (part >= 0) {
                return number <= CELL_MAX ? number : -1;
            }
        }
        return -1;
    }

    /** Returns what people read. */
    public TrafficFigures figures(long seconds) {
        return TrafficFigures.builder()
                .requests(requests())
                .perSecond(seconds == 0 ? 0.0 : (double) requests() / seconds)
                .unanswered(cells[0])
                .status1xx(cells[1])
                .status2xx(cells[2])
                .status3xx(cells[3])
                .status4xx(cells[4])
                .status5xx(cells[5])
                .bytesIn(cells[BYTES_IN])
                .bytesOut(cells[BYTES_OUT])
                .p50Millis(quantile(0.5))
                .p95Millis(quantile(0.95))
                .p99Millis(quantile(0.99))
                .build();
    }

    /** Returns the duration that this part of the requests did not exceed, in milliseconds; 0 when there are none. */
    private double quantile(double part) {
        // There are more buckets than a long could take the sum of.
        double all = 0;
        for (long count : durations) {
            all += count;
        }
        double rank = Math.max(1, Math.ceil(part * all));
        double seen = 0;
        for (int i = 0; i < durations.length; i++) {
            seen += durations[i];
            if (durations[i] > 0 && seen >= rank) {
                return DurationBuckets.middleMicros(i) / SECOND_MILLIS;
            }
        }
        return 0;
    }
}
