package io.sigma.controlplane.apidoc;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options of an import.
 *
 * @param id of the router, the proxy pass and the upstream, and what the ids of routes begin with; from the title when
 *     null
 * @param hosts the virtual hosts of the router; empty keeps the existing ones
 * @param nodes URLs of nodes, instead of the server of the document
 * @param server which server of the document is taken, the first being 0; null for the first that can be
 * @param removeVanished whether routes of an earlier import whose operations are gone are deleted
 * @param force whether it is done although operations lose what was attached to their routes
 */
public record OpenApiOptions(
        @Nullable String id,
        String proxyServerId,
        List<String> hosts,
        List<String> nodes,
        @Nullable Integer server,
        boolean removeVanished,
        boolean force) {

    public OpenApiOptions {
        hosts = List.copyOf(hosts);
        nodes = List.copyOf(nodes);
    }
}
