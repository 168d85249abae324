package io.sigma.dataplane.upstream;

/** Whether a node may take requests, as far as that is found out. Thread-safe. */
public final class NodeHealth {

    private volatile boolean usable = true;
    private volatile long warmSince;

    /** Returns whether nothing is known against the node. */
    public boolean isUsable() {
        return usable;
    }

    /** Returns when the node came or came back, by {@link System#nanoTime()}; 0 when it was always there. */
    long warmSince() {
        return warmSince;
    }

    /** Notes that the node takes requests from now on. */
    void warm(long now) {
        warmSince = now == 0 ? 1 : now;
    }
}
