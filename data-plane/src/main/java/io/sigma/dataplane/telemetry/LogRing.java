package io.sigma.dataplane.telemetry;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue from one event loop to the writer: one producer, one consumer, no locks (Lamport, "Specifying
 * Concurrent Program Modules", 1983).
 */
final class LogRing {

    private final AtomicReferenceArray<@Nullable AccessRecord> slots;
    private final int mask;
    // Written by the producer.
    private final AtomicLong tail = new AtomicLong();
    // Written by the consumer.
    private final AtomicLong head = new AtomicLong();

    /**
     * @param capacityMin rounded up to a power of two
     */
    LogRing(int capacityMin) {
        int capacity = Integer.highestOneBit(Math.max(2, capacityMin) - 1) << 1;
        slots = new AtomicReferenceArray<>(capacity);
        mask = capacity - 1;
    }

    /** Returns whether there was room. */
    boolean offer(AccessRecord log) {
        long end = tail.getPlain();
        if (end - head.getAcquire() > mask) {
            return false;
        }
        slots.setPlain((int) end & mask, log);
        tail.setRelease(end + 1);
        return true;
    }

    @Nullable
    AccessRecord poll() {
        long start = head.getPlain();
        if (start == tail.getAcquire()) {
            return null;
        }
        int slot = (int) start & mask;
        AccessRecord log = slots.getPlain(slot);
        slots.setPlain(slot, null);
        head.setRelease(start + 1);
        return log;
    }
}
