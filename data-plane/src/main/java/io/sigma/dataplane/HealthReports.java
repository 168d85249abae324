package io.sigma.dataplane;

import io.sigma.dataplane.link.NodeReports;
import io.sigma.dataplane.upstream.HealthEvent;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.dataplane.upstream.NodeHealth;
import io.sigma.dataplane.upstream.UpstreamCluster;
import io.sigma.dataplane.upstream.health.HealthMonitor;
import io.sigma.model.NodeEvent;
import io.sigma.model.NodeEventCause;
import io.sigma.model.NodeState;
import io.sigma.snapshot.NodeReport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The states of the health monitor in the form of reports to the control plane. Thread-safe. */
final class HealthReports implements NodeReports {

    private final HealthMonitor monitor;

    HealthReports(HealthMonitor monitor) {
        this.monitor = monitor;
    }

    @Override
    public long version() {
        return monitor.version();
    }

    @Override
    public List<NodeReport> all() {
        Map<String, NodeReport> reports = new LinkedHashMap<>();
        for (UpstreamCluster cluster : monitor.watched()) {
            for (NodeEndpoint node : cluster.nodes()) {
                NodeReport report = report(cluster.id(), node);
                // A node that is spoken to with and without TLS is there twice: the worse state counts.
                reports.merge(
                        cluster.id() + " " + report.url(),
                        report,
                        (a, b) -> a.state().compareTo(b.state()) <= 0 ? a : b);
            }
        }
        return new ArrayList<>(reports.values());
    }

    private static NodeReport report(String upstreamId, NodeEndpoint node) {
        NodeHealth.View view = node.health().view();
        List<HealthEvent> events = view.events();
        List<HealthEvent> last = events.subList(Math.max(0, events.size() - NodeReport.EVENTS_MAX), events.size());
        return new NodeReport(
                upstreamId,
                node.key().url().text(),
                NodeState.valueOf(view.state().name()),
                view.since(),
                view.reason(),
                last.stream().map(HealthReports::event).toList());
    }

    private static NodeEvent event(HealthEvent event) {
        return new NodeEvent(
                event.at(),
                NodeState.valueOf(event.from().name()),
                NodeState.valueOf(event.to().name()),
                NodeEventCause.valueOf(event.cause().name()),
                event.reason());
    }
}
