package io.sigma.snapshot;

import java.time.Instant;
import java.util.List;

/**
 * A part of what came to a gateway in a span of time; what several reports say adds up. A gateway sends them in the
 * order of their numbers, and each again until it is answered.
 *
 * @param startedAt tells this process of the gateway from the one before
 * @param sequence from 1 on, without gaps unless reports were given up
 * @param ageMillis how long ago the span ended, when the report was sent
 * @param entries {@value #ENTRIES_MAX} at most; none when nothing came
 */
public record TrafficReport(
        String gatewayId, Instant startedAt, long sequence, long ageMillis, List<TrafficEntry> entries) {

    public static final int ENTRIES_MAX = 200;

    /** Length of a span. */
    public static final int SPAN_SECONDS = 5;

    public TrafficReport {
        entries = List.copyOf(entries);
    }
}
