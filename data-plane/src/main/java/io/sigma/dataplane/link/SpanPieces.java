package io.sigma.dataplane.link;

import io.sigma.snapshot.TrafficEntry;
import io.sigma.snapshot.TrafficReport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Divides a span that took longer than a report stands for, because the gateway had no time to cut it. As one report, a
 * part of the time would look as if nothing had come, and the rest as if twice as much had. Stateless.
 */
final class SpanPieces {

    private static final long PIECE_NANOS = TimeUnit.SECONDS.toNanos(TrafficReport.SPAN_SECONDS);

    /** A minute. What came in a longer span is counted in its last minute. */
    private static final int PIECES_MAX = 12;

    private SpanPieces() {}

    /**
     * A piece of a span.
     *
     * @param beforeEndNanos how long before the end of the span this piece ended
     */
    record Piece(long beforeEndNanos, List<TrafficEntry> entries) {}

    /** Returns the pieces of a span of {@code spanNanos}, the oldest first. Together they have what the span has. */
    static List<Piece> of(List<TrafficEntry> entries, long spanNanos) {
        int count = Math.clamp((spanNanos + PIECE_NANOS / 2) / PIECE_NANOS, 1, PIECES_MAX);
        long apart = Math.min(spanNanos, PIECES_MAX * PIECE_NANOS) / count;
        List<Piece> pieces = new ArrayList<>();
        List<TrafficEntry> rest = entries;
        for (int left = count; left > 1; left--) {
            List<TrafficEntry> piece = new ArrayList<>();
            List<TrafficEntry> others = new ArrayList<>();
            for (TrafficEntry entry : rest) {
                divide(entry, left, piece, others);
            }
            pieces.add(new Piece((left - 1) * apart, piece));
            rest = others;
        }
        pieces.add(new Piece(0, rest));
        return pieces;
    }

    /** Adds the part {@code 1 / left} of {@code entry} to {@code piece}, and what remains to {@code others}. */
    private static void divide(TrafficEntry entry, int left, List<TrafficEntry> piece, List<TrafficEntry> others) {
        List<Long> statuses = new ArrayList<>();
        List<Long> otherStatuses = new ArrayList<>();
        long seen = 0;
        for (long count : entry.statuses()) {
            long share = share(seen, count, left);
            statuses.add(share);
            otherStatuses.add(count - share);
            seen += count;
        }
        List<Integer> durations = new ArrayList<>();
        List<Integer> otherDurations = new ArrayList<>();
        long timed = 0;
        for (int i = 0; i + 1 < entry.durations().size(); i += 2) {
            int count = entry.durations().get(i + 1);
            int share = (int) share(timed, count, left);
            addBucket(durations, entry.durations().get(i), share);
            addBucket(otherDurations, entry.durations().get(i), count - share);
            timed += count;
        }
        long in = entry.bytesIn() / left;
        long out = entry.bytesOut() / left;
        addEntry(piece, new TrafficEntry(entry.kind(), entry.id(), statuses, in, out, durations));
        addEntry(
                others,
                new TrafficEntry(
                        entry.kind(),
                        entry.id(),
                        otherStatuses,
                        entry.bytesIn() - in,
                        entry.bytesOut() - out,
                        otherDurations));
    }

    /** Rounding errors are carried over to the numbers that follow: {@code seen} is the sum of those before. */
    private static long share(long seen, long count, int left) {
        return (seen + count) / left - seen / left;
    }

    private static void addBucket(List<Integer> durations, int bucket, int count) {
        if (count > 0) {
            durations.add(bucket);
            durations.add(count);
        }
    }

    private static void addEntry(List<TrafficEntry> entries, TrafficEntry entry) {
        boolean nothing = entry.bytesIn() == 0
                && entry.bytesOut() == 0
                && entry.durations().isEmpty()
                && entry.statuses().stream().allMatch(count -> count == 0);
        if (!nothing) {
            entries.add(entry);
        }
    }
}
