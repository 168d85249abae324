package io.sigma.dataplane.engine;

import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.GatewayError;

/** Receives the events of a request of a framed protocol. Called on its event loop. */
public interface RpcEvents {

    /** The request is complete. */
    void begin();

    /** The client sent an invalid frame. Its connection is closed after this. */
    void onInvalid(ErrorKind kind);

    /** The request was given to a connection to the node. */
    void onSent();

    /** There is no connection to the node, and nothing was sent to it. */
    void onUnsent(GatewayError error);

    /** The node broke off before it answered. */
    void onBroken();

    /**
     * The answer was passed to the client.
     *
     * @param status what HTTP calls the outcome
     */
    void onAnswer(int status);

    /** The gateway ends the connection of the client. It is still written to. */
    void onEnded();

    /** The client is gone. */
    void onAbandoned();
}
