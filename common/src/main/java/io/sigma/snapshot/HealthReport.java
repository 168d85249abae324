package io.sigma.snapshot;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;

/**
 * A gateway's report of its nodes: of changed nodes soon after the change, of all nodes when it connects to a control
 * plane and periodically.
 *
 * @param news whether the last event of each node has not been told before
 * @param nodes {@value #NODES_MAX} at most; more take more reports
 * @param gone nodes that were told of and that the gateway does not have any more, {@value #GONE_MAX} at most
 */
public record HealthReport(
        String gatewayId,
        boolean news,
        List<NodeReport> nodes,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Gone> gone) {

    public static final int NODES_MAX = 6;
    public static final int GONE_MAX = 10;

    /**
     * A node that is gone.
     *
     * @param url as in {@link NodeReport}
     */
    public record Gone(String upstreamId, String url) {}

    public HealthReport {
        nodes = List.copyOf(nodes);
        // Gateways of an earlier version say nothing of it, and control planes of one refuse the field.
        gone = gone == null ? List.of() : List.copyOf(gone);
    }

    /** Returns the report of nodes, none of which is gone. */
    public static HealthReport of(String gatewayId, boolean news, List<NodeReport> nodes) {
        return new HealthReport(gatewayId, news, nodes, List.of());
    }
}
