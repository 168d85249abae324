package io.sigma.dataplane.engine.relay;

import io.sigma.dataplane.upstream.PooledConnection;

/**
 * A connection to a node that requests are sent on. The links of both protocols implement it, and {@code RequestRelay}
 * sends on it. Confined to its event loop.
 */
public abstract class NodeConnection extends PooledConnection {

    /** Returns whether requests may be sent on it. */
    final boolean isUsable() {
        return isOpen();
    }

    /** Begins a request; {@code events} hears of the stream or of the failure, maybe before this returns. */
    public abstract void open(NodeEvents events);
}
