package io.sigma.dataplane.engine;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** The connection of a client, as an operator sees it. Confined to its event loop. */
public interface ConnectedClient {

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

    /** Returns when it was accepted, or ready for requests, by {@link System#nanoTime()}. */
    long startNanos();

    /** Returns how many bytes of the client were passed on, or were in complete frames. */
    long bytesIn();

    /** Returns how many bytes were passed on, or written, to the client. */
    long bytesOut();
}
