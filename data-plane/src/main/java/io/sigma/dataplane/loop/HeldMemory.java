package io.sigma.dataplane.loop;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The memory that the connections of one event loop hold for their peers, in bytes. Connections report what they take
 * at once. What they give back is found by asking them, whenever enough was taken, and once a second while they hold
 * anything. So a request costs an addition, and the sum is right before a limit acts on it. Confined to the event loop.
 *
 * <p>One client address gets half of the loop's part of the budget; beyond that one of its connections ends. When the
 * process holds too much, addresses that hold more than others are refused, and then the largest holders end. How large
 * a holder is depends on the time, too: each byte counts for as long as it has been held, so that a peer that takes at
 * once what it is sent is not ended in the place of those that take little ({@link Holder#taken}).
 */
public final class HeldMemory {

    private static final Logger LOG = LoggerFactory.getLogger(HeldMemory.class);

    private static final long RECOUNT_MILLIS = 1_000;
    /** What a byte counts from the start, as the time for which it is held, in milliseconds. */
    private static final double NEW_MILLIS = 50;
    /** The longest time for which a byte counts, in milliseconds: an idle connection holds little for very long. */
    private static final double OLD_MILLIS = 10_000;

    /** The bytes that may be taken before the sum is counted again; fewer with a small budget. */
    private static final long STEP_BYTES_MAX = 1024 * 1024;
    /** The window of a stream is one of so many bytes of the budget, at least that of RFC 9113 §6.9.2. */
    private static final int WINDOW_PART = 1024;

    private static final int WINDOW_BYTES_MIN = 65_535;
    private static final int WINDOW_BYTES_MAX = 256 * 1024;
    /** A window grows to one of so many bytes of the budget, where what is sent is taken. */
    private static final int GROWN_WINDOW_PART = 64;

    private static final int GROWN_WINDOW_BYTES_MAX = 4 * 1024 * 1024;
    private static final long LENT_TO_CONNECTION_MAX = 16L * 1024 * 1024;

    /**
     * A holder matters whose bytes are at least this part of those that the holder of an average byte has, as a
     * divisor. Others would have to end in great number to make room.
     */
    private static final double SMALL_PART = 8;

    /** A connection that may hold something. Confined to its event loop. */
    public abstract static class Holder {

        private boolean listed;
        private boolean heavy;
        private boolean ended;
        private long counted;
        private long takenBefore;
        private long countedNanos;
        /** The counted bytes, each times the milliseconds for which it has been held. */
        private double byteMillis;

        /** Returns how much memory is held for the peer beside what each connection needs, in bytes. */
        protected abstract long held();

        /**
         * Returns how much its peers have taken so far, in bytes: what was sent to the client and the node, not what
         * waits in files. A guess will do; a number below the last one counts as the same.
         */
        protected abstract long taken();

        /** Returns who shares a part of the budget with it: the address of the client; null when that is not known. */
        protected abstract @Nullable Object owner();

        /** Ends the connection at once, so that nothing is held any more; it is never asked again. */
        protected abstract void end();

        private void counted(long bytes, long nanos) {
            if (bytes <= 0) {
                counted = 0;
                byteMillis = 0;
                return;
            }
            long takenNow = taken();
            if (counted > 0) {
                double millis = (nanos - countedNanos) / (double) TimeUnit.MILLISECONDS.toNanos(1);
                byteMillis += Math.min(counted, bytes) * millis;
                // What was taken had been held for the mean time.
                byteMillis *= bytes / (double) (bytes + Math.max(0, takenNow - takenBefore));
                byteMillis = Math.min(byteMillis, bytes * OLD_MILLIS);
            }
            counted = bytes;
            countedNanos = nanos;
            takenBefore = takenNow;
        }

        private double weight() {
            return byteMillis + counted * NEW_MILLIS;
        }
    }

    /** The memory that one owner holds on this loop. */
    private static final class Share {

        private final List<Holder> holders = new ArrayList<>(2);
        private long bytes;
        private double weight;
    }

    private final LongSupplier nanos;
    private final AtomicBoolean asked = new AtomicBoolean();
    private final long loopMax;
    private final MemoryBudget budget;
    private final Loop.Scheduler scheduler;
    private final long shareMax;
    private final long step;
    private final List<Holder> holders = new ArrayList<>();
    private final Runnable tick = this::tick;
    /** The bytes that streams were lent beyond their first windows. */
    private long lent;

    private long grown;
    /** Written on the event loop. */
    private volatile long told;

    private boolean ticking;
    private boolean counting;

    /**
     * @param loops how many loops share {@code budget}
     * @param nanos the time of the event loop
     */
    @SuppressWarnings("this-escape") // Others ask it only once something is held.
    HeldMemory(MemoryBudget budget, int loops, Loop.Scheduler scheduler, LongSupplier nanos) {
        this.budget = budget;
        this.scheduler = scheduler;
        this.nanos = nanos;
        this.loopMax = budget.bytesOver() / loops;
        this.shareMax = budget.bytesMax() / 2 / loops;
        this.step = Math.clamp(budget.bytesMax() / 64 / loops, 1, STEP_BYTES_MAX);
        budget.join(this);
    }

    /**
     * Returns how much of a body one stream may be sent before somebody takes it, in bytes: more where there is more
     * memory.
     */
    public int windowBytes() {
        return Math.clamp(budget.bytesMax() / WINDOW_PART, WINDOW_BYTES_MIN, WINDOW_BYTES_MAX);
    }

    /** Returns to what the window of a stream may grow while what it is sent is taken, in bytes. */
    public int windowBytesMax() {
        return Math.clamp(budget.bytesMax() / GROWN_WINDOW_PART, windowBytes(), GROWN_WINDOW_BYTES_MAX);
    }

    /** Returns how much one owner may hold on this loop, in bytes. */
    public long shareMax() {
        return shareMax;
    }

    /**
     * Returns how much the streams of one connection may be lent beyond their first windows, in bytes: a part of what
     * one owner gets.
     */
    public long lentToConnectionMax() {
        return Math.min(LENT_TO_CONNECTION_MAX, shareMax / 4);
    }

    /**
     * Lends room for what peers may send before somebody takes it.
     *
     * @return how much, in bytes: at most {@code bytes}, and less when the connections of this loop were lent half of
     *     what one owner may hold
     */
    public long lend(long bytes) {
        long given = Math.max(0, Math.min(bytes, shareMax / 2 - lent));
        lent += given;
        return given;
    }

    /** Takes back what was lent, in bytes: it cannot be sent any more. */
    public void giveBack(long bytes) {
        lent -= bytes;
    }

    /**
     * Notes that {@code holder} took memory. It may be ended before this returns, but not within {@link Holder#held}.
     *
     * @param bytes may be a guess; {@link Holder#held} is asked for the truth
     */
    public void grew(Holder holder, long bytes) {
        if (holder.ended) {
            return;
        }
        if (!holder.listed) {
            holder.listed = true;
            holders.add(holder);
            if (!ticking) {
                ticking = true;
                scheduler.schedule(tick, RECOUNT_MILLIS);
            }
        }
        grown += bytes;
        if (grown >= step && !counting) {
            recount();
        }
    }

    /** Returns whether a new request of {@code holder} is refused, and counts it then. */
    public boolean refuses(Holder holder) {
        if (!(holder.heavy || budget.isNear())) {
            return false;
        }
        recount();
        // A loop below its part may use the rest of it, while others make room.
        boolean refused = holder.heavy || (budget.isExhausted() && isAbovePart());
        if (refused) {
            budget.refused();
        }
        return refused;
    }

    private void tick() {
        ticking = false;
        try {
            recount();
        } finally {
            if (!holders.isEmpty()) {
                ticking = true;
                scheduler.schedule(tick, RECOUNT_MILLIS);
            }
        }
    }

    private void recount() {
        if (counting) {
            return;
        }
        counting = true;
        try {
            Map<Object, Share> shares = count();
            shares.values().forEach(this::judge);
            while (budget.isOver() && isAbovePart() && endLargest(shares)) {
                // Until there is room, or other loops hold more than this one.
            }
            if (budget.isOver()) {
                budget.askOthers(this);
            }
        } finally {
            counting = false;
        }
    }

    /** Returns whether this loop holds more than its part, so that its holders and no other's end; from any thread. */
    boolean isAbovePart() {
        return told >= loopMax;
    }

    /** Has the holders of this loop counted again soon, because another one needs room; from any thread. */
    void ask() {
        if (asked.compareAndSet(false, true)) {
            scheduler.execute(() -> {
                asked.set(false);
                recount();
            });
        }
    }

    /** Asks everybody how much it holds; who holds nothing is forgotten until it takes something. */
    private Map<Object, Share> count() {
        grown = 0;
        long sum = 0;
        int kept = 0;
        long now = nanos.getAsLong();
        Map<Object, Share> shares = new HashMap<>();
        for (int i = 0; i < holders.size(); i++) {
            Holder holder = holders.get(i);
            holder.counted(holder.ended ? 0 : held(holder), now);
            holder.heavy = false;
            if (holder.counted <= 0) {
                holder.listed = false;
                continue;
            }
            holders.set(kept++, holder);
            sum += holder.counted;
            Object owner = holder.owner();
            Share share = shares.computeIfAbsent(owner == null ? holder : owner, unknown -> new Share());
            share.holders.add(holder);
            share.bytes += holder.counted;
            share.weight += holder.weight();
        }
        holders.subList(kept, holders.size()).clear();
        tell(sum);
        return shares;
    }

    /** Returns what {@code holder} says; one that cannot say it ends, and keeps nobody from counting the others. */
    private static long held(Holder holder) {
        try {
            return holder.held();
        } catch (RuntimeException | Error e) {
            LOG.error("The memory of a connection could not be counted", e);
            end(holder);
            return 0;
        }
    }

    private static void end(Holder holder) {
        holder.ended = true;
        try {
            holder.end();
        } catch (RuntimeException | Error e) {
            LOG.error("A connection that holds too much could not be ended", e);
        }
    }

    private void tell(long sum) {
        if (sum != told) {
            budget.changed(sum - told);
            told = sum;
        }
    }

    /** Holds an owner to its share. */
    private void judge(Share share) {
        while (share.bytes > shareMax && share.holders.size() > 0) {
            end(share);
        }
        boolean heavy = share.bytes > shareMax / 4 * 3 || (budget.isNear() && share.bytes > shareMax / 8);
        for (Holder holder : share.holders) {
            holder.heavy = heavy;
        }
    }

    private boolean endLargest(Map<Object, Share> shares) {
        double bytes = 0;
        double squares = 0;
        for (Share share : shares.values()) {
            bytes += share.bytes;
            squares += (double) share.bytes * share.bytes;
        }
        double least = squares / Math.max(1, bytes) / SMALL_PART;
        Share largest = null;
        for (Share share : shares.values()) {
            boolean matters = !share.holders.isEmpty() && share.bytes >= least;
            if (matters && (largest == null || share.weight > largest.weight)) {
                largest = share;
            }
        }
        if (largest == null) {
            return false;
        }
        end(largest);
        return true;
    }

    /** Ends the holder of {@code share} that holds most for the longest time. */
    private void end(Share share) {
        double squares = 0;
        for (Holder holder : share.holders) {
            squares += (double) holder.counted * holder.counted;
        }
        double least = squares / Math.max(1, share.bytes) / SMALL_PART;
        int at = -1;
        for (int i = 0; i < share.holders.size(); i++) {
            Holder holder = share.holders.get(i);
            if (holder.counted >= least
                    && (at < 0 || holder.weight() > share.holders.get(at).weight())) {
                at = i;
            }
        }
        Holder holder = share.holders.remove(at);
        share.bytes -= holder.counted;
        share.weight -= holder.weight();
        tell(told - holder.counted);
        budget.ended(holder.owner(), holder.counted);
        end(holder);
    }
}
