package io.sigma.dataplane.loop;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The memory that a process may hold for its peers: what they sent and nobody has taken, and what they have not read.
 * Each event loop tells how much it holds ({@link HeldMemory}). Thread-safe.
 */
public final class MemoryBudget {

    /** Least budget: a gateway with less can serve nobody, in bytes. */
    private static final long BYTES_MIN = 4L * 1024 * 1024;
    /** The part of the smaller one of heap and direct memory that may be held for peers, as a divisor: a quarter. */
    private static final int PART = 4;

    private static final Logger LOG = LoggerFactory.getLogger(MemoryBudget.class);
    private static final long SAY_NANOS = 10_000_000_000L;

    private final AtomicLong saidNanos = new AtomicLong(System.nanoTime() - SAY_NANOS);
    private final long bytesMax;
    private final AtomicLong held = new AtomicLong();
    private final List<HeldMemory> loops = new CopyOnWriteArrayList<>();
    private final LongAdder refused;
    private final LongAdder ended;

    /**
     * @param bytesMax at least 4 MiB; less is taken for that
     * @param refused counts requests that are refused because too much is held
     * @param ended counts connections that are ended because they hold too much
     */
    public MemoryBudget(long bytesMax, LongAdder refused, LongAdder ended) {
        this.bytesMax = Math.max(BYTES_MIN, bytesMax);
        this.refused = refused;
        this.ended = ended;
    }

    /**
     * Returns how much a process may hold that was not told: a quarter of the smaller one of heap and direct memory, in
     * bytes.
     *
     * @param directBytes how much memory beside the heap buffers may take
     */
    public static long bytesOfProcess(long directBytes) {
        return Math.min(Runtime.getRuntime().maxMemory(), directBytes) / PART;
    }

    /** Returns a budget that is never used up. */
    public static MemoryBudget unlimited() {
        return new MemoryBudget(Long.MAX_VALUE / 16, new LongAdder(), new LongAdder());
    }

    /** Returns how much may be held, in bytes. */
    public long bytesMax() {
        return bytesMax;
    }

    /** Returns how much is held, in bytes, as far as event loops have told. */
    public long held() {
        return held.get();
    }

    void refused() {
        refused.increment();
    }

    void ended(@Nullable Object owner, long bytes) {
        ended.increment();
        long now = System.nanoTime();
        long said = saidNanos.get();
        if (now - said >= SAY_NANOS && saidNanos.compareAndSet(said, now)) {
            LOG.warn(
                    "A connection of {} was ended: it held {} bytes of {} that may be held for all clients; others may follow",
                    owner == null ? "a trusted proxy" : owner,
                    bytes,
                    bytesMax);
        }
    }

    /** Adds what an event loop holds. */
    void join(HeldMemory loop) {
        loops.add(loop);
    }

    /** Has the event loops make room that hold more than their part, except for {@code asking}. */
    @SuppressWarnings("ReferenceEquality") // A loop is its object.
    void askOthers(HeldMemory asking) {
        for (HeldMemory loop : loops) {
            if (loop != asking && loop.isAbovePart()) {
                loop.ask();
            }
        }
    }

    void changed(long bytes) {
        held.addAndGet(bytes);
    }

    /** Returns whether three quarters are used, so that those who hold much get nothing more. */
    boolean isNear() {
        return held.get() >= bytesMax / 4 * 3;
    }

    /** Returns whether seven eighths are used, so that the largest holders have to end. */
    boolean isOver() {
        return held.get() >= bytesOver();
    }

    /** Returns from which number of held bytes on the largest holders have to end. */
    long bytesOver() {
        return bytesMax / 8 * 7;
    }

    /** Returns whether all is used, so that nobody gets anything more. */
    boolean isExhausted() {
        return held.get() >= bytesMax;
    }
}
