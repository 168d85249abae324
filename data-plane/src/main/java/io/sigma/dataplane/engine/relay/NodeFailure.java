package io.sigma.dataplane.engine.relay;

/**
 * Why a request to a node failed. The streams to nodes make it, and {@code RepeatRule} decides by it whether to try
 * again.
 *
 * @param broken whether the connection or the stream broke off; else the node sent something that is no response
 * @param reset whether the node ended the stream alone: it has seen the request
 * @param untouched whether the node did nothing with the request: it said so, or received nothing
 * @param code the HTTP/2 error code for a client whose response is aborted
 */
public record NodeFailure(boolean broken, boolean reset, boolean untouched, long code, Throwable cause) {

    public static final long H2_INTERNAL_ERROR = 2;

    /** Returns the failure of a connection that broke off. */
    public static NodeFailure broken(Throwable cause) {
        return new NodeFailure(true, false, false, H2_INTERNAL_ERROR, cause);
    }

    /** Returns the failure of a connection that was gone before anything was sent on it. */
    public static NodeFailure unsent(Throwable cause) {
        return new NodeFailure(true, false, true, H2_INTERNAL_ERROR, cause);
    }

    /** Returns the failure of a node that sent something that is no response. */
    public static NodeFailure invalid(Throwable cause) {
        return new NodeFailure(false, false, false, H2_INTERNAL_ERROR, cause);
    }
}
