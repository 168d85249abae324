package io.sigma.snapshot;

import java.util.List;

/**
 * What came of one thing in a span of time.
 *
 * @param id of the route, upstream or gateway
 * @param statuses six numbers: requests without an answer, then those answered 1xx to 5xx
 * @param durations buckets of {@link DurationBuckets} and their counts by turns, those that are empty left out
 */
public record TrafficEntry(
        Kind kind, String id, List<Long> statuses, long bytesIn, long bytesOut, List<Integer> durations) {

    /** What is counted. */
    public enum Kind {
        ROUTE,
        UPSTREAM,
        GATEWAY
    }

    /** How many numbers {@link #statuses} has. */
    public static final int CLASSES = 6;

    public TrafficEntry {
        statuses = List.copyOf(statuses);
        durations = List.copyOf(durations);
    }
}
