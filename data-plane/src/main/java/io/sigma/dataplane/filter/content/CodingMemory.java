package io.sigma.dataplane.filter.content;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory beside heap and buffers that compressors of responses hold, as long as their clients take to read. Where
 * none is left, responses go as they are. Thread-safe.
 */
public final class CodingMemory {

    /** Compressors take native memory of at most this fraction of the heap size: 1/4. */
    private static final int HEAP_PART = 4;

    private static final long BYTES_MIN = 64L * 1024 * 1024;
    private static final int KIB = 1024;
    private static final int MIB = 1024 * KIB;

    private static final CodingMemory OF_PROCESS =
            new CodingMemory(Math.max(BYTES_MIN, Runtime.getRuntime().maxMemory() / HEAP_PART));

    private final long bytesMax;
    private final AtomicLong bytes = new AtomicLong();

    /**
     * @param bytesMax that all compressors hold together
     */
    CodingMemory(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    public static CodingMemory ofProcess() {
        return OF_PROCESS;
    }

    /** Returns how much compressors hold, in bytes. */
    public long bytes() {
        return bytes.get();
    }

    /** Takes room for a compressor that needs {@code wanted} bytes; {@link #give} gives it back. */
    boolean tryTake(int wanted) {
        if (bytes.addAndGet(wanted) <= bytesMax) {
            return true;
        }
        bytes.addAndGet(-wanted);
        return false;
    }

    void give(int taken) {
        bytes.addAndGet(-taken);
    }

    /**
     * Returns what deflate takes at any level: its window, its tables and what it has not written yet (zlib.h), in
     * bytes.
     */
    static int ofGzip() {
        return 288 * KIB;
    }

    /** Returns about what Zstandard takes at a level of 1..12 for a body of unknown length (clevels.h), in bytes. */
    static int ofZstd(int level) {
        if (level <= 2) {
            return 2 * MIB;
        }
        if (level <= 5) {
            return 4 * MIB;
        }
        return (level <= 9 ? 16 : 64) * MIB;
    }

    /** Returns about what Brotli takes at a quality of 0..9: a window of 4 MiB and its tables, in bytes. */
    static int ofBrotli() {
        return 8 * MIB;
    }
}
