package io.sigma.dataplane.engine;

/** A connection on which a client sends requests in frames. Confined to its event loop. */
public interface RpcClient extends ConnectedClient {

    /** Ends it, behind what was written. Requests in progress are abandoned. */
    void close();
}
