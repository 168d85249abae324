package io.sigma.dataplane.engine.relay;

import io.sigma.dataplane.engine.ServerBinding;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.loop.Prefetched;
import io.sigma.dataplane.upstream.proxied.ClientPools;
import io.sigma.model.ServerLimits;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a client, as its requests see it. {@code ClientConnection} extends it, and every {@link
 * ClientStream} of the connection calls it. Confined to its event loop.
 */
public interface ClientSocket extends Prefetched, ClientPools.Owner {

    Loop loop();

    ServerBinding binding();

    /** Returns where responses wait that the client does not read as fast as they come. */
    SpoolFiles spools();

    /**
     * Returns whom what is held for the client counts for: its address, and of IPv6 its network; null when others share
     * it.
     */
    @Nullable
    Object owner();

    /** Returns what is taken from the client at most, as it is now. */
    default ServerLimits limits() {
        return binding().limits();
    }

    /**
     * Returns the head of a request on this connection.
     *
     * @throws io.sigma.dataplane.exchange.InvalidRequest when it breaks a rule
     */
    RequestHead head(RequestLine line, Fields fields, long bodyBytes);

    /** Returns a head for the log when the request could not be understood. */
    RequestHead placeholder(RequestLine line, Fields fields);

    /**
     * Returns the head of a request on HTTP/2, whose fields and target have been checked for what they may consist of.
     *
     * @param authority null when the request names none
     * @throws io.sigma.dataplane.exchange.InvalidRequest when it breaks a rule
     */
    RequestHead http2Head(String method, String target, @Nullable String authority, Fields fields, long bodyBytes);

    /** Returns a head for the log when a request on HTTP/2 could not be understood. */
    RequestHead http2Placeholder(String method, Fields fields);

    /** Returns the subject of the client's certificate, null when it has none. */
    @Nullable
    String clientSubject();

    /** Returns the connection to a node that is this connection's alone; null for none. */
    @Nullable
    PrivateNode privateNode();

    /** Keeps a connection to a node in the place of the one before, until this connection ends. */
    void privateNode(PrivateNode kept);

    /** Notes that an exchange began: its head is complete. */
    void exchangeBegun();

    void exchangeEnded();

    /** Notes that an exchange waits for its node. */
    void waitBegun();

    void waitEnded();

    /** Notes that something was sent. */
    void sent();

    /**
     * Tells the client at once that nothing follows, while what it still sends is read, so that it can read the answer.
     */
    void endOutput();

    /** Notes that heads are not looked for in this connection's bytes any more. */
    void noHeads();
}
