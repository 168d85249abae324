package io.sigma.dataplane.engine;

import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.exchange.StreamEnd;

/** Receives the events of a connection whose bytes are passed to a node. Called on its event loop. */
public interface StreamEvents {

    /** All that a router matches is known. */
    void begin();

    /** A connection to the node is open. */
    void onConnected();

    /** There is no connection to the node, and nothing was sent to it. */
    void onUnconnected(GatewayError error);

    /**
     * The node that {@link #onConnected} reported takes no datagrams: nothing came from it, and all that was sent to it
     * can be sent to another node.
     */
    void onRefused(GatewayError error);

    /** Called once in a while, as long as the connection is open. */
    void onTick();

    /** It is over; called once, and nothing else after it. */
    void onEnd(StreamEnd reason);
}
