package io.sigma.dataplane.engine;

import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.StreamEnd;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The proxy server that a listener serves. {@code flow.ServerDispatch} implements it, and {@code ClientConnection} asks
 * it for each request. Thread-safe.
 */
public interface ServerBinding extends ListenerBinding {

    /**
     * Returns what drives {@code exchange}; called on its event loop for each request.
     *
     * @param before what drove the previous request, which is over; it may be used again; null for none
     */
    ExchangeEvents open(Exchange exchange, @Nullable ExchangeEvents before);

    /**
     * Returns what drives a connection whose bytes are passed to a node, or a session of datagrams; called on its event
     * loop.
     */
    StreamEvents open(StreamClient client);

    /** Returns what drives a request in a frame; called on its event loop. */
    RpcEvents open(RpcRequest request);

    /**
     * Shows a connection with requests in frames to operators; called on its event loop.
     *
     * @return a task to run when the connection is over
     */
    Runnable show(RpcClient client);

    /**
     * Counts a datagram that was passed on; called on the event loop {@code loop}.
     *
     * @param fromClient whether it came from a client
     */
    void passed(int loop, boolean fromClient);

    /** Counts a datagram that was not passed on; called on the event loop {@code loop}. */
    void dropped(int loop, StreamEnd.Drop reason);

    /** Returns whether some encrypted connections of a proxy server of HTTPS are passed on without being decrypted. */
    boolean passesThrough();

    /**
     * Returns whether such a connection is passed on without being decrypted.
     *
     * @param serverName in lower case; null for none
     * @param protocols that the client offers
     * @param client null when unknown
     */
    boolean passesThrough(@Nullable String serverName, List<String> protocols, @Nullable InetAddress client);
}
