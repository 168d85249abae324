package io.sigma.dataplane.engine.uring;

import io.sigma.dataplane.upstream.pool.SocketBudget;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The pipes of an event loop. All loops together have as many as the limit of open files allows. Confined to the loop.
 */
final class Pipes {

    private static final int MOST = SocketBudget.pipesOfProcess();
    private static final AtomicInteger OPEN = new AtomicInteger();
    /** So many are kept for the next bodies. */
    private static final int SPARE_MAX = 32;

    private final Splice splice = new Splice();
    private final ArrayDeque<Pipe> spare = new ArrayDeque<>();

    Splice splice() {
        return splice;
    }

    /** Returns how many there are in this process. */
    static int open() {
        return OPEN.get();
    }

    /** Returns an empty one, to be given back or closed; null when there is none. */
    @Nullable
    Pipe take() {
        Pipe kept = spare.poll();
        if (kept != null) {
            return kept;
        }
        if (!Splice.isKnown() || OPEN.incrementAndGet() > MOST) {
            OPEN.decrementAndGet();
            return null;
        }
        try {
            return Pipe.open(this);
        } catch (IOException e) {
            OPEN.decrementAndGet();
            return null;
        }
    }

    /** Takes one back that is empty. */
    void give(Pipe empty) {
        if (spare.size() < SPARE_MAX) {
            spare.push(empty);
        } else {
            close(empty);
        }
    }

    void close(Pipe used) {
        used.close();
        OPEN.decrementAndGet();
    }

    void close() {
        spare.forEach(this::close);
        spare.clear();
    }
}
