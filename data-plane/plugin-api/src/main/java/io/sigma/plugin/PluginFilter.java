package io.sigma.plugin;

/**
 * A plugin as it runs, on every event loop at once. Nothing in it may block. What it remembers of an exchange is the
 * {@link PluginRequest#memory()} of the exchange.
 */
public interface PluginFilter {

    /** The decision about the request. */
    enum Verdict {
        /** It goes on, to the next filter or to the node. */
        CONTINUE,
        /** The filter answers it, or decides later: it calls one method of {@link PluginReplies}, once. */
        TAKEN
    }

    /**
     * Looks at a request before it is forwarded.
     *
     * @param replies how to answer, or to go on after {@link Verdict#TAKEN}; to be called on the exchange's event loop
     */
    default Verdict onRequest(PluginRequest request, PluginReplies replies) {
        return Verdict.CONTINUE;
    }

    /**
     * Returns whether {@link #onRequest} depends on the request alone, changes nothing else, and does not decide later:
     * then it may be shown a request that is only tried out.
     */
    default boolean isPure() {
        return false;
    }

    /** Changes a response, whoever made it, before it is sent. If it throws, the client gets 500 instead. */
    default void onResponse(PluginRequest request, PluginResponse response) {}

    /**
     * The exchange is over, however it ended. Called exactly once for each exchange, also when an earlier filter
     * answered and this one never saw the request. The request may not be used after it.
     */
    default void onEnd(PluginRequest request) {}

    /**
     * No snapshot has this filter any more. Exchanges that began before may still run. Called off the event loops,
     * once.
     */
    default void close() {}
}
