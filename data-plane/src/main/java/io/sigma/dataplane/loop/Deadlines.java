package io.sigma.dataplane.loop;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Timeouts of what runs on one event loop. A deadline is a field, so moving it on every byte costs nothing. Each look
 * at all of them wakes the loop: it looks when the nearest one is due, at least once a second while there are any, and
 * at most once a tick. A loop that was busy may notice that a deadline has passed before it notices what arrived in
 * time: it reads its sockets once more before the deadline takes effect. Time in which the loop stood still for two
 * seconds or more, such as on a machine without processor time, counts for no deadline: nobody could send or read
 * meanwhile. Confined to the event loop.
 */
public final class Deadlines {

    private static final Logger LOG = LoggerFactory.getLogger(Deadlines.class);
    private static final long NEVER = Long.MAX_VALUE;

    /** The longest time between two looks. It bounds how many of them are scheduled: a nearer one replaces none. */
    private static final long FAR_MILLIS = 1_000;

    /** How late a look is if the loop stood still, in milliseconds; a loop that is only busy is less late. */
    private static final long STALL_MILLIS = 2_000;

    private final Loop.Scheduler scheduler;
    private final LongSupplier clock;
    private final long tickMillis;
    private final Runnable expirePassed = this::expirePassed;
    private @Nullable Entry first;
    /** Those whose deadlines had passed at the last look; some of them may have been moved or removed since. */
    private @Nullable Entry passed;

    /** When the next look is due; {@link #NEVER} while none is scheduled. */
    private long nextMillis = NEVER;

    /** True while deadlines have passed and the sockets are read. */
    private boolean expiring;
    /** How long the loop has stood still so far. */
    private long stoodMillis;

    /**
     * @param clock in nanoseconds, as {@link System#nanoTime()}
     * @param tickMillis how late a deadline may be noticed
     */
    public Deadlines(Loop.Scheduler scheduler, LongSupplier clock, long tickMillis) {
        this.scheduler = scheduler;
        this.clock = clock;
        this.tickMillis = tickMillis;
    }

    /** Something that has at most one deadline at a time. */
    public abstract static class Entry {

        private @Nullable Entry previous;
        private @Nullable Entry next;
        private @Nullable Entry nextPassed;
        private boolean listed;
        private long expiresMillis = NEVER;

        /**
         * Called once when the deadline has passed and the loop has read its sockets since; the entry then has none
         * until it is set again.
         */
        protected abstract void onDeadline();

        /** Called when {@link #onDeadline} failed, to end what the deadline was of. */
        protected void onDeadlineFailed() {
            // Whatever has nothing to end.
        }
    }

    /** Sets or moves the deadline of {@code entry} to {@code millis} from now. */
    public void set(Entry entry, long millis) {
        long now = now();
        entry.expiresMillis = now + millis;
        if (!entry.listed) {
            entry.listed = true;
            entry.next = first;
            if (first != null) {
                first.previous = entry;
            }
            first = entry;
        }
        lookBy(entry.expiresMillis, now);
    }

    /** Takes the deadline of {@code entry} away for now; {@link #set} is cheap again after it. */
    public void pause(Entry entry) {
        entry.expiresMillis = NEVER;
    }

    /** Forgets {@code entry}. */
    public void remove(Entry entry) {
        if (!entry.listed) {
            return;
        }
        entry.listed = false;
        entry.expiresMillis = NEVER;
        if (entry.previous != null) {
            entry.previous.next = entry.next;
        } else {
            first = entry.next;
        }
        if (entry.next != null) {
            entry.next.previous = entry.previous;
        }
        entry.previous = null;
        entry.next = null;
    }

    /** Has the loop look within a tick after {@code expires}, unless it will. */
    private void lookBy(long expires, long now) {
        if (expiring || expires >= nextMillis - tickMillis) {
            return;
        }
        long delay = Math.max(tickMillis, Math.min(expires - now, FAR_MILLIS));
        long due = now + delay;
        nextMillis = due;
        scheduler.schedule(() -> look(due), delay);
    }

    private void look(long due) {
        long late = now() - due;
        if (late >= STALL_MILLIS) {
            stoodMillis += late;
        }
        if (due == nextMillis) {
            nextMillis = NEVER;
        }
        if (expiring) {
            return;
        }
        long now = now();
        Entry last = null;
        for (Entry entry = first; entry != null; entry = entry.next) {
            if (entry.expiresMillis <= now) {
                if (last == null) {
                    passed = entry;
                } else {
                    last.nextPassed = entry;
                }
                last = entry;
            }
        }
        if (passed == null) {
            lookAgain(now);
        } else {
            expiring = true;
            scheduler.afterInput(expirePassed);
        }
    }

    private void expirePassed() {
        long now = now();
        Entry entry = passed;
        passed = null;
        while (entry != null) {
            Entry next = entry.nextPassed;
            entry.nextPassed = null;
            // The one before it may have removed it, or set it again.
            if (entry.expiresMillis <= now) {
                entry.expiresMillis = NEVER;
                expire(entry);
            }
            entry = next;
        }
        expiring = false;
        lookAgain(now);
    }

    private void lookAgain(long now) {
        if (first == null) {
            return;
        }
        long nearest = now + FAR_MILLIS;
        for (Entry entry = first; entry != null; entry = entry.next) {
            nearest = Math.min(nearest, entry.expiresMillis);
        }
        lookBy(nearest, now);
    }

    /** Others share the look, and are not to miss it. */
    private static void expire(Entry entry) {
        try {
            entry.onDeadline();
        } catch (RuntimeException | Error e) {
            LOG.error("The action of a deadline failed", e);
            giveUp(entry);
        }
    }

    private static void giveUp(Entry entry) {
        try {
            entry.onDeadlineFailed();
        } catch (RuntimeException | Error e) {
            LOG.error("The exchange of a deadline could not be ended", e);
        }
    }

    /** Returns the time in which the loop ran, in milliseconds. */
    private long now() {
        return clock.getAsLong() / 1_000_000 - stoodMillis;
    }
}
