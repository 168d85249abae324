package io.sigma.dataplane.upstream.health;

import io.sigma.dataplane.upstream.HealthState;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.dataplane.upstream.OutlierDetector;
import org.jspecify.annotations.Nullable;

/**
 * The health of a node that one process hands over to another.
 *
 * @param name as {@link NodeEndpoint#name()}
 * @param checked the result of health checks
 * @param reason why the node is in its state
 * @param failures requests that failed in a row
 * @param ejections how often it was ejected without having behaved since
 * @param ejectedMillis for how long it takes no requests yet; 0 when it does
 */
public record KnownNode(
        String upstreamId,
        String name,
        HealthState checked,
        String reason,
        int failures,
        long ejections,
        long ejectedMillis) {

    static KnownNode of(NodeEndpoint endpoint, @Nullable OutlierDetector outliers, long now) {
        long[] ejections = outliers == null ? new long[] {0, 0} : outliers.ejections(endpoint, now);
        return new KnownNode(
                endpoint.key().upstreamId(),
                endpoint.name(),
                endpoint.health().checked(),
                endpoint.health().view().reason(),
                endpoint.health().failures(),
                ejections[0],
                ejections[1]);
    }

    /** Returns whether nothing has happened to it yet. */
    boolean isNew() {
        return checked == HealthState.UNKNOWN && failures == 0 && ejections == 0;
    }
}
