package io.sigma.snapshot;

import java.util.List;

/**
 * What a gateway holds of nodes: of those that changed soon after they did, of all of them when it reaches a control
 * plane and now and then.
 *
 * @param news whether the last event of each node has not been told before
 * @param nodes {@value #NODES_MAX} at most; more take more reports
 */
public record HealthReport(String gatewayId, boolean news, List<NodeReport> nodes) {

    public static final int NODES_MAX = 6;

    public HealthReport {
        nodes = List.copyOf(nodes);
    }
}
