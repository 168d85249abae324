package io.sigma.dataplane.engine;

import io.sigma.dataplane.exchange.BodyBuffering;
import io.sigma.dataplane.upstream.NodeEndpoint;

/**
 * A request as it goes to a node. {@code flow.NodeRequests} makes it, and {@code relay.Call} sends it. Its fields
 * are those that the exchange's request has by then.
 *
 * @param target path and query
 * @param authority the Host to send
 * @param upgrade the protocol that the client wants to switch to, empty when it does not
 * @param connectMillis for a connection, waiting for a free one included
 * @param responseMillis from the last byte of the request to the head of the response
 * @param idleMillis between two bytes of the response's body
 * @param replayable whether the request may be sent again after a failure, so that a short body is kept until then
 */
public record Forward(
        NodeEndpoint node,
        String target,
        String authority,
        String upgrade,
        int connectMillis,
        int responseMillis,
        int idleMillis,
        BodyBuffering buffering,
        boolean replayable) {

    /** Returns whether the client asks for a WebSocket, to which HTTP/2 can switch, too (RFC 8441). */
    public boolean isWebSocket() {
        return upgrade.equalsIgnoreCase("websocket");
    }

    /**
     * Returns whether a forward of the same proxy pass, made of these, says the same; texts are compared by identity,
     * which mostly tells.
     */
    @SuppressWarnings("ReferenceEquality")
    public boolean isSame(NodeEndpoint to, String path, String host, String wanted, boolean mayRepeat) {
        return node == to && target == path && authority == host && upgrade == wanted && replayable == mayRepeat;
    }
}
