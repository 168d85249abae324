package io.sigma.dataplane.upstream;

import java.util.Map;

/**
 * A node in its place in an upstream. Immutable.
 *
 * @param weight 0 takes no requests; plain round robin ignores it
 * @param tier 0 for nodes that take requests first; those of a higher tier do while none of a lower one can
 * @param service DOWN, DRAINING, or HEALTHY for a node in service
 */
public record Member(NodeEndpoint endpoint, int weight, int tier, HealthState service, Map<String, String> metadata) {

    /** Returns whether it is in service. */
    public boolean takesRequests() {
        return service == HealthState.HEALTHY;
    }

    /** Returns whether the node has all these values. */
    boolean has(Map<String, String> wanted) {
        return metadata.entrySet().containsAll(wanted.entrySet());
    }
}
