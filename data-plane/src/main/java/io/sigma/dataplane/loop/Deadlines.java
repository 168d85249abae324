package io.sigma.dataplane.loop;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Timeouts of what runs on one event loop. A deadline is a field, so moving it on every byte costs nothing; the loop
 * looks at all of them once a tick while there are any. Confined to the event loop.
 */
public final class Deadlines {

    private static final Logger LOG = LoggerFactory.getLogger(Deadlines.class);
    private static final long NEVER = Long.MAX_VALUE;

    private final Loop.Scheduler scheduler;
    private final LongSupplier clock;
    private final long tickMillis;
    private final Runnable tick = this::tick;
    private @Nullable Entry first;
    private boolean ticking;

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
        private boolean listed;
        private long expiresMillis = NEVER;

        /** Called once when the deadline has passed; the entry then has none until it is set again. */
        protected abstract void onDeadline();

        /** Called when {@link #onDeadline} failed, to end what the deadline was of. */
        protected void onDeadlineFailed() {
            // Whatever has nothing to end.
        }
    }

    /** Sets or moves the deadline of {@code entry} to {@code millis} from now. */
    public void set(Entry entry, long millis) {
        entry.expiresMillis = now() + millis;
        if (entry.listed) {
            return;
        }
        entry.listed = true;
        entry.next = first;
        if (first != null) {
            first.previous = entry;
        }
        first = entry;
        if (!ticking) {
            ticking = true;
            scheduler.schedule(tick, tickMillis);
        }
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

    private void tick() {
        long now = now();
        Entry entry = first;
        while (entry != null) {
            // A handler may remove any entry; what it unlinked is skipped because it is not listed any more.
            Entry next = entry.next;
            if (entry.expiresMillis <= now) {
                entry.expiresMillis = NEVER;
                expire(entry);
                next = next != null && !next.listed ? first : next;
            }
            entry = next;
        }
        ticking = first != null;
        if (ticking) {
            scheduler.schedule(tick, tickMillis);
        }
    }

    /** Others share the tick, and are not to miss it. */
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

    private long now() {
        return clock.getAsLong() / 1_000_000;
    }
}
