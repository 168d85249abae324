package io.sigma.dataplane.upstream.health;

import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.model.HealthCheck;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Asks a node for its health; an engine implements it. */
@FunctionalInterface
public interface HealthProber {

    /**
     * Checks {@code endpoint} once, off the loops that carry traffic; from any thread.
     *
     * @param done called exactly once, within the timeout of the check, on any thread: null when the node passed, else
     *     why not
     */
    void probe(NodeEndpoint endpoint, HealthCheck check, Consumer<@Nullable String> done);
}
