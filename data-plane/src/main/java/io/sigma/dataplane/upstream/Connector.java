package io.sigma.dataplane.upstream;

import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.upstream.proxied.ProxiedClient;
import java.util.function.Consumer;

/** Opens connections to nodes; an engine implements it. */
@FunctionalInterface
public interface Connector {

    /**
     * Opens a connection on {@code loop}, on which both callbacks are called; exactly one of them is.
     *
     * @param onConnected takes the connection, which is open
     * @param onFailed takes the reason
     */
    void connect(
            NodeEndpoint endpoint, Loop loop, Consumer<PooledConnection> onConnected, Consumer<Throwable> onFailed);

    /**
     * Returns what opens connections whose PROXY header names {@code client}, where a node wants a header
     * ({@link NodeEndpoint.Key#proxyProtocol}).
     */
    default Connector onBehalfOf(ProxiedClient client) {
        return this;
    }

    /** Returns what opens connections over which HTTP/1.1 is spoken, although nodes could choose another protocol. */
    default Connector http1() {
        return this;
    }

    /** Returns what opens connections over which {@code version} is spoken, which is none of HTTP. */
    default Connector framed(NodeEndpoint.Version version) {
        return this;
    }

    /** Returns whether a connection may be opened that no request needs yet. */
    default boolean hasRoomInAdvance() {
        return true;
    }

    /** Returns whether each connection carries many requests at a time, whatever the node speaks. */
    default boolean multiplexes() {
        return false;
    }

    /**
     * Returns what opens connections over which HTTP/2 is spoken with prior knowledge (RFC 9113 §3.3). Each is open
     * when the node has answered in HTTP/2; else the attempt fails with {@link NotHttp2}.
     */
    default Connector priorHttp2() {
        return this;
    }
}
