package io.sigma.dataplane.engine.uring;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.FastThreadLocal;
import io.sigma.dataplane.loop.Prefetched;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The events of the connections of one event loop, in batches. {@code RingLoop} reports them, and {@code LoopFlusher}
 * flushes after each batch. Netty takes all events that the kernel has, of thousands of connections maybe, before the
 * loop runs its tasks; what was written is sent after each batch instead, while it is in the processor's caches. Its
 * tasks have their turn after a number of batches, because the kernel may have more events at once for as long as a
 * fast peer sends; and of connections whose peers send more than fits into a buffer few are read at a time, so that a
 * loop iteration stays short however many of them there are. With many connections, what a batch leads to is read
 * before ({@link Prefetched}). Confined to the event loop.
 */
public final class RingEvents implements Runnable {

    /** About as many as the kernel hands over at once. */
    static final int BATCH = 16;

    /** With fewer connections than this, all that belongs to them is in the processor's caches anyway. */
    static final int MANY = 1024;

    /** After so many batches the tasks of the loop run. Some of them end what causes the events. */
    static final int BATCHES_MAX = 32;

    /** Connections that are read again after each batch, of those that brought much. */
    static final int READS_MAX = 4;

    private static final long TASKS_NANOS_MAX = 10_000_000;

    private static final Logger LOG = LoggerFactory.getLogger(RingEvents.class);
    private static final FastThreadLocal<RingEvents> CURRENT = new FastThreadLocal<>();

    private final EventLoop loop;
    private final @Nullable RingHandler handler;
    private int connections;
    /** Since tasks ran. */
    private int batches;

    private boolean prefetching = true;

    /** Events of this batch so far. */
    private int taken;
    /** Those of them that are to be handled at its end. */
    private int waiting;
    /** True if the loop ends with this iteration. */
    private boolean scheduled;

    private @Nullable Runnable sender;
    /** Read on connections that brought much, the one that has waited longest first. */
    private final ArrayDeque<Runnable> reads = new ArrayDeque<>(0);

    private final Runnable nextReads = this::readMore;
    private boolean readsScheduled;
    /** True if tasks run although the kernel may have more events. */
    private boolean interrupted;

    private final @Nullable RingChannel[] channels = new @Nullable RingChannel[BATCH];
    private final byte[] operations = new byte[BATCH];
    private final int[] results = new int[BATCH];
    private final int[] flags = new int[BATCH];
    private final long[] ids = new long[BATCH];

    @SuppressWarnings("UnusedVariable") // Else the compiler would leave out all that it is made of.
    private int prefetched;

    /**
     * @param handler of the loop; null when that is Netty alone
     */
    RingEvents(EventLoop loop, @Nullable RingHandler handler) {
        this.loop = loop;
        this.handler = handler;
        CURRENT.set(this);
    }

    /**
     * Has {@code sender} called when the batch that runs on this thread is handled.
     *
     * @return whether it will be; not when there is no batch, or another one was given
     */
    public static boolean afterBatch(Runnable sender) {
        RingEvents current = CURRENT.get();
        if (current == null || !current.scheduled || current.sender != null) {
            return false;
        }
        current.sender = sender;
        return true;
    }

    /** Returns whether the task that runs on this thread interrupts its loop, which takes events. */
    static boolean isReading() {
        RingEvents current = CURRENT.get();
        return current != null && current.interrupted;
    }

    void opened() {
        connections++;
    }

    void closed() {
        connections--;
    }

    /** Takes an event, which is handled by the end of this loop iteration, after those that came before. */
    void take(RingChannel channel, byte operation, int result, int flag, long id) {
        if (!scheduled) {
            scheduled = true;
            if (handler == null || !handler.after(this)) {
                loop.execute(this);
            }
        }
        if (waiting > 0 || connections >= MANY) {
            int at = waiting++;
            channels[at] = channel;
            operations[at] = operation;
            results[at] = result;
            flags[at] = flag;
            ids[at] = id;
        } else {
            handle(channel, operation, result, flag, id);
        }
        if (++taken == BATCH) {
            finish();
        }
    }

    /** Has {@code read}, which reads again on a connection that brought much, run in its turn. */
    void readLater(Runnable read) {
        reads.add(read);
    }

    private void readMore() {
        readsScheduled = false;
        read();
    }

    private void read() {
        for (int i = 0; i < READS_MAX && !reads.isEmpty(); i++) {
            guarded(reads.remove(), "A connection failed when it was to be read again");
        }
        if (!reads.isEmpty() && !readsScheduled) {
            readsScheduled = true;
            // Not with the tasks of this loop iteration: the kernel has to be asked before.
            loop.schedule(nextReads, 0, TimeUnit.NANOSECONDS);
        }
    }

    /** The kernel has no more events for now. */
    @Override
    public void run() {
        batches = 0;
        try {
            finish();
        } finally {
            // Else this would never be asked for again, and what is written would wait for more events.
            scheduled = false;
        }
    }

    private void finish() {
        int all = waiting;
        taken = 0;
        waiting = 0;
        if (all > 1 && prefetching) {
            prefetch(all);
        }
        for (int i = 0; i < all; i++) {
            handle(Objects.requireNonNull(channels[i]), operations[i], results[i], flags[i], ids[i]);
        }
        Runnable waits = sender;
        sender = null;
        if (waits != null) {
            guarded(waits, "Bytes that were written during a batch could not be sent");
        }
        if (!reads.isEmpty()) {
            read();
        }
        if (++batches > BATCHES_MAX) {
            interrupted = true;
            try {
                LoopTasks.run(loop, TASKS_NANOS_MAX);
            } finally {
                interrupted = false;
            }
            batches = 0;
        }
    }

    private static void guarded(Runnable task, String failure) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            // The rest still has to be done, and so has the next batch.
            LOG.error(failure, e);
        }
    }

    private void prefetch(int all) {
        int read = 0;
        try {
            for (int distance = 0; distance <= Prefetched.FARTHEST; distance++) {
                for (int i = 0; i < all; i++) {
                    // The output reaches nobody.
                    if (distance < 2 || operations[i] == RingOps.RECV) {
                        read += Objects.requireNonNull(channels[i]).prefetch(distance);
                    }
                }
            }
        } catch (RuntimeException | Error e) {
            // Nothing depends on it.
            prefetching = false;
            LOG.error("Reading ahead failed, so this event loop goes on without", e);
        }
        prefetched = read;
    }

    private static void handle(RingChannel channel, byte operation, int result, int flags, long id) {
        try {
            channel.handle(operation, result, flags, id);
        } catch (RuntimeException | Error e) {
            // The others of this loop iteration still have to run.
            LOG.error("A connection failed when it was to handle an event", e);
            channel.close();
        }
    }
}
