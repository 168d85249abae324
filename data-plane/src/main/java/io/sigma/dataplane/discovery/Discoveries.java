package io.sigma.dataplane.discovery;

import io.sigma.dataplane.loop.LogLines;
import io.sigma.dataplane.snapshot.SnapshotRefused;
import io.sigma.dataplane.upstream.HealthState;
import io.sigma.dataplane.upstream.Member;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.dataplane.upstream.UpstreamCluster;
import io.sigma.json.JsonPointer;
import io.sigma.model.NodeDiscovery;
import io.sigma.model.Upstream;
import io.sigma.value.AddressGuard;
import io.sigma.value.AddressRefused;
import io.sigma.value.Addresses;
import io.sigma.value.DnsServer;
import io.sigma.value.InvalidValue;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives upstreams the nodes that are found for them. A watch outlives snapshots in which its settings do not change.
 * Thread-safe.
 */
public final class Discoveries implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Discoveries.class);

    /** More are cut off, as many as an upstream may have. */
    private static final int NODES_MAX = 1024;

    /** Sources of nodes decide how often they change. */
    private static final int LINES_MAX = 100;

    /** What a node takes at least, in bytes; all discovered ones together get an eighth of the heap. */
    private static final int NODE_BYTES = 1024;

    private static final int HEAP_PART = 8;

    private static final String STATIC = "STATIC";

    private final LogLines lines = new LogLines(LINES_MAX);

    private final long allNodesMax;
    private final Map<String, Discovery> byType = new HashMap<>();
    private final Function<NodeEndpoint.Key, NodeEndpoint> endpoints;
    private final AddressGuard addresses;

    // Guarded by this.
    private final Map<Key, Running> running = new HashMap<>();
    private final Map<Key, Running> prepared = new HashMap<>();
    /** The discoveries that {@link #check} accepted, by upstream. Only for upstreams of the last state. */
    private Map<String, NodeDiscovery> right = Map.of();

    private record Key(String upstreamId, boolean degrade) {}

    /** A watch, and the upstream that it is for at present. */
    private final class Running {

        private final NodeDiscovery settings;
        private final CountDownLatch first = new CountDownLatch(1);
        private final Discovery.@Nullable Watch watch;
        private UpstreamCluster cluster;
        private @Nullable List<DiscoveredNode> last;

        private Running(NodeDiscovery settings, UpstreamCluster cluster, Discovery discovery) {
            this.settings = settings;
            this.cluster = cluster;
            String refused = refusedServer(settings);
            if (refused == null) {
                this.watch = discovery.watch(settings, this::found);
            } else {
                LOG.warn("Upstream {} gets no nodes, because its discovery would connect to {}", cluster.id(), refused);
                this.watch = null;
                first.countDown();
            }
        }

        private void found(List<DiscoveredNode> nodes) {
            try {
                synchronized (Discoveries.this) {
                    List<DiscoveredNode> allowed = allowed(nodes);
                    int most = Math.clamp(allNodesMax - nodesOfOthers(), 0, NODES_MAX);
                    last = allowed.size() > most ? List.copyOf(allowed.subList(0, most)) : allowed;
                    if (most < Math.min(allowed.size(), NODES_MAX)) {
                        lines.write(leftOut -> LOG.warn(
                                "Upstream {} gets {} of {} discovered nodes: all upstreams together get {} at most{}",
                                cluster.id(),
                                most,
                                allowed.size(),
                                allNodesMax,
                                leftOut));
                    }
                    update();
                }
            } finally {
                first.countDown();
            }
        }

        private long nodesOfOthers() {
            return running.values().stream()
                    .filter(other -> other != this && other.last != null)
                    .mapToLong(other -> Objects.requireNonNull(other.last).size())
                    .sum();
        }

        /** Returns those of {@code nodes} whose addresses may be connected to, and logs how many others there are. */
        private List<DiscoveredNode> allowed(List<DiscoveredNode> nodes) {
            List<DiscoveredNode> allowed = new ArrayList<>();
            String first = null;
            for (DiscoveredNode node : nodes) {
                String refusal = refusal(node);
                if (refusal == null) {
                    allowed.add(node);
                } else if (first == null) {
                    first = node.url().text() + ": " + refusal;
                }
            }
            if (first != null) {
                int refused = nodes.size() - allowed.size();
                String which = first;
                lines.write(leftOut -> LOG.warn(
                        "Upstream {} does not get {} discovered nodes, the first {}{}",
                        cluster.id(),
                        refused,
                        which,
                        leftOut));
            }
            return allowed;
        }

        /**
         * Applies the address rules to a discovered address, which no admission has checked. Names are checked when
         * they are connected to.
         *
         * @return null if it is allowed
         */
        private @Nullable String refusal(DiscoveredNode node) {
            String host = node.url().host();
            boolean literal = Addresses.isIpv4(host) || Addresses.isIpv6(host);
            try {
                if (literal) {
                    addresses.admit(host, Addresses.parse(host), node.url().port());
                }
                return null;
            } catch (AddressRefused e) {
                return String.valueOf(e.getMessage());
            }
        }

        private void retarget(UpstreamCluster next) {
            UpstreamCluster before = cluster;
            if (next != before) {
                cluster = next;
                update();
                retire(before, next);
            }
        }

        private void update() {
            List<DiscoveredNode> nodes = last;
            if (nodes == null) {
                return;
            }
            List<NodeEndpoint> before = cluster.nodes();
            Map<NodeEndpoint.Key, NodeEndpoint> known = new HashMap<>();
            before.forEach(endpoint -> known.putIfAbsent(endpoint.key(), endpoint));
            List<Member> members = new ArrayList<>();
            Set<NodeEndpoint> kept = new HashSet<>();
            for (DiscoveredNode node : nodes) {
                NodeEndpoint.Key key = cluster.keyOf(node.url());
                NodeEndpoint earlier = known.get(key);
                NodeEndpoint endpoint = earlier == null ? endpoints.apply(key) : earlier;
                if (kept.add(endpoint)) {
                    members.add(new Member(endpoint, node.weight(), node.tier(), HealthState.HEALTHY, node.metadata()));
                }
            }
            lines.write(leftOut ->
                    LOG.info("Upstream {} has {} discovered nodes{}", cluster.id(), members.size(), leftOut));
            cluster.update(members);
            before.stream().filter(endpoint -> !kept.contains(endpoint)).forEach(NodeEndpoint::retire);
        }

        private void close() {
            if (watch != null) {
                watch.close();
            }
        }
    }

    /**
     * @param endpoints makes a node that was not there
     * @param addresses that no node may have
     */
    public Discoveries(Function<NodeEndpoint.Key, NodeEndpoint> endpoints, AddressGuard addresses) {
        this(endpoints, addresses, Runtime.getRuntime().maxMemory() / HEAP_PART / NODE_BYTES);
    }

    /**
     * @param allNodesMax how many nodes all upstreams together get
     */
    Discoveries(Function<NodeEndpoint.Key, NodeEndpoint> endpoints, AddressGuard addresses, long allNodesMax) {
        this.addresses = addresses;
        this.allNodesMax = allNodesMax;
        this.endpoints = endpoints;
        ServiceLoader.load(Discovery.class).forEach(found -> byType.put(found.type(), found));
    }

    /**
     * Looks whether {@link #prepare} would take what {@code clusters} and {@code upstreams} want. Begins nothing that
     * stays; blocks.
     *
     * @param upstreams by id, whether or not a proxy pass names them
     * @throws SnapshotRefused when there is no such discovery, or it does not take the settings
     */
    public synchronized void check(Collection<UpstreamCluster> clusters, Map<String, Upstream> upstreams) {
        Map<String, NodeDiscovery> wanted = new TreeMap<>();
        clusters.forEach(cluster -> {
            NodeDiscovery settings = cluster.discovery();
            if (settings != null) {
                wanted.put(cluster.id(), settings);
            }
        });
        upstreams.forEach((id, upstream) -> {
            NodeDiscovery settings = upstream.discovery();
            if (settings != null && !settings.type().equals(STATIC)) {
                wanted.put(id, settings);
            }
        });
        wanted.forEach((id, settings) -> {
            if (!settings.equals(right.get(id))) {
                begun(id, settings, discovery -> {
                    discovery.check(settings);
                    return discovery;
                });
            }
        });
        right = wanted;
    }

    /** Returns what {@code work} does with the discovery of that type; what it throws is a refusal. */
    private <T> T begun(String upstreamId, NodeDiscovery settings, Function<Discovery, T> work) {
        Discovery discovery = byType.get(settings.type());
        if (discovery == null) {
            throw new SnapshotRefused(
                    JsonPointer.of("upstreams", upstreamId, "discovery", "type"),
                    "\"" + settings.type() + "\" (expected: STATIC or one of " + byType.keySet() + ")");
        }
        String at = JsonPointer.of("upstreams", upstreamId, "discovery");
        try {
            return work.apply(discovery);
        } catch (IllegalArgumentException | InvalidValue e) {
            throw new SnapshotRefused(at, String.valueOf(e.getMessage()));
        } catch (RuntimeException | LinkageError e) {
            // Code of a module: where it fails is to be told.
            throw new SnapshotRefused(at, "discovery " + settings.type() + " failed: " + e);
        }
    }

    /**
     * Begins to find nodes for those of {@code clusters} that want it, and waits a moment for the first ones. Blocks.
     *
     * @throws SnapshotRefused when there is no such discovery, or it does not take the settings
     */
    public void prepare(Collection<UpstreamCluster> clusters, long millisMax) {
        List<Running> waiting = new ArrayList<>();
        discard();
        for (UpstreamCluster cluster : clusters) {
            NodeDiscovery settings = cluster.discovery();
            if (settings != null) {
                begin(cluster, settings, waiting);
            }
        }
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millisMax);
        try {
            for (Running each : waiting) {
                if (!each.first.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    LOG.warn("No nodes of upstream {} are discovered yet", each.cluster.id());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the message of the first server that may not be asked; null when all may. */
    private @Nullable String refusedServer(NodeDiscovery settings) {
        try {
            for (String text : settings.servers()) {
                InetSocketAddress server = DnsServer.parse(text);
                addresses.admit(Addresses.text(server.getAddress()), server.getAddress(), server.getPort());
            }
            return null;
        } catch (AddressRefused e) {
            return e.getMessage();
        }
    }

    /** Ends what was prepared for a snapshot that was refused then. */
    public synchronized void discard() {
        prepared.values().forEach(Running::close);
        prepared.clear();
    }

    private synchronized void begin(UpstreamCluster cluster, NodeDiscovery settings, List<Running> begun) {
        Key key = new Key(cluster.id(), cluster.degrades());
        Running known = running.get(key);
        if (known != null && known.settings.equals(settings)) {
            return;
        }
        Running next = begun(cluster.id(), settings, discovery -> new Running(settings, cluster, discovery));
        prepared.put(key, next);
        begun.add(next);
    }

    /** Finds nodes for {@code clusters}, which were prepared and are served now, and no others. */
    public synchronized void keep(Collection<UpstreamCluster> clusters) {
        Set<Key> wanted = new HashSet<>();
        for (UpstreamCluster cluster : clusters) {
            if (cluster.discovery() != null) {
                Key key = new Key(cluster.id(), cluster.degrades());
                wanted.add(key);
                Running next = prepared.remove(key);
                Running last = next == null ? null : running.put(key, next);
                if (last != null) {
                    last.close();
                    retire(last.cluster, cluster);
                }
                Running now = running.get(key);
                if (now != null) {
                    now.retarget(cluster);
                }
            }
        }
        discard();
        running.entrySet().removeIf(entry -> {
            boolean gone = !wanted.contains(entry.getKey());
            if (gone) {
                entry.getValue().close();
                entry.getValue().cluster.nodes().forEach(NodeEndpoint::retire);
            }
            return gone;
        });
    }

    /** Returns what was found last for each upstream for which something was found. */
    public synchronized List<FoundNodes> known() {
        List<FoundNodes> known = new ArrayList<>();
        running.forEach((key, each) -> {
            List<DiscoveredNode> last = each.last;
            if (last != null) {
                known.add(new FoundNodes(key.upstreamId(), key.degrade(), each.settings, last));
            }
        });
        return known;
    }

    /**
     * Goes on with what another process found. An upstream keeps these nodes until its own discovery finds some. What
     * was found under other settings is left out.
     */
    public synchronized void know(Collection<FoundNodes> found) {
        for (FoundNodes each : found) {
            Running now = running.get(new Key(each.upstreamId(), each.degrade()));
            if (now != null && now.last == null && now.watch != null && now.settings.equals(each.settings())) {
                now.found(each.nodes());
            }
        }
    }

    /** Lets go of the connections to nodes that {@code next} has not taken over. */
    private static void retire(UpstreamCluster before, UpstreamCluster next) {
        Set<NodeEndpoint> kept = new HashSet<>(next.nodes());
        before.nodes().stream().filter(endpoint -> !kept.contains(endpoint)).forEach(NodeEndpoint::retire);
    }

    @Override
    public synchronized void close() {
        discard();
        running.values().forEach(Running::close);
        running.clear();
        byType.values().forEach(Discovery::close);
    }
}
