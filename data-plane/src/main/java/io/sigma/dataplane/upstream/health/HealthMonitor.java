package io.sigma.dataplane.upstream.health;

import io.sigma.dataplane.upstream.Circuit;
import io.sigma.dataplane.upstream.ClusterCore;
import io.sigma.dataplane.upstream.HealthListener;
import io.sigma.dataplane.upstream.HealthState;
import io.sigma.dataplane.upstream.Member;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.dataplane.upstream.OutlierDetector;
import io.sigma.dataplane.upstream.UpstreamCluster;
import io.sigma.model.HealthCheck;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out about the health of all nodes of a gateway, on a thread of its own. What did not change with a snapshot is
 * checked on as if nothing had happened. Thread-safe.
 */
public final class HealthMonitor implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HealthMonitor.class);
    private static final long TICK_MILLIS = 100;

    private final HealthProber prober;
    /** Used on the thread of {@link #timer} alone. */
    private final ProbeQueue queue = new ProbeQueue();

    private final HealthListener listener;
    private final ScheduledThreadPoolExecutor timer;
    private final AtomicLong version = new AtomicLong();

    // Guarded by this.
    private final Map<NodeEndpoint, NodeChecker> checkers = new HashMap<>();

    /** Judges nodes by their answers; null while no upstream asks for that. Guarded by this. */
    private @Nullable ScheduledFuture<?> judging;

    /** The nodes of each upstream that are checked; no node is of two. Guarded by this. */
    private final Map<ClusterCore, Set<NodeEndpoint>> checked = new HashMap<>();

    private volatile List<UpstreamCluster> watched = List.of();
    private volatile Map<String, List<UpstreamCluster>> byId = Map.of();

    public HealthMonitor(HealthProber prober, HealthListener listener) {
        this.prober = prober;
        this.listener = (endpoint, event) -> {
            version.incrementAndGet();
            listener.onChange(endpoint, event);
        };
        this.timer = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().name("sigma-health").daemon().factory());
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        timer.setRemoveOnCancelPolicy(true);
    }

    /** Watches {@code clusters} and nothing else from now on. */
    public synchronized void watch(Collection<UpstreamCluster> clusters) {
        List<UpstreamCluster> before = watched;
        watched = List.copyOf(clusters);
        byId = Map.copyOf(watched.stream().collect(Collectors.groupingBy(UpstreamCluster::id)));
        Set<NodeEndpoint> wanted = new HashSet<>();
        checked.clear();
        for (UpstreamCluster cluster : watched) {
            ClusterCore core = cluster.core();
            core.onMembers(() -> refresh(core));
            wanted.addAll(watch(core));
        }
        List.copyOf(checkers.keySet()).stream()
                .filter(endpoint -> !wanted.contains(endpoint))
                .forEach(this::unwatch);
        for (UpstreamCluster cluster : before) {
            cluster.core().unwatched(watched);
        }
        judge(watched.stream().anyMatch(cluster -> cluster.core().outliers() != null));
        version.incrementAndGet();
    }

    private void judge(boolean wanted) {
        if (!wanted && judging != null) {
            judging.cancel(false);
            judging = null;
        } else if (wanted && judging == null && !timer.isShutdown()) {
            judging = timer.scheduleWithFixedDelay(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** Looks at the nodes of one upstream, which have changed: those of all others are as they were. */
    private synchronized void refresh(ClusterCore core) {
        Set<NodeEndpoint> before = checked.get(core);
        if (before == null) {
            // Another one has taken its place.
            return;
        }
        Set<NodeEndpoint> now = watch(core);
        before.stream().filter(endpoint -> !now.contains(endpoint)).forEach(this::unwatch);
        version.incrementAndGet();
    }

    private Set<NodeEndpoint> watch(ClusterCore core) {
        Set<NodeEndpoint> wanted = new HashSet<>();
        for (Member member : core.members()) {
            watch(member, core.policy().healthCheck(), wanted);
        }
        checked.put(core, wanted);
        return wanted;
    }

    private void unwatch(NodeEndpoint endpoint) {
        NodeChecker checker = checkers.remove(endpoint);
        if (checker != null) {
            checker.stop();
            endpoint.health().checked(HealthState.UNKNOWN, "its health checks have ended");
        }
    }

    private void watch(Member member, @Nullable HealthCheck check, Set<NodeEndpoint> wanted) {
        NodeEndpoint endpoint = member.endpoint();
        endpoint.health().listen(listener);
        endpoint.health().service(member.service());
        endpoint.prepare();
        if (check == null || member.service() == HealthState.DOWN) {
            return;
        }
        wanted.add(endpoint);
        NodeChecker running = checkers.get(endpoint);
        if (running != null && running.check().equals(check)) {
            return;
        }
        if (running != null) {
            running.stop();
        }
        NodeChecker checker = new NodeChecker(endpoint, check, prober, queue, timer, new SplittableRandom());
        checkers.put(endpoint, checker);
        checker.start();
    }

    /** Returns what is known of the nodes that are watched, as far as it is not what every node begins with. */
    public synchronized List<KnownNode> known() {
        long now = System.nanoTime();
        List<KnownNode> known = new ArrayList<>();
        forEachNode((endpoint, outliers) -> {
            KnownNode node = KnownNode.of(endpoint, outliers, now);
            if (!node.isNew()) {
                known.add(node);
            }
        });
        return known;
    }

    /** Goes on from what another process knows of nodes. Those that are not watched are left out. */
    public synchronized void know(Collection<KnownNode> nodes) {
        long now = System.nanoTime();
        Map<String, KnownNode> byName = new HashMap<>();
        nodes.forEach(node -> byName.put(node.upstreamId() + " " + node.name(), node));
        forEachNode((endpoint, outliers) -> {
            KnownNode node = byName.get(endpoint.key().upstreamId() + " " + endpoint.name());
            if (node == null) {
                return;
            }
            NodeChecker checker = checkers.get(endpoint);
            if (checker != null && endpoint.health().checked() == HealthState.UNKNOWN) {
                // At once for who accepts next, and for the checks that follow.
                endpoint.health().checked(node.checked(), node.reason());
                checker.know(node.checked());
            }
            endpoint.health().failures(node.failures());
            if (outliers != null) {
                outliers.ejections(endpoint, new long[] {node.ejections(), node.ejectedMillis()}, node.reason(), now);
            }
        });
    }

    private void forEachNode(BiConsumer<NodeEndpoint, @Nullable OutlierDetector> action) {
        for (UpstreamCluster cluster : watched) {
            OutlierDetector outliers = cluster.core().outliers();
            cluster.core().members().forEach(member -> action.accept(member.endpoint(), outliers));
        }
    }

    private void tick() {
        long now = System.nanoTime();
        for (UpstreamCluster cluster : watched) {
            OutlierDetector outliers = cluster.core().outliers();
            try {
                if (outliers != null) {
                    outliers.tick(now);
                }
            } catch (RuntimeException | Error e) {
                // Whatever it was: a timer never calls again what failed once, and ejected nodes would not return.
                LOG.error("Upstream {} could not be judged", cluster.id(), e);
            }
        }
    }

    /** Returns a number that changes when a node comes, goes or changes its state. */
    public long version() {
        return version.get();
    }

    /** Returns the upstreams that are watched. */
    public List<UpstreamCluster> watched() {
        return watched;
    }

    /** Returns how many nodes of an upstream there are, and how many of them may take requests: two numbers. */
    public int[] count(String upstreamId) {
        int[] counts = {0, 0};
        members(upstreamId).forEach((endpoint, member) -> {
            counts[0]++;
            counts[1] += member.takesRequests() && endpoint.health().isUsable() ? 1 : 0;
        });
        return counts;
    }

    /** Returns how many nodes of an upstream are in {@code state}. */
    public int count(String upstreamId, HealthState state) {
        return (int) members(upstreamId).keySet().stream()
                .filter(endpoint -> endpoint.health().view().state() == state)
                .count();
    }

    /** Returns the nodes of an upstream, each once, also when it is spoken to in two ways. */
    private Map<NodeEndpoint, Member> members(String upstreamId) {
        Map<NodeEndpoint, Member> members = new HashMap<>();
        for (UpstreamCluster cluster : byId.getOrDefault(upstreamId, List.of())) {
            cluster.core().members().forEach(member -> members.putIfAbsent(member.endpoint(), member));
        }
        return members;
    }

    /** Returns how many requests to an upstream are in progress. */
    public int inProgress(String upstreamId) {
        return byId.getOrDefault(upstreamId, List.of()).stream()
                .mapToInt(cluster -> cluster.core().inProgress())
                .sum();
    }

    /** Returns the sum of what the nodes of an upstream have. */
    public int sum(String upstreamId, ToIntFunction<NodeEndpoint> part) {
        return byId.getOrDefault(upstreamId, List.of()).stream()
                .flatMap(cluster -> cluster.nodes().stream())
                .distinct()
                .mapToInt(part)
                .sum();
    }

    /** Returns the state of the circuit of an upstream: 0 closed, or there is none, 1 half open, 2 open. */
    public int circuit(String upstreamId) {
        int worst = 0;
        for (UpstreamCluster cluster : byId.getOrDefault(upstreamId, List.of())) {
            Circuit circuit = cluster.core().circuit();
            worst = Math.max(worst, circuit == null ? 0 : circuit.level());
        }
        return worst;
    }

    /** Returns how often the circuit of an upstream opened. */
    public long circuitOpenings(String upstreamId) {
        long openings = 0;
        for (UpstreamCluster cluster : byId.getOrDefault(upstreamId, List.of())) {
            Circuit circuit = cluster.core().circuit();
            openings += circuit == null ? 0 : circuit.openings();
        }
        return openings;
    }

    /** Returns how much is to be done later. */
    int waiting() {
        return timer.getQueue().size();
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
