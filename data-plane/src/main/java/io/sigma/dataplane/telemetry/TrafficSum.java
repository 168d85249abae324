package io.sigma.dataplane.telemetry;

import io.sigma.snapshot.DurationBuckets;
import io.sigma.snapshot.TrafficEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Counts of several loops, or of several routes, added. Confined to the thread that reports. */
final class TrafficSum {

    /** By status class, then the bytes of requests and of responses. */
    final long[] cells = new long[TrafficEntry.CLASSES + 2];

    final int[] durations = new int[DurationBuckets.COUNT];

    /** Returns what this has more than {@code before}. */
    TrafficSum since(TrafficSum before) {
        TrafficSum more = new TrafficSum();
        Arrays.setAll(more.cells, i -> cells[i] - before.cells[i]);
        Arrays.setAll(more.durations, i -> durations[i] - before.durations[i]);
        return more;
    }

    void add(TrafficSum other) {
        for (int i = 0; i < cells.length; i++) {
            cells[i] += other.cells[i];
        }
        for (int i = 0; i < durations.length; i++) {
            durations[i] += other.durations[i];
        }
    }

    /** Returns how many were answered, or came to nothing. */
    long requests() {
        long requests = 0;
        for (int i = 0; i < TrafficEntry.CLASSES; i++) {
            requests += cells[i];
        }
        return requests;
    }

    boolean isNothing() {
        return requests() == 0 && cells[TrafficEntry.CLASSES] == 0 && cells[TrafficEntry.CLASSES + 1] == 0;
    }

    TrafficEntry entry(TrafficEntry.Kind kind, String id) {
        List<Integer> buckets = new ArrayList<>();
        for (int i = 0; i < durations.length; i++) {
            if (durations[i] != 0) {
                buckets.add(i);
                buckets.add(durations[i]);
            }
        }
        return new TrafficEntry(
                kind,
                id,
                Arrays.stream(cells, 0, TrafficEntry.CLASSES).boxed().toList(),
                cells[TrafficEntry.CLASSES],
                cells[TrafficEntry.CLASSES + 1],
                buckets);
    }
}
