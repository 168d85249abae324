package io.sigma.dataplane.upstream;

import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.GatewayError;

/** The outcome of a request at a node, for balancing and health. */
public enum Outcome {
    /** The node answered completely, with a status other than 5xx. */
    SUCCESS,
    /** The node answered with a 5xx. */
    ERROR_STATUS,
    /** No connection to the node could be opened, or none in time. */
    CONNECT_FAILED,
    /** The node broke off, before or within its response, or sent an invalid response. */
    RESET,
    /** The node did not answer, or paused within its response, for too long. */
    TIMEOUT,
    /** Nothing is known about the node: the client went away, or the gateway gave up for reasons of its own. */
    CANCELLED;

    /** Returns the outcome of a complete response with that status. */
    public static Outcome of(int status) {
        return status >= 500 ? ERROR_STATUS : SUCCESS;
    }

    /** Returns the outcome of a call that failed: what the client caused says nothing of the node. */
    public static Outcome of(GatewayError error) {
        return error.source() == GatewayError.Source.DOWNSTREAM ? CANCELLED : of(error.kind());
    }

    /** Returns the outcome of a call that failed. */
    public static Outcome of(ErrorKind kind) {
        return switch (kind) {
            case CONNECT_FAILED, ADDRESS_REFUSED, CONNECT_TIMEOUT -> CONNECT_FAILED;
            case UPSTREAM_RESET, BAD_RESPONSE, BODY_ABORTED -> RESET;
            case RESPONSE_TIMEOUT, BODY_TIMEOUT -> TIMEOUT;
            default -> CANCELLED;
        };
    }

    /** Returns whether it counts against the node. */
    public boolean isFailure() {
        return this != SUCCESS && this != CANCELLED;
    }
}
