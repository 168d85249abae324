package io.sigma.controlplane.api.request;

import io.sigma.json.TreeCost;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the memory of what bodies were parsed to, over all requests: a body of {@code []}s is 30 times as large as its
 * text. Thread-safe.
 */
public final class TreeBudget {

    /** The tree of one request. Used by one thread at a time. */
    public final class Share implements TreeCost, AutoCloseable {

        private long bytes;

        private Share() {}

        @Override
        public boolean take(long more) {
            if (held.addAndGet(more) > max) {
                held.addAndGet(-more);
                return false;
            }
            bytes += more;
            return true;
        }

        /** Returns whether the bound is reached by this share alone: it will not fit later either. */
        boolean isMost() {
            return bytes > max / 2;
        }

        /** Gives the memory back. */
        @Override
        public void close() {
            held.addAndGet(-bytes);
            bytes = 0;
        }
    }

    private final long max;
    private final AtomicLong held = new AtomicLong();

    /** @param max bytes */
    public TreeBudget(long max) {
        this.max = max;
    }

    /** Begins the tree of a request. */
    public Share begin() {
        return new Share();
    }

    /** Returns the bytes that are held. */
    long held() {
        return held.get();
    }
}
