package io.sigma.controlplane.traffic;

import io.sigma.snapshot.TrafficEntry;
import io.sigma.snapshot.TrafficReport;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The share of a report that belongs to a slot. Gateways cut their spans by their own clocks, so a span begins in one
 * slot and ends in another. Counted in one slot alone, some slots would lack a report and others would have two.
 *
 * @param start of the slot, in seconds since 1970
 * @param before the part of the report that belongs to earlier slots, from 0 to 1
 * @param upTo the part that belongs to this slot or to earlier ones
 */
record SlotShare(long start, double before, double upTo) {

    private static final long SPAN_MILLIS = TrafficReport.SPAN_SECONDS * 1000L;

    /** Returns the slots of {@code seconds} that a span overlaps that ended at {@code endMillis}, in their order. */
    static List<SlotShare> of(long endMillis, int seconds) {
        long beginMillis = endMillis - SPAN_MILLIS;
        List<SlotShare> shares = new ArrayList<>();
        long slotMillis = seconds * 1000L;
        for (long at = Math.floorDiv(beginMillis, slotMillis) * slotMillis; at < endMillis; at += slotMillis) {
            shares.add(new SlotShare(at / 1000, part(at - beginMillis), part(at + slotMillis - beginMillis)));
        }
        return shares;
    }

    private static double part(long millis) {
        return Math.clamp((double) millis / SPAN_MILLIS, 0.0, 1.0);
    }

    /**
     * Returns what of {@code entry} belongs to the slot; null for nothing. The shares of all slots add up to the entry.
     */
    @Nullable
    TrafficEntry of(TrafficEntry entry) {
        if (before == 0.0 && upTo == 1.0) {
            return entry;
        }
        List<Long> statuses = new ArrayList<>();
        long seen = 0;
        long requests = 0;
        for (long count : entry.statuses()) {
            long share = share(seen, count);
            statuses.add(share);
            requests += share;
            seen += count;
        }
        List<Integer> durations = new ArrayList<>();
        long timed = 0;
        for (int i = 0; i + 1 < entry.durations().size(); i += 2) {
            int count = entry.durations().get(i + 1);
            int share = (int) share(timed, count);
            if (share > 0) {
                durations.add(entry.durations().get(i));
                durations.add(share);
            }
            timed += count;
        }
        long bytesIn = share(0, entry.bytesIn());
        long bytesOut = share(0, entry.bytesOut());
        return requests == 0 && bytesIn == 0 && bytesOut == 0 && durations.isEmpty()
                ? null
                : new TrafficEntry(entry.kind(), entry.id(), statuses, bytesIn, bytesOut, durations);
    }

    /**
     * Returns how many of {@code count} are in this slot. What is rounded off is carried on to the numbers that follow,
     * so that many small ones lose nothing together: {@code seen} is the sum of those before. Never negative, because
     * no slot is shorter than a span: a share begins with it or ends with it.
     */
    private long share(long seen, long count) {
        return rounded(upTo, seen + count)
                - rounded(upTo, seen)
                - (rounded(before, seen + count) - rounded(before, seen));
    }

    private static long rounded(double part, long count) {
        return part == 1.0 ? count : (long) Math.floor(part * count);
    }
}
