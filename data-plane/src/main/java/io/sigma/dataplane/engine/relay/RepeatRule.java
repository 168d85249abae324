package io.sigma.dataplane.engine.relay;

import io.sigma.dataplane.engine.Forward;
import org.jspecify.annotations.Nullable;

/** Decides which requests are sent again to the same node on another connection. Pure. */
final class RepeatRule {

    /** The largest number of times that a connection that the node has closed is replaced for one request. */
    static final int STALE_MAX = 3;

    private static final int REQUEST_TIMEOUT = 408;

    private RepeatRule() {}

    /** Returns whether sending it twice does what sending it once does (RFC 9110 §9.2.2). */
    static boolean isRepeatable(Forward forward, String method) {
        return forward.upgrade().isEmpty()
                && switch (method) {
                    case "GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE" -> true;
                    default -> false;
                };
    }

    /**
     * Returns whether the request may have to be sent again, although its route does not say so: over HTTP/2 a node can
     * say that it did nothing with it (RFC 9113 §8.7), over HTTP/1.1 it may be closing a connection that was used
     * before.
     */
    static boolean mayComeBack(NodeStream stream, Forward forward, String method) {
        return stream.isHttp2() || (stream.isReused() && isRepeatable(forward, method));
    }

    /**
     * Returns whether the node did nothing with the request, or the request does no harm when it is repeated.
     *
     * @param used on which the request was sent; null when it was not
     * @param repeatable as {@link #isRepeatable} says
     * @param bodySent whether some of the body was sent
     * @param replayable whether all of the body that was sent is still held
     */
    static boolean mayRepeat(
            NodeFailure failure, @Nullable NodeStream used, boolean repeatable, boolean bodySent, boolean replayable) {
        if (failure.untouched()) {
            return !bodySent || replayable;
        }
        // The node closed the idle connection while the request was on its way.
        return used != null && failure.broken() && !failure.reset() && used.isReused() && repeatable && replayable;
    }

    /**
     * Returns whether the node had ended its wait for a request when this one arrived: its 408 is not for the client,
     * as the request went out at once (RFC 9110 §15.5.9).
     *
     * @param keepsConnection whether the node keeps the connection
     * @param used on which the request was sent; null when it is gone
     * @param repeatable as {@link #isRepeatable} says
     */
    static boolean isLate(int status, boolean keepsConnection, @Nullable NodeStream used, boolean repeatable) {
        return status == REQUEST_TIMEOUT && !keepsConnection && used != null && used.isReused() && repeatable;
    }
}
