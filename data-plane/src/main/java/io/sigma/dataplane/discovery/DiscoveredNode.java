package io.sigma.dataplane.discovery;

import io.sigma.value.NodeUrl;
import java.util.Map;

/**
 * A node that was found.
 *
 * @param weight 0..65535, as {@code weight} of a node
 * @param tier 0 for nodes that take requests first
 */
public record DiscoveredNode(NodeUrl url, int weight, int tier, Map<String, String> metadata) {

    public DiscoveredNode {
        metadata = Map.copyOf(metadata);
    }
}
