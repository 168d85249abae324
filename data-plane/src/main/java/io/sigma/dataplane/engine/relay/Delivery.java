package io.sigma.dataplane.engine.relay;

import io.sigma.dataplane.engine.body.Draining;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether a node still receives the request of a call when the time for its answer is over. What was given to the
 * connection may be far from the node: the kernel holds megabytes for a node that reads slowly. Confined to the event
 * loop.
 */
final class Delivery {

    /** Of a request up to this length the kernel of the node has everything at once, in bytes. */
    private static final long SOON_BYTES = 32 * 1024;

    private final Draining draining = new Draining();
    private long progress;

    /** No request is under way. */
    void forget() {
        draining.begin(0);
    }

    /** The node has to read before {@code out} takes more. */
    void awaitRoom(NodeStream out) {
        progress = out.progress();
        draining.begin(out.undelivered());
    }

    /** All of the request is given to {@code out}, whose body has {@code bytes}. */
    void end(NodeStream out, long bytes) {
        draining.begin(bytes > SOON_BYTES ? out.undelivered() : 0);
    }

    /** The node sends its answer: only what it receives from now on counts. */
    void answered(NodeStream out) {
        if (draining.isUnderWay()) {
            draining.begin(out.undelivered());
        }
    }

    /**
     * Returns whether the node has received some of the request since it was looked at.
     *
     * @param full the stream whose node has to read first; null for none
     * @param ended the stream to which all of the request was given; null for none
     */
    boolean goesOn(@Nullable NodeStream full, @Nullable NodeStream ended) {
        if (full != null) {
            return full.progress() != progress || draining.goesOn(full.undelivered());
        }
        return ended != null && draining.isUnderWay() && draining.goesOn(ended.undelivered());
    }
}
