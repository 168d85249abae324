package io.sigma.dataplane.engine.accept;

import io.netty.channel.ChannelHandler;

/**
 * What is spoken on the connections of a listener. {@code LoopListener} gives it each connection that is ready.
 * Thread-safe.
 */
public interface ListenerProtocol {

    /** What speaks on one connection, as the last handler of its pipeline. Confined to the event loop. */
    interface Speaker extends ChannelHandler {

        /** Ends the connection after what runs on it or begins soon; {@code millis} later it is closed anyway. */
        void drain(long millis);
    }

    /**
     * Returns what speaks on a connection whose PROXY header is read and whose TLS handshake is done; called on its
     * event loop.
     */
    Speaker speaker(AcceptedConnection connection);
}
