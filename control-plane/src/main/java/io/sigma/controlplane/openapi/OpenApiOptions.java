package io.sigma.controlplane.openapi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a document is imported.
 *
 * @param id of the router, the proxy pass and the upstream, and what the ids of routes begin with; from the title when null
 * @param proxyServerId what the router hangs on
 * @param hosts of the router
 * @param nodes URLs of nodes, instead of the servers of the document
 * @param removeVanished whether routes of an earlier import whose operations are gone are deleted
 */
public record OpenApiOptions(
        @Nullable String id, String proxyServerId, List<String> hosts, List<String> nodes, boolean removeVanished) {

    public OpenApiOptions {
        hosts = List.copyOf(hosts);
        nodes = List.copyOf(nodes);
    }
}
