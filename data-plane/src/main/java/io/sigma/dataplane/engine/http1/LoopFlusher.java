package io.sigma.dataplane.engine.http1;

import io.netty.channel.EventLoop;
import io.sigma.dataplane.engine.uring.RingEvents;
import java.util.ArrayDeque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends what was written during a loop iteration at its end, once for each connection, after everything that had
 * arrived was read; with {@link RingEvents}, at the end of each of their batches. Confined to the event loop.
 */
public final class LoopFlusher implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(LoopFlusher.class);

    /** Something with writes that wait to be sent. */
    public interface Writer {

        /** Sends what waits; maybe also when it was closed meanwhile. */
        void flushNow();

        /** Closes it, because {@link #flushNow} failed. */
        void giveUp();
    }

    private final EventLoop loop;
    private final ArrayDeque<Writer> writers = new ArrayDeque<>();

    public LoopFlusher(EventLoop loop) {
        this.loop = loop;
    }

    /** Has {@code writer} called at the end of this loop iteration. To be called once until then. */
    public void add(Writer writer) {
        if (writers.isEmpty() && !RingEvents.afterBatch(this)) {
            loop.execute(this);
        }
        writers.add(writer);
    }

    @Override
    public void run() {
        try {
            // Entries that are added meanwhile belong to the next loop iteration.
            for (int left = writers.size(); left > 0; left--) {
                flushFirst();
            }
        } finally {
            if (!writers.isEmpty()) {
                loop.execute(this);
            }
        }
    }

    /** Sends what the first one has; it stays in its place meanwhile, so that {@link #add} knows that this runs. */
    private void flushFirst() {
        Writer writer = writers.element();
        try {
            writer.flushNow();
        } catch (RuntimeException | Error e) {
            // The others of this loop iteration still have to run.
            LOG.error("A connection failed when it was to send", e);
            writer.giveUp();
        } finally {
            writers.remove();
        }
    }
}
