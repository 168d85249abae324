package io.sigma.dataplane.engine;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** A connection on which a client sends requests in frames, as an operator sees it. Confined to its event loop. */
public interface RpcClient {

    /** Returns the index of its event loop. */
    int loop();

    /** Returns whose connection it is, by the PROXY protocol too; null when unknown. */
    @Nullable
    InetSocketAddress remoteAddress();

    /** Returns the address at the other end of the socket; null when unknown. */
    @Nullable
    InetSocketAddress peerAddress();

    /** Returns the name that the client asked for by TLS, in lower case; null for none. */
    @Nullable
    String serverName();

    /** Returns when it was ready for requests, by {@link System#nanoTime()}. */
    long startNanos();

    /** Returns how many bytes the complete frames of the client have. */
    long bytesIn();

    /** Returns how many bytes were written to the client. */
    long bytesOut();

    /** Ends it, behind what was written. Requests in progress are abandoned. */
    void close();
}
