package io.sigma.dataplane.takeover;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The side of a running gateway in a take-over. Called on a thread that may block. */
public interface HandOver {

    /** Returns why nothing can be handed over; null when it can be. */
    @Nullable
    String refusal();

    /** Returns what is served; null when a file says that, which the other process reads itself. */
    @Nullable
    Serving serving();

    /**
     * Returns the descriptors of all sockets that listen, by address. They stay open.
     *
     * @param loops of the other process; each address has as many descriptors at least
     */
    Map<String, List<Integer>> sockets(int loops);

    /** Returns what the other process goes on with, an object. */
    JsonNode state();

    /**
     * The other process accepts: leaves the control planes, stops accepting, and lets connections end. Returns when
     * nothing is accepted any more, or after a bounded time.
     */
    void leave();
}
