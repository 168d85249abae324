package io.sigma.dataplane.engine;

import io.sigma.dataplane.exchange.StreamEnd;
import io.sigma.dataplane.upstream.NodeEndpoint;
import java.util.List;

/**
 * A connection of a client whose bytes are passed to a node, or a session of its datagrams, as the control flow sees
 * it. Confined to its event loop.
 */
public interface StreamClient extends ConnectedClient {

    /** Returns the protocols that the client offered by ALPN, the best first; none where nothing is known of them. */
    List<String> protocols();

    /**
     * Opens a connection to {@code node}; {@link StreamEvents#onConnected} or {@link StreamEvents#onUnconnected}
     * follows once, maybe before this returns.
     *
     * @param encrypts whether TLS is spoken to nodes whose URL says so
     * @param connectMillis longest wait
     */
    void connect(NodeEndpoint node, boolean encrypts, int connectMillis);

    /**
     * Passes bytes in both directions from now on. To be called once, within {@link StreamEvents#onConnected}.
     *
     * @param openMillis how long nothing may pass while both sides may send and have read everything
     * @param stalledMillis the same while one of them has ended or does not read
     */
    void pass(int openMillis, int stalledMillis);

    /** Ends it, behind what was written; {@link StreamEvents#onEnd} follows. */
    void close(StreamEnd reason);

    /** Returns how many datagrams of the client were passed on; -1 for a stream of bytes. */
    default long datagramsIn() {
        return -1;
    }

    /** Returns how many datagrams of the node were passed on; -1 for a stream of bytes. */
    default long datagramsOut() {
        return -1;
    }
}
