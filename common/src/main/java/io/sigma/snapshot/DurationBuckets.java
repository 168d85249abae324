package io.sigma.snapshot;

/**
 * The buckets that durations are counted in, in both planes: 32 of one microsecond, then sixteen for each power of two,
 * as in an HDR histogram of about two significant digits. Counts of several gateways and spans of time are added. Pure.
 */
public final class DurationBuckets {

    /** The number of buckets. The last bucket counts durations above two minutes. */
    public static final int COUNT = 400;

    private static final int LINEAR = 32;
    private static final int LINEAR_BITS = 5;
    private static final int STEPS = 16;
    private static final int STEP_BITS = 4;

    private DurationBuckets() {}

    /** Returns the bucket of a duration. */
    public static int of(long nanos) {
        long micros = nanos / 1000;
        if (micros < LINEAR) {
            return (int) Math.max(0, micros);
        }
        int exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(micros);
        int step = (int) (micros >>> (exponent - STEP_BITS)) & (STEPS - 1);
        return Math.min(COUNT - 1, LINEAR + (exponent - LINEAR_BITS) * STEPS + step);
    }

    /** Returns the middle of a bucket, in microseconds. */
    public static double middleMicros(int bucket) {
        if (bucket < LINEAR) {
            return bucket + 0.5;
        }
        int exponent = LINEAR_BITS + (bucket - LINEAR) / STEPS;
        long width = 1L << (exponent - STEP_BITS);
        return (STEPS + (bucket - LINEAR) % STEPS) * (double) width + width / 2.0;
    }
}
