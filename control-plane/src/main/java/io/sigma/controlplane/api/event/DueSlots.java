package io.sigma.controlplane.api.event;

import io.sigma.controlplane.traffic.TrafficLog;

/**
 * The slots of traffic that are due for clients: each slot once, also when a timer fires early or late. Confined to one
 * event loop.
 */
final class DueSlots {

    /** Slots that began later are not complete yet. */
    private static final int AGE_SECONDS = 15;

    private static final int SLOT_SECONDS = TrafficLog.FINE_SECONDS;

    /** After a longer pause the rest is not told any more. */
    private static final int SLOTS_MAX = 12;

    /** The end of what was told, in seconds since 1970; negative while that is nothing. */
    private long told = -1;

    /**
     * Slots in a row.
     *
     * @param from the start of the first one, in seconds since 1970
     * @param to the end of the last one
     */
    record Span(long from, long to) {

        boolean isEmpty() {
            return from >= to;
        }
    }

    /** Returns the slots that are complete at {@code now}, in seconds since 1970, and were not told. */
    Span at(long now) {
        long end = Math.floorDiv(now - AGE_SECONDS, SLOT_SECONDS) * SLOT_SECONDS;
        // Without anything before, and after a clock was set back, the newest slot is the first.
        boolean begins = told < 0 || end < told - SLOT_SECONDS;
        long from = begins ? end - SLOT_SECONDS : Math.max(told, end - (long) SLOTS_MAX * SLOT_SECONDS);
        return new Span(from, end);
    }

    /** Notes that {@code span} was told. */
    void told(Span span) {
        told = span.to();
    }
}
