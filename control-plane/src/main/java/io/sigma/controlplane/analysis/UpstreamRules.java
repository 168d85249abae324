package io.sigma.controlplane.analysis;

import io.sigma.json.JsonPointer;
import io.sigma.model.Balancing;
import io.sigma.model.Finding;
import io.sigma.model.Kind;
import io.sigma.model.Node;
import io.sigma.model.Upstream;
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
            String detail = "Of its " + nodes.size() + " nodes " + down + " are down, " + drained + " drain and "
                    + (nodes.size() - down - drained) + " have the weight 0, so requests are answered 503.";
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
        unverified(upstream, id, found);
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
