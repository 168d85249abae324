package io.sigma.dataplane.tail;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;

/**
 * The last requests of one event loop, at so many a second. Only that loop writes, and it never waits for a reader: a
 * reader that finds a place while it is written leaves it out.
 */
final class TailRing {

    private static final VarHandle WRITTEN = handle("written");
    private static final VarHandle MARKS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final long SECOND_NANOS = 1_000_000_000;

    private final TailEntry[] places;

    /** Of each place: twice the number of what is there and two, or one less while it is written. */
    private final long[] marks;

    private final long intervalNanos;
    private final long burstNanos;
    private long written;
    /** When the next one would be due if they came evenly. Confined to the event loop. */
    private long due;

    /**
     * @param places how many requests it holds; as many may come at once
     * @param perSecond how many it takes when more come than it holds
     */
    TailRing(int places, double perSecond) {
        this.places = new TailEntry[places];
        for (int i = 0; i < places; i++) {
            this.places[i] = new TailEntry();
        }
        this.marks = new long[places];
        this.intervalNanos = (long) (SECOND_NANOS / perSecond);
        this.burstNanos = intervalNanos * (places - 1);
        this.due = System.nanoTime() - burstNanos;
    }

    private static VarHandle handle(String field) {
        try {
            return MethodHandles.lookup().findVarHandle(TailRing.class, field, long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Returns whether {@link #add} may be called at {@code now}; on the event loop. */
    boolean takesAt(long now) {
        return due - now <= burstNanos;
    }

    /** Keeps a copy of {@code entry}; on the event loop. */
    void add(TailEntry entry, long now) {
        due = (due - now < 0 ? now : due) + intervalNanos;
        int place = (int) (written % places.length);
        MARKS.setOpaque(marks, place, 2 * written + 1);
        VarHandle.storeStoreFence();
        places[place].set(entry);
        MARKS.setRelease(marks, place, 2 * written + 2);
        WRITTEN.setRelease(this, written + 1);
    }

    /** Returns how many it has taken; from any thread. */
    long written() {
        return (long) WRITTEN.getAcquire(this);
    }

    /**
     * Hands copies of those that it still holds to {@code reader}, oldest first; from any thread.
     *
     * @param from how many of the first ones are left out
     * @param to up to which it reads, from {@link #written()}
     */
    void read(long from, long to, Consumer<TailEntry> reader) {
        for (long i = Math.max(from, to - places.length); i < to; i++) {
            int place = (int) (i % places.length);
            if ((long) MARKS.getAcquire(marks, place) != 2 * i + 2) {
                continue;
            }
            TailEntry copy = new TailEntry();
            copy.set(places[place]);
            VarHandle.loadLoadFence();
            if ((long) MARKS.getOpaque(marks, place) == 2 * i + 2) {
                reader.accept(copy);
            }
        }
    }
}
