package io.sigma.dataplane;

import io.sigma.dataplane.telemetry.GatewayMetrics;
import io.sigma.dataplane.upstream.HealthEvent;
import io.sigma.dataplane.upstream.HealthListener;
import io.sigma.dataplane.upstream.NodeEndpoint;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs and counts what happens to nodes. Thread-safe. */
final class NodeChangeLog implements HealthListener {

    private static final Logger LOG = LoggerFactory.getLogger(NodeChangeLog.class);

    private final GatewayMetrics metrics;

    NodeChangeLog(GatewayMetrics metrics) {
        this.metrics = metrics;
    }

    @Override
    public void onChange(NodeEndpoint endpoint, HealthEvent event) {
        String state = event.to().name().toLowerCase(Locale.ROOT);
        LOG.info("{} of upstream {} is {}: {}", endpoint.name(), endpoint.key().upstreamId(), state, event.reason());
        // The circuit of an upstream is told at each node, and leaves its state.
        if (event.from() != event.to()) {
            metrics.nodeChanged(endpoint.key().upstreamId(), state);
        }
    }
}
