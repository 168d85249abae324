package io.sigma.dataplane.flow;

import io.sigma.dataplane.engine.Forward;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.RequestTarget;
import io.sigma.dataplane.snapshot.RuntimePass;
import io.sigma.dataplane.upstream.NodeEndpoint;
import org.jspecify.annotations.Nullable;

/**
 * Makes requests to nodes from those of clients. {@code Forwarding}, {@code Mirroring} and the route tester call it.
 * Pure.
 */
public final class NodeRequests {

    private NodeRequests() {}

    /**
     * Returns the request as it goes to {@code node}.
     *
     * @param path that the node receives, before the prefix of the node
     * @param last of the same proxy pass, returned when it says the same; null for none
     */
    public static Forward of(
            Exchange exchange,
            RuntimePass.ToUpstream pass,
            NodeEndpoint node,
            String path,
            String upgrade,
            boolean replayable,
            @Nullable Forward last) {
        String prefix = node.key().url().pathPrefix();
        String full = prefix.isEmpty() || RequestTarget.isWhole(path) ? path : prefix + path;
        String target = exchange.query() == null ? full : full + "?" + exchange.query();
        String host = host(exchange, pass, node);
        if (last != null && last.isSame(node, target, host, upgrade, replayable)) {
            return last;
        }
        return new Forward(
                node,
                target,
                host,
                upgrade,
                pass.connectMillis(),
                Math.min(pass.responseMillis(), pass.retry().perTryMillis()),
                pass.idleMillis(),
                pass.buffering(),
                replayable);
    }

    private static String host(Exchange exchange, RuntimePass.ToUpstream pass, NodeEndpoint node) {
        if (pass.host() != null) {
            return pass.host();
        }
        String named = exchange.request().authority();
        // HTTP/1.1 needs a host where the client, on HTTP/1.0, named none.
        return pass.preserveHost() && !named.isEmpty() ? named : node.authority();
    }
}
