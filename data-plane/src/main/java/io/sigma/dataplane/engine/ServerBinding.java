package io.sigma.dataplane.engine;

import io.sigma.dataplane.exchange.Exchange;
import org.jspecify.annotations.Nullable;

/**
 * What a listener serves. {@code flow.ServerDispatch} implements it, and {@code ClientConnection} asks it for
 * each request. Thread-safe.
 */
public interface ServerBinding extends ListenerBinding {

    /**
     * Returns what drives {@code exchange}; called on its event loop for each request.
     *
     * @param before what drove the request before, of which nothing is left, and which may be used again; null for none
     */
    ExchangeEvents open(Exchange exchange, @Nullable ExchangeEvents before);

    /** Returns what drives a connection of a proxy server that speaks no HTTP; called on its event loop. */
    StreamEvents open(StreamClient client);

    /** Returns what drives a request in a frame; called on its event loop. */
    RpcEvents open(RpcRequest request);
}
