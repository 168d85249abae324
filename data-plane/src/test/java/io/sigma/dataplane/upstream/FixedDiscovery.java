package io.sigma.dataplane.upstream;

import io.sigma.dataplane.discovery.DiscoveredNode;
import io.sigma.dataplane.discovery.Discovery;
import io.sigma.model.NodeDiscovery;
import io.sigma.value.NodeUrl;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A discovery as a module brings it: found through META-INF/services. */
public final class FixedDiscovery implements Discovery {

    @Override
    public String type() {
        return "FIXED";
    }

    @Override
    public Watch watch(NodeDiscovery settings, Consumer<List<DiscoveredNode>> found) {
        String node = settings.settings().get("node");
        if (node == null) {
            throw new IllegalArgumentException("settings/node: absent (expected: a URL)");
        }
        found.accept(List.of(new DiscoveredNode(NodeUrl.parse(node), 1, 0, Map.of())));
        return () -> {};
    }

    @Override
    public void close() {
        // Nothing runs.
    }
}
