package io.sigma.dataplane.filter.header;

import io.opentelemetry.sdk.common.CompletableResultCode;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory of spans that wait for collectors, of all tracing plugins of a process together: each has a queue of its
 * own, and a configuration may have any number of them. Thread-safe.
 */
public final class SpanMemory {

    /** Spans take at most this fraction of the heap: 1/16. */
    private static final int HEAP_PART = 16;

    private static final int CLOSE_SECONDS = 5;

    private static final SpanMemory OF_PROCESS =
            new SpanMemory(Runtime.getRuntime().maxMemory() / HEAP_PART);

    private final long bytesMax;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    /** Plugins that nothing uses any more, while they send their last spans. */
    private final Set<CompletableResultCode> closing = ConcurrentHashMap.newKeySet();

    /**
     * @param bytesMax of all waiting spans
     */
    SpanMemory(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    public static SpanMemory ofProcess() {
        return OF_PROCESS;
    }

    /** Returns the memory of the waiting spans, in bytes. */
    public long bytes() {
        return bytes.get();
    }

    /** Returns the number of spans that were dropped, because too many waited. */
    public long dropped() {
        return dropped.get();
    }

    /** Takes room for a span; {@link #give} gives it back. */
    boolean tryTake(long wanted) {
        if (bytes.addAndGet(wanted) <= bytesMax) {
            return true;
        }
        bytes.addAndGet(-wanted);
        return false;
    }

    void give(long taken) {
        bytes.addAndGet(-taken);
    }

    void drop() {
        dropped.incrementAndGet();
    }

    /** Notes that a plugin sends its last spans until {@code closed} is complete. */
    void closing(CompletableResultCode closed) {
        closing.add(closed);
        closed.whenComplete(() -> closing.remove(closed));
    }

    /** Waits until the last spans of closed plugins are sent, at most 5 s for all of them. Blocks. */
    public void awaitClosed() {
        CompletableResultCode.ofAll(Set.copyOf(closing)).join(CLOSE_SECONDS, TimeUnit.SECONDS);
    }
}
