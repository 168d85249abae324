package io.sigma.dataplane.engine.relay;

import io.sigma.dataplane.engine.body.BodyRate;
import io.sigma.dataplane.upstream.NodeEndpoint;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether the client of one request may pause within its body. It may while it holds nothing that others need:
 * a body that is read ahead has no connection to a node. One that has, takes a place among those that the node has for
 * pauses, and loses it as soon as others wait for a connection. Confined to the event loop.
 */
final class SlowBody implements BodyRate.Watcher {

    private final Supplier<@Nullable NodeEndpoint> held;
    private final long client;
    private final Runnable onSlow;
    /** Of whose places it has one; null for none. */
    private @Nullable NodeEndpoint placed;

    /**
     * @param held returns the node to which the request has a connection; null for none
     * @param client the client address that its place counts for
     */
    SlowBody(Supplier<@Nullable NodeEndpoint> held, long client, Runnable onSlow) {
        this.held = held;
        this.client = client;
        this.onSlow = onSlow;
    }

    @Override
    public boolean mayPause() {
        NodeEndpoint node = held.get();
        if (node == null) {
            return true;
        }
        if (node.queued() > 0) {
            return false;
        }
        if (placed == null && node.pauses().tryTake(client)) {
            placed = node;
        }
        return placed != null;
    }

    @Override
    public void onPauseEnd() {
        NodeEndpoint node = placed;
        placed = null;
        if (node != null) {
            node.pauses().giveBack(client);
        }
    }

    @Override
    public void onSlow() {
        onSlow.run();
    }
}
