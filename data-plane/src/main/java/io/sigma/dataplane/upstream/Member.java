package io.sigma.dataplane.upstream;

import java.util.Map;

/**
 * A node in its place in an upstream. Immutable.
 *
 * @param weight 0 takes no requests, but under plain round-robin
 * @param tier 0 for nodes that take requests first; those of a higher tier do while none of a lower one can
 * @param takesRequests false for a node that is down or drained
 */
public record Member(NodeEndpoint endpoint, int weight, int tier, boolean takesRequests, Map<String, String> metadata) {

    /** Returns whether the node has all these values. */
    boolean has(Map<String, String> wanted) {
        return metadata.entrySet().containsAll(wanted.entrySet());
    }
}
