package io.sigma.controlplane.reported;

import io.sigma.controlplane.store.history.RevisionLog;
import io.sigma.model.NodeDiscovery;
import io.sigma.model.Upstream;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.TrafficEntry;
import io.sigma.value.NodeUrl;
import io.vertx.core.Future;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Says what the newest revision has of the things that gateways report about. Thread-safe. */
public final class Configured {

    private final RevisionLog log;
    /** By id, of upstreams that a report named. */
    private final Map<String, Urls> urls = new ConcurrentHashMap<>();

    /** The nodes of an upstream as it was. */
    private record Urls(Upstream of, Set<String> texts) {}

    public Configured(RevisionLog log) {
        this.log = log;
    }

    private ConfigState state() {
        return log.current().state();
    }

    /** Returns whether the resource exists that {@code entry} counts for; a gateway counts for itself. */
    public boolean has(TrafficEntry entry) {
        return switch (entry.kind()) {
            case ROUTE -> state().routes().containsKey(entry.id());
            case UPSTREAM -> state().upstreams().containsKey(entry.id());
            case GATEWAY -> true;
        };
    }

    /**
     * Returns whether an upstream has a node, or gets its nodes from discovery, so that only gateways know them.
     *
     * @param url in the form of {@link NodeUrl#text()}
     */
    public boolean hasNode(String upstreamId, String url) {
        Upstream upstream = state().upstreams().get(upstreamId);
        return upstream != null
                && (isDiscovered(upstream) || urls(upstreamId, upstream).contains(url));
    }

    /** Returns whether an upstream exists and gets its nodes from discovery. */
    public boolean isDiscovered(String upstreamId) {
        return isDiscovered(state().upstreams().get(upstreamId));
    }

    private static boolean isDiscovered(@Nullable Upstream upstream) {
        NodeDiscovery discovery = upstream == null ? null : upstream.discovery();
        return discovery != null && !discovery.type().equals("STATIC");
    }

    @SuppressWarnings("ReferenceEquality") // Another object may have other nodes; to compare them takes as long.
    private Set<String> urls(String upstreamId, Upstream upstream) {
        if (urls.size() > state().upstreams().size()) {
            urls.keySet().retainAll(state().upstreams().keySet());
        }
        Urls known = urls.get(upstreamId);
        if (known == null || known.of() != upstream) {
            known = new Urls(
                    upstream,
                    upstream.nodes().stream()
                            .map(node -> NodeUrl.parse(node.url()).text())
                            .collect(Collectors.toSet()));
            urls.put(upstreamId, known);
        }
        return known.texts();
    }

    /**
     * Completes when {@code all} can be relied on: at once when it is true, else when the database was asked for a
     * newer revision, which a gateway may have got from another control plane. Never fails.
     */
    public Future<Void> settled(BooleanSupplier all) {
        return all.getAsBoolean()
                ? Future.succeededFuture()
                : log.confirmed().<Void>mapEmpty().otherwiseEmpty();
    }
}
