package io.sigma.dataplane.engine.uring;

import io.netty.channel.EventLoop;
import io.netty.channel.IoRegistration;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** State that all connections of an event loop share. Confined to the loop. */
final class RingLoop {

    /** So many are kept for the next connections that send more than one buffer at once. */
    private static final int SPARE_MAX = 64;

    private static final FastThreadLocal<RingLoop> CURRENT = new FastThreadLocal<>();

    private final RingBuffers buffers;
    private final RingEvents events;
    private final @Nullable RingHandler handler = RingHandler.current();
    private final Pipes pipes = new Pipes();
    private final Peers peers = new Peers();
    private final ArrayDeque<Gathering> spare = new ArrayDeque<>(0);

    /** True if the kernel bounds what one operation receives, as far as is known. */
    private boolean bounding = true;

    private RingLoop(EventLoop loop, RingBuffers buffers) {
        this.buffers = buffers;
        this.events = new RingEvents(loop, handler);
        loop.terminationFuture().addListener(ended -> {
            spare.forEach(Gathering::free);
            pipes.close();
        });
    }

    /**
     * Returns that of the event loop that calls.
     *
     * @param registered the registration of a channel at the loop
     * @param group of the buffers that are read into, one for all connections
     */
    static RingLoop of(EventLoop loop, IoRegistration registered, short group) {
        RingLoop known = CURRENT.get();
        if (known == null) {
            known = new RingLoop(loop, RingBuffers.of(registered.attachment(), group));
            CURRENT.set(known);
        }
        return known;
    }

    boolean isBounding() {
        return bounding;
    }

    /** The kernel is older than Linux 6.17. */
    void cannotBound() {
        bounding = false;
    }

    RingEvents events() {
        return events;
    }

    /** Returns what waits for the kernel; null when that is Netty alone. */
    @Nullable
    RingHandler handler() {
        return handler;
    }

    Pipes pipes() {
        return pipes;
    }

    RingBuffers buffers() {
        return buffers;
    }

    Peers peers() {
        return peers;
    }

    Gathering gathering() {
        Gathering kept = spare.poll();
        return kept == null ? new Gathering() : kept;
    }

    /** Takes one back that the kernel does not look at any more. */
    void give(Gathering used) {
        if (spare.size() < SPARE_MAX) {
            used.parts().clear();
            spare.push(used);
        } else {
            used.free();
        }
    }
}
