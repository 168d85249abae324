package io.sigma.format;

import io.sigma.model.Balancing;
import io.sigma.model.Kind;
import io.sigma.model.Node;
import io.sigma.model.Pool;
import io.sigma.model.Upstream;
import java.util.List;

/** Reads {@code upstream} with the defaults of {@code proxy-client}. */
final class UpstreamSection {

    private static final int CONNECTIONS_DEFAULT = 20;
    private static final int CONNECTIONS_MAX = 100_000;

    private UpstreamSection() {}

    static void read(Report report, List<ObjectFields> section, ObjectFields client) {
        int connections = client.integer("max-pool-size-per-server", CONNECTIONS_DEFAULT, 1, CONNECTIONS_MAX);
        boolean tls = client.bool("ssl", false);
        client.refuseOthers();
        section.forEach(fields -> upstream(report, fields, connections, tls));
    }

    private static void upstream(Report report, ObjectFields fields, int connections, boolean tls) {
        String id = fields.requiredText("id");
        fields.only("discovery", "static-config");
        fields.only("rule-strategy", "round-robin");
        List<Node> nodes = fields.texts("nodes").stream()
                .map(url -> Node.builder().url(withScheme(url, tls)).build())
                .toList();
        fields.object("plugin").refuseOthers();
        fields.refuseOthers();
        Upstream upstream = Upstream.builder()
                .id(id)
                .balancing(Balancing.ROUND_ROBIN)
                .nodes(nodes)
                .pool(Pool.builder().connectionsMax(connections).build())
                .build();
        report.add(Kind.UPSTREAM, id.isEmpty() ? null : id, fields.pointer(), upstream);
    }

    /** A node's own scheme wins; {@code proxy-client.ssl} is the default for one without. */
    private static String withScheme(String url, boolean tls) {
        return url.contains("://") ? url : (tls ? "https://" : "http://") + url;
    }
}
