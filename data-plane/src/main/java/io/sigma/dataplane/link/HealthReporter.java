package io.sigma.dataplane.link;

import io.sigma.snapshot.HealthReport;
import io.sigma.snapshot.NodeReport;
import io.sigma.snapshot.SnapshotProtocol;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the health of nodes to the control plane: changes with the next tick, everything after a reconnection and
 * every minute. One report is under way at a time. Confined to one event loop.
 */
final class HealthReporter {

    static final long TICK_MILLIS = 500;

    private static final long REPEAT_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final Logger LOG = LoggerFactory.getLogger(HealthReporter.class);

    private final ControlLink link;
    private final String gatewayId;
    private final NodeReports reports;

    private final Map<HealthReport.Gone, NodeReport> told = new HashMap<>();
    private long version = -1;
    private boolean everything = true;
    private long everythingAt;
    private boolean busy;

    HealthReporter(ControlLink link, String gatewayId, NodeReports reports) {
        this.link = link;
        this.gatewayId = gatewayId;
        this.reports = reports;
    }

    /** The control plane may know nothing: it is told everything with the next tick. */
    void reached() {
        everything = true;
    }

    void tick() {
        boolean due = everything || System.nanoTime() - everythingAt > REPEAT_NANOS;
        long now = reports.version();
        if (busy || (!due && now == version)) {
            return;
        }
        busy = true;
        version = now;
        everything = false;
        // Composed, so that what is thrown on the way is a failure as well: `busy` must not stay set.
        Future.succeededFuture().compose(begun -> send(due)).onComplete(result -> {
            busy = false;
            if (result.failed()) {
                LOG.debug(
                        "No control plane received the state of the nodes: {}",
                        result.cause().toString());
                version = -1;
                everything |= due;
            }
        });
    }

    /** @param due whether everything is told */
    private Future<Void> send(boolean due) {
        List<NodeReport> changed = new ArrayList<>();
        List<NodeReport> same = new ArrayList<>();
        Set<HealthReport.Gone> gone = new LinkedHashSet<>(told.keySet());
        for (NodeReport report : reports.all()) {
            HealthReport.Gone key = key(report);
            gone.remove(key);
            boolean news = !report.equals(told.get(key));
            (news ? changed : same).add(report);
        }
        if (due) {
            everythingAt = System.nanoTime();
        }
        return send(changed, true)
                .compose(done -> due ? send(same, false) : Future.succeededFuture())
                .compose(done -> withdraw(List.copyOf(gone)));
    }

    /** Sends {@code nodes} in as many reports as it takes, one after the other. */
    private Future<Void> send(List<NodeReport> nodes, boolean news) {
        Future<Void> sent = Future.succeededFuture();
        for (int from = 0; from < nodes.size(); from += HealthReport.NODES_MAX) {
            List<NodeReport> part = nodes.subList(from, Math.min(nodes.size(), from + HealthReport.NODES_MAX));
            HealthReport report = HealthReport.of(gatewayId, news, part);
            sent = sent.compose(done -> link.request(SnapshotProtocol.HEALTH, report))
                    .map(reply -> {
                        part.forEach(node -> told.put(key(node), node));
                        return null;
                    });
        }
        return sent;
    }

    /** Says that nodes are gone, which would be listed until they are forgotten. */
    private Future<Void> withdraw(List<HealthReport.Gone> gone) {
        Future<Void> sent = Future.succeededFuture();
        for (int from = 0; from < gone.size(); from += HealthReport.GONE_MAX) {
            List<HealthReport.Gone> part = gone.subList(from, Math.min(gone.size(), from + HealthReport.GONE_MAX));
            HealthReport report = new HealthReport(gatewayId, false, List.of(), part);
            sent = sent.compose(done -> link.request(SnapshotProtocol.HEALTH, report))
                    .map(reply -> {
                        told.keySet().removeAll(Set.copyOf(part));
                        return null;
                    });
        }
        return sent;
    }

    private static HealthReport.Gone key(NodeReport node) {
        return new HealthReport.Gone(node.upstreamId(), node.url());
    }
}
