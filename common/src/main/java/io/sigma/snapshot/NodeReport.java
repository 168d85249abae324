package io.sigma.snapshot;

import io.sigma.model.NodeEvent;
import io.sigma.model.NodeState;
import java.time.Instant;
import java.util.List;

/**
 * A gateway's view of a node.
 *
 * @param url in the one form of {@link io.sigma.value.NodeUrl#text()}
 * @param since when the node came into this state
 * @param reason empty when nothing ever happened to it
 * @param events the last ones, oldest first; {@value #EVENTS_MAX} at most
 */
public record NodeReport(
        String upstreamId, String url, NodeState state, Instant since, String reason, List<NodeEvent> events) {

    public static final int EVENTS_MAX = 5;

    /** Of the reason of a state or of an event, in UTF-16 units. */
    public static final int REASON_LENGTH_MAX = 256;

    public NodeReport {
        events = events == null ? List.of() : List.copyOf(events);
    }
}
