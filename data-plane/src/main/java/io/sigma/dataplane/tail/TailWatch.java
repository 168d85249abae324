package io.sigma.dataplane.tail;

import io.sigma.snapshot.RequestFilter;
import io.sigma.snapshot.RequestsQuestion;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * The requests that a gateway keeps for one filter: for each event loop a ring of failures and one of the rest, so that
 * many requests push out no failure. Loops write, any thread reads.
 */
final class TailWatch {

    private static final VarHandle COUNTS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final long LEASE_NANOS = TimeUnit.SECONDS.toNanos(RequestsQuestion.LEASE_SECONDS);
    private static final int PLACES_MIN = 16;
    /** Processors fetch two lines of 64 bytes at a time. */
    private static final int STRIDE = 16;

    private final TailFilter filter;
    private final String name;
    private final int loops;
    /** That of the failures of a loop, and then that of its other requests. */
    private final TailRing[] rings;

    private final long[] matched;
    private volatile long leaseEnd;

    /**
     * The bounds of the kept requests, over all event loops.
     *
     * @param places of other requests than failures; half as many of failures
     */
    record Size(int places, double perSecond, double failuresPerSecond) {

        TailRing failures(int loops) {
            return new TailRing(Math.max(PLACES_MIN, places / 2 / loops), failuresPerSecond / loops);
        }

        TailRing others(int loops) {
            return new TailRing(Math.max(PLACES_MIN, places / loops), perSecond / loops);
        }
    }

    /** @param name tells it from every other one of the gateway, also from one of the same filter before */
    TailWatch(RequestFilter filter, String name, int loops, Size size) {
        this.filter = new TailFilter(filter);
        this.name = name;
        this.loops = loops;
        this.rings = new TailRing[2 * loops];
        for (int loop = 0; loop < loops; loop++) {
            rings[2 * loop] = size.failures(loops);
            rings[2 * loop + 1] = size.others(loops);
        }
        this.matched = new long[(loops + 1) * STRIDE];
        renew();
    }

    RequestFilter filter() {
        return filter.source();
    }

    String name() {
        return name;
    }

    /** Somebody has asked; from any thread. */
    void renew() {
        leaseEnd = System.nanoTime() + LEASE_NANOS;
    }

    boolean isOver(long now) {
        return leaseEnd - now < 0;
    }

    /** Returns whether it has room for a request at {@code now}; on the event loop {@code loop}. */
    boolean takesAt(int loop, boolean failed, long now) {
        return ring(loop, failed).takesAt(now);
    }

    /** Keeps a request if it is of those that are asked for and there is room; on the event loop {@code loop}. */
    void offer(int loop, TailEntry entry, long now) {
        if (filter.takes(entry)) {
            int cell = (loop + 1) * STRIDE;
            COUNTS.setOpaque(matched, cell, matched[cell] + 1);
            TailRing ring = ring(loop, entry.failed);
            if (ring.takesAt(now)) {
                ring.add(entry, now);
            }
        }
    }

    private TailRing ring(int loop, boolean failed) {
        return rings[failed ? 2 * loop : 2 * loop + 1];
    }

    /** Returns how many requests it was offered that are of those asked for. */
    long matched() {
        long sum = 0;
        for (int cell = STRIDE; cell < matched.length; cell += STRIDE) {
            sum += (long) COUNTS.getOpaque(matched, cell);
        }
        return sum;
    }

    /** Returns how far each ring is written. */
    long[] places() {
        long[] places = new long[rings.length];
        for (int i = 0; i < places.length; i++) {
            places[i] = rings[i].written();
        }
        return places;
    }

    /**
     * Hands over what it keeps.
     *
     * @param from how far each ring was read before
     * @param to from {@link #places()}
     * @param reader is given the event loop and a copy
     */
    void read(long[] from, long[] to, BiConsumer<Integer, TailEntry> reader) {
        for (int i = 0; i < rings.length; i++) {
            int loop = i / 2;
            rings[i].read(from[i], to[i], entry -> reader.accept(loop, entry));
        }
    }

    int loops() {
        return loops;
    }
}
