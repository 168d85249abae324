package io.sigma.dataplane.loop;

import java.time.Instant;
import java.time.InstantSource;

/**
 * Tells when something was by the clock of the day, of which {@link System#nanoTime()} is known. Both clocks are
 * compared a few times a second, because reading one costs as much as a good part of a line. Confined to one event
 * loop.
 */
public final class WallClock {

    private static final long COMPARE_NANOS = 100_000_000;
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final long MILLI_NANOS = 1_000_000;

    private final InstantSource source;
    private boolean compared;
    private long comparedAt;
    private long offsetNanos;

    public WallClock(InstantSource source) {
        this.source = source;
    }

    /**
     * Returns the milliseconds since 1970 at {@code nanos}.
     *
     * @param now a moment ago at most
     */
    public long epochMillis(long nanos, long now) {
        if (!compared || now - comparedAt > COMPARE_NANOS) {
            Instant instant = source.instant();
            offsetNanos = instant.getEpochSecond() * SECOND_NANOS + instant.getNano() - now;
            comparedAt = now;
            compared = true;
        }
        return Math.floorDiv(nanos + offsetNanos, MILLI_NANOS);
    }
}
