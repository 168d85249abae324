package io.sigma.dataplane.snapshot;

import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.upstream.Connector;
import io.sigma.dataplane.upstream.HealthState;
import io.sigma.dataplane.upstream.Member;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.dataplane.upstream.UpstreamCluster;
import io.sigma.dataplane.upstream.balance.BalancePolicy;
import io.sigma.dataplane.watch.WatchedFile;
import io.sigma.dataplane.watch.WatchedFiles;
import io.sigma.json.JsonPointer;
import io.sigma.model.Certificate;
import io.sigma.model.Node;
import io.sigma.model.Upstream;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.ResourceType;
import io.sigma.value.CertifiedKey;
import io.sigma.value.InvalidValue;
import io.sigma.value.NodeUrl;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Compiles the upstreams that the proxy passes of one snapshot name, with their nodes and the certificates that are
 * shown to these. Collects all of it for the snapshot and the next compilation; what did not change is carried over.
 * Blocks; any thread, one at a time.
 */
final class UpstreamCompiler {

    private final ConfigState state;
    private final RuntimeSnapshot.Parts before;
    private final Connector connector;
    private final List<Loop> loops;
    private final Map<RuntimeSnapshot.ClusterKey, RuntimeSnapshot.Cluster> clusters = new HashMap<>();
    private final Map<NodeEndpoint.Key, NodeEndpoint> endpoints = new HashMap<>();
    private final Map<String, RuntimeSnapshot.ClientKey> clientKeys = new HashMap<>();
    private final Map<String, WatchedFile<String>> authorities = new HashMap<>();
    private final WatchedFiles files;

    UpstreamCompiler(
            ConfigState state,
            RuntimeSnapshot.Parts before,
            Connector connector,
            List<Loop> loops,
            WatchedFiles files) {
        this.files = files;
        this.state = state;
        this.before = before;
        this.connector = connector;
        this.loops = loops;
    }

    Map<RuntimeSnapshot.ClusterKey, RuntimeSnapshot.Cluster> clusters() {
        return clusters;
    }

    Map<NodeEndpoint.Key, NodeEndpoint> endpoints() {
        return endpoints;
    }

    /** Returns the authorities of nodes that are in files, by the path. */
    Map<String, WatchedFile<String>> authorities() {
        return authorities;
    }

    /** Returns the certificates that are shown to nodes, by id. */
    Map<String, RuntimeSnapshot.ClientKey> clientKeys() {
        return clientKeys;
    }

    /**
     * Returns an upstream as proxy passes see it, compiled when the first one asks.
     *
     * @param degrade whether nodes are spoken to without TLS
     * @throws SnapshotRefused when a certificate or authority that it needs cannot be used
     */
    UpstreamCluster cluster(String upstreamId, boolean degrade) {
        var key = new RuntimeSnapshot.ClusterKey(upstreamId, degrade);
        RuntimeSnapshot.Cluster known = clusters.get(key);
        if (known == null) {
            Upstream source = Objects.requireNonNull(state.upstreams().get(upstreamId));
            RuntimeSnapshot.Cluster last = before.clusters().get(key);
            List<NodeEndpoint> nodes = nodes(upstreamId, source, degrade, endpoints);
            boolean same = last != null
                    && running(last.source()).equals(running(source))
                    && (isDiscovered(source) || last.cluster().nodes().equals(nodes));
            known = last != null && same
                    ? new RuntimeSnapshot.Cluster(source, last.cluster())
                    : new RuntimeSnapshot.Cluster(
                            source, newCluster(key, source, nodes, last == null ? null : last.cluster()));
            clusters.put(key, known);
            String path = source.tls().caPath();
            if (path != null && (nodes.stream().anyMatch(node -> node.key().tls()) || discoversTls(source, degrade))) {
                WatchedFile<String> read = before.authorities().get(path);
                authorities.computeIfAbsent(
                        path, absent -> read != null ? read : TlsFiles.authorities(files, upstreamId, absent));
            }
            String certificate = source.tls().certificateId();
            if (certificate != null) {
                clientKeys.computeIfAbsent(certificate, this::clientKey);
            }
        }
        return known.cluster();
    }

    /**
     * Looks whether an upstream could be compiled that no proxy pass names, or none with TLS. Keeps nothing of it.
     *
     * @param good that of the last state that was compiled, which is not looked at again; null when it had none
     * @throws SnapshotRefused when a certificate or authority that it needs cannot be used
     */
    @SuppressWarnings("ReferenceEquality") // An unchanged value is the same object.
    void check(String upstreamId, Upstream source, @Nullable Upstream good) {
        var key = new RuntimeSnapshot.ClusterKey(upstreamId, false);
        if (source == good || source.equals(good) || clusters.containsKey(key)) {
            return;
        }
        List<NodeEndpoint> nodes = nodes(upstreamId, source, false, new HashMap<>());
        newCluster(key, source, nodes, null);
        String path = source.tls().caPath();
        boolean encrypted = nodes.stream().anyMatch(node -> node.key().tls()) || discoversTls(source, false);
        if (path != null && encrypted && !authorities.containsKey(path)) {
            TlsFiles.authorities(files, upstreamId, path);
        }
        String certificate = source.tls().certificateId();
        if (certificate != null) {
            clientKey(certificate);
        }
    }

    private RuntimeSnapshot.ClientKey clientKey(String id) {
        Certificate source = Objects.requireNonNull(state.certificates().get(id));
        RuntimeSnapshot.ClientKey last = before.clientKeys().get(id);
        if (last != null && last.source().equals(source)) {
            return last;
        }
        try {
            CertifiedKey read = CertifiedKey.parse(source.chain(), String.valueOf(source.privateKey()));
            // The same object where nothing changed: connections are kept by it.
            CertifiedKey kept = last != null && last.key().equals(read) ? last.key() : read;
            return new RuntimeSnapshot.ClientKey(source, kept);
        } catch (InvalidValue e) {
            throw new SnapshotRefused(
                    JsonPointer.of(ResourceType.CERTIFICATE.field(), id), String.valueOf(e.getMessage()));
        }
    }

    private static boolean discoversTls(Upstream source, boolean degrade) {
        var discovery = source.discovery();
        String url = discovery == null ? null : discovery.url();
        return !degrade && url != null && NodeUrl.parse(url).tls();
    }

    private static boolean isDiscovered(Upstream source) {
        return source.nodes().isEmpty();
    }

    /** Returns {@code source} without what makes no difference to a gateway. */
    private static Upstream running(Upstream source) {
        return source.toBuilder().name(null).description(null).labels(null).build();
    }

    private UpstreamCluster newCluster(
            RuntimeSnapshot.ClusterKey key,
            Upstream source,
            List<NodeEndpoint> nodes,
            @Nullable UpstreamCluster before) {
        List<Member> members = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            Node node = source.nodes().get(i);
            members.add(new Member(
                    nodes.get(i),
                    node.weight(),
                    node.backup() ? 1 : 0,
                    node.down() ? HealthState.DOWN : node.drain() ? HealthState.DRAINING : HealthState.HEALTHY,
                    node.metadata()));
        }
        BalancePolicy policy = BalancePolicy.of(source, key.degrade());
        UpstreamCluster cluster = UpstreamCluster.of(key.upstreamId(), policy, members, loops.size(), before);
        if (isDiscovered(source)) {
            cluster.takeOver(before, node -> new NodeEndpoint(node, connector, loops));
        }
        return cluster;
    }

    /** @param known those of the snapshot, to which new ones are added */
    private List<NodeEndpoint> nodes(
            String upstreamId, Upstream source, boolean degrade, Map<NodeEndpoint.Key, NodeEndpoint> known) {
        List<NodeEndpoint> nodes = new ArrayList<>();
        for (Node node : source.nodes()) {
            NodeUrl url = NodeUrl.parse(node.url());
            NodeEndpoint.Key key = NodeEndpoint.Key.of(upstreamId, url, source, degrade);
            NodeEndpoint endpoint = known.computeIfAbsent(key, absent -> {
                NodeEndpoint last = before.endpoints().get(absent);
                return last != null ? last : new NodeEndpoint(absent, connector, loops);
            });
            nodes.add(endpoint);
        }
        return nodes;
    }
}
