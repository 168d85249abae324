package io.sigma.dataplane.discovery;

import io.sigma.model.NodeDiscovery;
import java.util.List;

/**
 * The nodes that were found last for an upstream.
 *
 * @param degrade whether they are of the form of the upstream that speaks plain HTTP to nodes with an https URL
 * @param settings under which they were found
 */
public record FoundNodes(String upstreamId, boolean degrade, NodeDiscovery settings, List<DiscoveredNode> nodes) {

    public FoundNodes {
        nodes = List.copyOf(nodes);
    }
}
