package io.sigma.format;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sigma.json.Json;
import io.sigma.model.ProxyPass;
import io.sigma.model.RewritePathPlugin;
import io.sigma.model.Upstream;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.ResourceType;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes {@code proxy-client}, {@code upstream} and {@code proxy-pass}. Those that the format has no way to say are
 * left out.
 */
final class NodesWriter {

    private static final int CONNECTIONS_DEFAULT = 20;

    private final List<Upstream> upstreams;
    private final List<ProxyPass> passes;
    private final Set<String> passIds = new HashSet<>();

    NodesWriter(ConfigState state) {
        this.upstreams = SigmaJsonWriter.sorted(state, ResourceType.UPSTREAM).stream()
                .filter(upstream -> !upstream.nodes().isEmpty())
                .toList();
        Set<String> known = new HashSet<>();
        upstreams.forEach(upstream -> known.add(String.valueOf(upstream.id())));
        this.passes = SigmaJsonWriter.sorted(state, ResourceType.PROXY_PASS).stream()
                .filter(pass -> pass.upstreamId() != null && known.contains(pass.upstreamId()))
                .toList();
        passes.forEach(pass -> passIds.add(String.valueOf(pass.id())));
    }

    /** Returns whether routes may name the proxy pass. */
    boolean hasPass(String id) {
        return passIds.contains(id);
    }

    /** The format has one size for all pools: the one that most upstreams have. */
    ObjectNode client() {
        Map<Integer, Integer> sizes = new TreeMap<>();
        upstreams.forEach(upstream -> sizes.merge(upstream.pool().connectionsMax(), 1, Integer::sum));
        int size = sizes.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse(CONNECTIONS_DEFAULT);
        return Json.mapper()
                .createObjectNode()
                .put("max-pool-size-per-server", size)
                .put("ssl", false);
    }

    ArrayNode upstreams() {
        ArrayNode section = Json.mapper().createArrayNode();
        for (Upstream upstream : upstreams) {
            ObjectNode object = section.addObject()
                    .put("id", upstream.id())
                    .put("discovery", "static-config")
                    .put("rule-strategy", "round-robin");
            ArrayNode nodes = object.putArray("nodes");
            upstream.nodes().forEach(node -> nodes.add(node.url()));
        }
        return section;
    }

    ArrayNode passes() {
        ArrayNode section = Json.mapper().createArrayNode();
        for (ProxyPass pass : passes) {
            ObjectNode object = section.addObject().put("id", pass.id()).put("upstream-id", pass.upstreamId());
            ObjectNode plugin = plugin(pass);
            if (!plugin.isEmpty()) {
                object.set("plugin", plugin);
            }
        }
        return section;
    }

    private static ObjectNode plugin(ProxyPass pass) {
        ObjectNode plugin = Json.mapper().createObjectNode();
        if (pass.httpsDegradeHttp()) {
            plugin.put("https-degrade-http", true);
        }
        @Nullable
        RewritePathPlugin rewrite =
                pass.plugins() == null ? null : pass.plugins().rewritePath();
        if (rewrite != null) {
            plugin.putObject("rewrite-path")
                    .put("enable", rewrite.enabled())
                    .put("regexp", rewrite.regexp())
                    .put("replacement", rewrite.replacement());
        }
        return plugin;
    }
}
