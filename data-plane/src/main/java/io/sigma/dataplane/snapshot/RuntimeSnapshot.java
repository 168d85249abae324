package io.sigma.dataplane.snapshot;

import io.sigma.dataplane.filter.FilterServices;
import io.sigma.dataplane.filter.chain.FilterPool;
import io.sigma.dataplane.match.RouterRoutes;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.dataplane.upstream.UpstreamCluster;
import io.sigma.dataplane.watch.WatchedFile;
import io.sigma.model.Certificate;
import io.sigma.model.Upstream;
import io.sigma.snapshot.ShardedMap;
import io.sigma.snapshot.Snapshot;
import io.sigma.value.CertifiedKey;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot as it runs. Immutable; whatever is equal in two successive snapshots is the same object in both.
 *
 * @param source the snapshot that it was compiled from
 * @param servers enabled proxy servers by id
 */
public record RuntimeSnapshot(Snapshot source, Map<String, RuntimeServer> servers, Parts parts) {

    /** The parts that the next compilation may carry over. */
    record Parts(
            Map<ClusterKey, Cluster> clusters,
            Map<NodeEndpoint.Key, NodeEndpoint> endpoints,
            Map<String, RuntimePass> passes,
            Map<String, RuntimeRouter> routers,
            ShardedMap<String, RouterRoutes<RuntimeRoute>> tables,
            ShardedMap<String, RuntimeRoute> routes,
            Map<String, ClientKey> clientKeys,
            Map<String, WatchedFile<String>> authorities,
            FilterPool filters) {}

    /** An upstream, as those proxy passes see it that give up TLS or do not. */
    record ClusterKey(String upstreamId, boolean degrade) {}

    record Cluster(Upstream source, UpstreamCluster cluster) {}

    /** A certificate that is shown to nodes, read. */
    record ClientKey(Certificate source, CertifiedKey key) {}

    static final Parts NO_PARTS = new Parts(
            Map.of(),
            Map.of(),
            Map.of(),
            Map.of(),
            ShardedMap.empty(),
            ShardedMap.empty(),
            Map.of(),
            Map.of(),
            new FilterPool(FilterServices.NONE, null, Map.of()));

    /** Returns what a gateway runs before it has a snapshot. */
    public static RuntimeSnapshot none() {
        return new RuntimeSnapshot(Snapshot.NONE, Map.of(), NO_PARTS);
    }

    /**
     * Returns what a compilation may begin with that is only a trial: the same without upstreams, whose compilation
     * changes those that it carries over.
     */
    RuntimeSnapshot withoutUpstreams() {
        return new RuntimeSnapshot(
                source,
                Map.of(),
                new Parts(
                        Map.of(),
                        Map.of(),
                        Map.of(),
                        parts.routers(),
                        parts.tables(),
                        parts.routes(),
                        parts.clientKeys(),
                        parts.authorities(),
                        parts.filters()));
    }

    /** Returns the nodes of all upstreams by what makes them the same. */
    public Map<NodeEndpoint.Key, NodeEndpoint> endpoints() {
        return parts.endpoints();
    }

    /** Returns the upstream with that id as those see it that keep TLS; null when it is not in use. */
    public @Nullable UpstreamCluster cluster(String id) {
        Cluster known = parts.clusters().get(new ClusterKey(id, false));
        return known == null ? null : known.cluster();
    }

    /** Returns the upstreams that are in use; one of which nodes are spoken to with and without TLS is there twice. */
    public List<UpstreamCluster> clusters() {
        return parts.clusters().values().stream().map(Cluster::cluster).toList();
    }

    /** Returns whether these are the upstreams of {@code other}, as after a change of nothing but routes. */
    @SuppressWarnings("ReferenceEquality") // An unchanged value is the same object.
    public boolean hasUpstreamsOf(RuntimeSnapshot other) {
        return parts.clusters() == other.parts().clusters();
    }

    /**
     * Returns whether each upstream here whose nodes are discovered is the one of {@code before}: a new one began with
     * the nodes that were known when it was compiled.
     */
    @SuppressWarnings("ReferenceEquality") // An unchanged value is the same object.
    boolean carriesDiscoveredOf(RuntimeSnapshot before) {
        if (hasUpstreamsOf(before)) {
            return true;
        }
        for (Map.Entry<ClusterKey, Cluster> entry : parts.clusters().entrySet()) {
            Cluster last = before.parts().clusters().get(entry.getKey());
            UpstreamCluster cluster = entry.getValue().cluster();
            if (cluster.discovery() != null && (last == null || last.cluster() != cluster)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the filters of its chains. */
    public FilterPool filters() {
        return parts.filters();
    }

    /** Lets go of what {@code kept} does not have: connections to nodes, filters. */
    @SuppressWarnings("ReferenceEquality") // A carried-over value is the same object.
    void release(RuntimeSnapshot kept) {
        if (parts.endpoints() != kept.parts().endpoints()) {
            parts.endpoints().forEach((key, endpoint) -> {
                if (kept.parts().endpoints().get(key) != endpoint) {
                    endpoint.retire();
                }
            });
        }
        parts.filters().closeExcept(kept.parts().filters());
    }

    /**
     * Returns the certificate with that id if an upstream shows it to its nodes, else null. The same object until it
     * changes.
     */
    public @Nullable CertifiedKey clientKey(String id) {
        ClientKey known = parts.clientKeys().get(id);
        return known == null ? null : known.key();
    }

    /** Returns the PEM certificates of the authorities in the file of that path if an upstream names it, else null. */
    public @Nullable String authorities(String path) {
        WatchedFile<String> known = parts.authorities().get(path);
        return known == null ? null : known.value();
    }

    /** Returns the enabled proxy server with that id, null when there is none. */
    public @Nullable RuntimeServer server(String id) {
        return servers.get(id);
    }
}
