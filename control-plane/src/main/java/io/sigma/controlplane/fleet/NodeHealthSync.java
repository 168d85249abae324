package io.sigma.controlplane.fleet;

import io.sigma.controlplane.callback.Attempt;
import io.sigma.controlplane.callback.Subscribers;
import io.sigma.controlplane.reported.Configured;
import io.sigma.controlplane.store.database.DatabaseTimes;
import io.sigma.controlplane.store.database.Page;
import io.sigma.controlplane.store.database.StorableText;
import io.sigma.model.NodeChange;
import io.sigma.model.NodeEvent;
import io.sigma.model.NodeStanding;
import io.sigma.model.NodeTransition;
import io.sigma.model.NodeView;
import io.sigma.snapshot.HealthReport;
import io.sigma.snapshot.NodeReport;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes in what gateways of this control plane hold of nodes, writes it to the table, and tells listeners of what is
 * new. A report that cannot be written is refused, and the gateway repeats it. Thread-safe.
 */
final class NodeHealthSync {

    /** The age after which a gateway's report of a node is forgotten unless the gateway repeats it. */
    static final Duration FORGET_AFTER = Duration.ofMinutes(3);

    private static final long FORGET_INTERVAL_MILLIS = 30_000;

    private static final int TEXT_LENGTH_MAX = 2_200;

    private static final Logger LOG = LoggerFactory.getLogger(NodeHealthSync.class);

    private final Vertx vertx;
    private final NodeHealthTable table;
    private final NodeEventTable history;
    private final Configured configured;
    private final Subscribers<NodeChange> listeners = new Subscribers<>("nodes");
    /** Gateways a report of which is being written: each has one at a time, so one that floods takes one place. */
    private final Set<String> writing = ConcurrentHashMap.newKeySet();

    private final long timer;

    NodeHealthSync(Vertx vertx, NodeHealthTable table, NodeEventTable history, Configured configured) {
        this.vertx = vertx;
        this.table = table;
        this.history = history;
        this.configured = configured;
        this.timer = vertx.setPeriodic(
                FORGET_INTERVAL_MILLIS,
                id -> table.forget(FORGET_AFTER)
                        .compose(done -> history.forget())
                        .onFailure(e -> LOG.debug("Old states of nodes cannot be deleted: {}", e.getMessage())));
    }

    /**
     * Completes when what was said of nodes that the configuration has is in the table; fails while another report of
     * the same gateway is being written, which the gateway did not wait for.
     */
    Future<Void> heard(HealthReport said) {
        check(said);
        HealthReport report = new HealthReport(
                said.gatewayId(),
                said.news(),
                said.nodes().stream().map(NodeHealthSync::shortened).toList(),
                said.gone());
        if (!writing.add(report.gatewayId())) {
            return Future.failedFuture("another report of this gateway is being written");
        }
        return Attempt.of(() -> configured.settled(() -> report.nodes().stream().allMatch(this::isConfigured)))
                .compose(settled -> write(configured(report)))
                .onComplete(done -> writing.remove(report.gatewayId()));
    }

    private boolean isConfigured(NodeReport node) {
        return configured.hasNode(node.upstreamId(), node.url());
    }

    /** Returns the part that is about nodes of the configuration: others take room, and nobody could look at them. */
    private HealthReport configured(HealthReport report) {
        return new HealthReport(
                report.gatewayId(),
                report.news(),
                report.nodes().stream().filter(this::isConfigured).toList(),
                report.gone());
    }

    private Future<Void> write(HealthReport report) {
        Set<String> discovered = report.nodes().stream()
                .map(NodeReport::upstreamId)
                .filter(configured::isDiscovered)
                .collect(Collectors.toSet());
        Future<Void> written = table.write(report)
                .compose(done -> table.trim(report.gatewayId(), discovered))
                .compose(done -> table.remove(report.gatewayId(), report.gone()));
        return report.news()
                ? written.compose(done -> history.append(report))
                        .onSuccess(done -> report.nodes().forEach(node -> news(report.gatewayId(), node)))
                : written;
    }

    /** Gateways cut reasons themselves, as far as they are what they should be. */
    private static NodeReport shortened(NodeReport node) {
        List<NodeEvent> events = node.events().stream()
                .map(event -> event.toBuilder().reason(cut(event.reason())).build())
                .toList();
        return new NodeReport(node.upstreamId(), node.url(), node.state(), node.since(), cut(node.reason()), events);
    }

    private static String cut(String reason) {
        return reason.length() <= NodeReport.REASON_LENGTH_MAX
                ? reason
                : reason.substring(0, NodeReport.REASON_LENGTH_MAX);
    }

    private void news(String gatewayId, NodeReport node) {
        if (node.events().isEmpty()) {
            return;
        }
        listeners.tell(new NodeChange(
                node.upstreamId(), node.url(), gatewayId, node.events().getLast()));
    }

    void onChange(Consumer<NodeChange> listener) {
        listeners.add(listener);
    }

    /** As {@link Fleet#nodeHistory}. */
    Future<Page<Long, NodeTransition>> history(
            String upstreamId, long before, @Nullable String url, @Nullable String gatewayId, int limit) {
        return history.read(upstreamId, before, url, gatewayId, limit + 1).map(found -> {
            boolean more = found.size() > limit;
            List<NodeEventTable.Entry> page = more ? found.subList(0, limit) : found;
            return new Page<>(
                    page.stream().map(NodeEventTable.Entry::transition).toList(),
                    more ? page.getLast().id() : null);
        });
    }

    /** As {@link Fleet#standings}. */
    Future<List<NodeStanding>> standings(@Nullable Collection<String> upstreamIds, Collection<String> live, int limit) {
        return table.standings(upstreamIds, live, limit);
    }

    /** Returns, by node, what gateways hold of the nodes of an upstream. */
    Future<Map<String, List<NodeView>>> read(String upstreamId) {
        return table.read(upstreamId).map(entries -> {
            Map<String, List<NodeView>> views = new TreeMap<>();
            entries.forEach(entry ->
                    views.computeIfAbsent(entry.url(), url -> new ArrayList<>()).add(entry.view()));
            return views;
        });
    }

    /** @throws IllegalArgumentException naming the field */
    private static void check(HealthReport report) {
        if (report.nodes().size() > HealthReport.NODES_MAX) {
            throw new IllegalArgumentException("nodes: " + report.nodes().size());
        }
        if (report.gone().size() > HealthReport.GONE_MAX) {
            throw new IllegalArgumentException("gone: " + report.gone().size());
        }
        StorableText.requireStorable("gatewayId", report.gatewayId(), TEXT_LENGTH_MAX);
        for (HealthReport.Gone node : report.gone()) {
            StorableText.requireStorable("gone.upstreamId", node.upstreamId(), TEXT_LENGTH_MAX);
            StorableText.requireStorable("gone.url", node.url(), TEXT_LENGTH_MAX);
        }
        for (NodeReport node : report.nodes()) {
            StorableText.requireStorable("upstreamId", node.upstreamId(), TEXT_LENGTH_MAX);
            StorableText.requireStorable("url", node.url(), TEXT_LENGTH_MAX);
            StorableText.requireStorable("reason", node.reason(), TEXT_LENGTH_MAX);
            Objects.requireNonNull(node.state(), "state");
            DatabaseTimes.requireStorable("since", Objects.requireNonNull(node.since(), "since"));
            if (node.events().size() > NodeReport.EVENTS_MAX) {
                throw new IllegalArgumentException("events: " + node.events().size());
            }
            for (NodeEvent event : node.events()) {
                StorableText.requireStorable("events.reason", event.reason(), TEXT_LENGTH_MAX);
                DatabaseTimes.requireStorable("events.at", Objects.requireNonNull(event.at(), "events.at"));
                Objects.requireNonNull(event.from(), "events.from");
                Objects.requireNonNull(event.to(), "events.to");
                Objects.requireNonNull(event.cause(), "events.cause");
            }
        }
    }

    void close() {
        vertx.cancelTimer(timer);
    }
}
