package io.sigma.dataplane;

import io.sigma.dataplane.loop.LogLines;
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

    /** Nodes decide how often they fail, and there may be many. */
    private static final int LINES_MAX = 200;

    private final LogLines lines = new LogLines(LINES_MAX);
    private final GatewayMetrics metrics;

    NodeChangeLog(GatewayMetrics metrics) {
        this.metrics = metrics;
    }

    @Override
    public void onChange(NodeEndpoint endpoint, HealthEvent event) {
        String state = event.to().name().toLowerCase(Locale.ROOT);
        lines.write(leftOut -> LOG.info(
                "{} of upstream {} is {}: {}{}",
                endpoint.name(),
                endpoint.key().upstreamId(),
                state,
                event.reason(),
                leftOut));
        // The circuit of an upstream is told at each node, and leaves its state.
        if (event.from() != event.to()) {
            metrics.nodeChanged(endpoint.key().upstreamId(), state);
        }
    }
}
