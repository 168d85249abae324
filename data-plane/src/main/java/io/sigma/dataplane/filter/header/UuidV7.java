package io.sigma.dataplane.filter.header;

import java.util.UUID;
import java.util.random.RandomGenerator;

/** UUIDs that sort by time (RFC 9562 §5.7). Pure. */
final class UuidV7 {

    private static final long VERSION = 0x7000L;
    private static final long VARIANT = 0x8000_0000_0000_0000L;

    private UuidV7() {}

    static UUID of(long epochMillis, RandomGenerator random) {
        long high = (epochMillis << 16) | VERSION | (random.nextLong() & 0xfff);
        long low = VARIANT | (random.nextLong() >>> 2);
        return new UUID(high, low);
    }
}
