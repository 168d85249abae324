package io.sigma.dataplane.engine.http1;

import io.netty.channel.EventLoop;
import java.util.ArrayDeque;

/**
 * Sends what was written during a turn of an event loop at its end, once for each connection, after everything that had
 * arrived was read. Confined to the event loop.
 */
public final class LoopFlusher implements Runnable {

    /** Something with writes that wait to be sent. */
    public interface Writer {

        /** Sends what waits; maybe also when it was closed meanwhile. */
        void flushNow();
    }

    private final EventLoop loop;
    private final ArrayDeque<Writer> writers = new ArrayDeque<>();

    public LoopFlusher(EventLoop loop) {
        this.loop = loop;
    }

    /** Has {@code writer} called at the end of this turn. To be called once until then. */
    public void add(Writer writer) {
        if (writers.isEmpty()) {
            loop.execute(this);
        }
        writers.add(writer);
    }

    @Override
    public void run() {
        // What is added meanwhile belongs to the next turn.
        for (int left = writers.size(); left > 0; left--) {
            Writer writer = writers.peek();
            if (writer != null) {
                writer.flushNow();
            }
            writers.poll();
        }
        if (!writers.isEmpty()) {
            loop.execute(this);
        }
    }
}
