package io.sigma.snapshot;

import java.util.List;

/**
 * The traffic of one route, upstream or gateway in a span of time.
 *
 * @param id of the route, upstream or gateway
 * @param statuses six numbers: requests without an answer, then those answered 1xx to 5xx
 * @param durations buckets of {@link DurationBuckets} and their counts by turns, those that are empty left out
 */
public record TrafficEntry(
        Kind kind, String id, List<Long> statuses, long bytesIn, long bytesOut, List<Integer> durations) {

    /** The kind of the counted items. */
    public enum Kind {
        ROUTE,
        UPSTREAM,
        GATEWAY
    }

    /** The number of entries of {@link #statuses}. */
    public static final int CLASSES = 6;

    public TrafficEntry {
        statuses = List.copyOf(statuses);
        durations = List.copyOf(durations);
    }
}
