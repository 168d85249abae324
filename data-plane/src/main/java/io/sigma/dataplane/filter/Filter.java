package io.sigma.dataplane.filter;

import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.ResponseHead;
import java.util.Map;

/**
 * The running form of a plugin, called on every event loop at once. Its state of an exchange is an attribute of the
 * exchange, see {@link io.sigma.dataplane.exchange.AttributeKey}.
 */
public interface Filter {

    /** The outcome of the request. */
    enum Verdict {
        /** It goes on, to the next filter or to the node. */
        CONTINUE,
        /** The filter answers it, or decides later: it calls one method of {@link Replies}, once. */
        TAKEN
    }

    /**
     * Looks at a request before it is forwarded.
     *
     * @param replies how to answer, or to go on after {@link Verdict#TAKEN}; to be called on the exchange's event loop
     */
    default Verdict onRequest(Exchange exchange, Replies replies) {
        return Verdict.CONTINUE;
    }

    /**
     * Returns whether {@link #onRequest} depends on the exchange alone, changes nothing else, and does not decide
     * later: then it may be shown a request that is only tried out.
     */
    default boolean isPure() {
        return false;
    }

    /**
     * Changes a response, whoever made it, before it is sent. If it throws, the client gets 500 instead, which is shown
     * to all filters as well and sent whatever they do.
     */
    default void onResponse(Exchange exchange, ResponseHead head) {}

    /**
     * The exchange is over, however it ended. Called exactly once for each exchange of the chain, also when an earlier
     * filter answered and this one never saw the request. Neither the exchange nor a head may be touched after it: the
     * next request of the connection may be the same objects.
     */
    default void onEnd(Exchange exchange) {}

    /**
     * Returns what it counts, for the filter of the same plugin in a process that takes the place of this one. From any
     * thread.
     *
     * @param most entries at most; others are left out
     */
    default Map<String, Long> counts(int most) {
        return Map.of();
    }

    /** Goes on with what {@link #counts} of another process returned; what it cannot read is left out. */
    default void count(Map<String, Long> counted) {}

    /**
     * No snapshot has this filter any more. Exchanges that began before may still run; called off the event loops,
     * once.
     */
    default void close() {}
}
