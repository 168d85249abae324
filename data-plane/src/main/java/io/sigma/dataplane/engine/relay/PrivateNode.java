package io.sigma.dataplane.engine.relay;

import io.sigma.dataplane.upstream.NodeEndpoint;

/**
 * A connection to a node on which a user was authenticated: it belongs to one connection of a client, and ends with
 * that. Confined to the event loop.
 */
public final class PrivateNode {

    private final NodeEndpoint node;
    private final NodeConnection connection;
    private boolean ended;

    PrivateNode(NodeEndpoint node, NodeConnection connection) {
        this.node = node;
        this.connection = connection;
    }

    public NodeEndpoint node() {
        return node;
    }

    NodeConnection connection() {
        return connection;
    }

    /** Returns whether requests may still be sent on it. */
    boolean isUsable() {
        return !ended && connection.isUsable();
    }

    /** Closes it; its client's connection has ended, or has another one. */
    public void end() {
        if (!ended) {
            ended = true;
            connection.release(false, connection.client());
        }
    }
}
