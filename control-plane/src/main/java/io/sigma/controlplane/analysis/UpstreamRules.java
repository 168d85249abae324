package io.sigma.controlplane.analysis;

import io.sigma.json.JsonPointer;
import io.sigma.model.Balancing;
import io.sigma.model.Finding;
import io.sigma.model.Kind;
import io.sigma.model.Node;
import io.sigma.model.ProxyServer;
import io.sigma.model.Referrer;
import io.sigma.model.Upstream;
import io.sigma.value.NodeUrl;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** Looks at upstreams. */
final class UpstreamRules {

    private UpstreamRules() {}

    static void check(Facts facts, Upstream upstream, Consumer<Finding> found) {
        String id = String.valueOf(upstream.id());
        boolean used = !facts.references().to(Kind.UPSTREAM, id).isEmpty();
        if (!used) {
            found.accept(Rule.UPSTREAM_UNUSED.found(Kind.UPSTREAM, id, "", "No proxy pass names it."));
        }
        List<Node> nodes = upstream.nodes();
        List<Node> inService = nodes.stream()
                .filter(node -> !node.down() && !node.drain() && takesShare(upstream, node))
                .toList();
        if (!nodes.isEmpty() && inService.isEmpty()) {
            long down = nodes.stream().filter(Node::down).count();
            long drained =
                    nodes.stream().filter(node -> !node.down() && node.drain()).count();
            String detail = nodes.size() == 1
                    ? "Its only node takes no requests (down, draining or weight 0), so requests are answered 503."
                    : "None of its " + nodes.size() + " nodes takes requests (down: " + down + ", draining: " + drained
                            + ", weight 0: " + (nodes.size() - down - drained) + "), so requests are answered 503.";
            found.accept(Rule.UPSTREAM_WITHOUT_NODE.found(Kind.UPSTREAM, id, JsonPointer.of("nodes"), detail));
        }
        if (used && inService.size() > 1 && upstream.healthCheck() == null && upstream.outlierDetection() == null) {
            found.accept(
                    Rule.UPSTREAM_UNCHECKED.found(
                            Kind.UPSTREAM,
                            id,
                            JsonPointer.of("healthCheck"),
                            "It has " + inService.size()
                                    + " nodes and neither healthCheck nor outlierDetection, so a node that fails still gets its share."));
        }
        listeners(facts, upstream, id, found);
        unverified(upstream, id, found);
    }

    /**
     * Gateways alone know which addresses they have, so only those are looked at that mean the same on each of them.
     */
    private static void listeners(Facts facts, Upstream upstream, String id, Consumer<Finding> found) {
        List<Node> nodes = upstream.nodes();
        for (int i = 0; i < nodes.size(); i++) {
            NodeUrl url = NodeUrl.parse(nodes.get(i).url());
            for (ProxyServer server : facts.state().proxyServers().values()) {
                if (server.enabled() && server.port() == url.port() && isReached(server.host(), url.host())) {
                    found.accept(Rule.UPSTREAM_IS_LISTENER.found(
                            Kind.UPSTREAM,
                            id,
                            JsonPointer.of("nodes", i, "url"),
                            "Proxy server \"" + server.id() + "\" listens on " + url.authority()
                                    + " on each gateway, so a request may come back to it. The gateway answers it 508.",
                            new Referrer(Kind.PROXY_SERVER, String.valueOf(server.id()))));
                }
            }
        }
    }

    private static boolean isReached(String listening, String node) {
        boolean loopback = node.equals("localhost")
                || node.startsWith("127.")
                || node.equals("::1")
                || node.equals("0.0.0.0")
                || node.equals("::");
        return node.equalsIgnoreCase(listening)
                || (loopback
                        && (listening.equals("0.0.0.0") || listening.equals("::") || listening.equals("localhost")))
                || (node.equals("localhost") && (listening.startsWith("127.") || listening.equals("::1")));
    }

    private static boolean takesShare(Upstream upstream, Node node) {
        return upstream.balancing() == Balancing.ROUND_ROBIN || node.weight() > 0;
    }

    private static void unverified(Upstream upstream, String id, Consumer<Finding> found) {
        String discovered =
                upstream.discovery() == null ? null : upstream.discovery().url();
        String url = upstream.nodes().stream()
                .map(Node::url)
                .filter(UpstreamRules::isTls)
                .findFirst()
                .orElse(discovered != null && isTls(discovered) ? discovered : null);
        if (!upstream.tls().verify() && url != null) {
            found.accept(Rule.TLS_UNVERIFIED.found(
                    Kind.UPSTREAM,
                    id,
                    JsonPointer.of("tls", "verify"),
                    "Any server that answers for " + url + " is trusted: its certificate is not checked."));
        }
    }

    private static boolean isTls(String url) {
        return url.toLowerCase(Locale.ROOT).startsWith("https://");
    }
}
