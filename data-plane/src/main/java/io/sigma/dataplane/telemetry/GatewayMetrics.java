package io.sigma.dataplane.telemetry;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * The metrics of a gateway, in the form that Prometheus reads. The number of series is bounded: routes and upstreams
 * beyond the bound share the label {@value #OTHER}. Thread-safe; lookups lock and are made when a snapshot is compiled.
 */
public final class GatewayMetrics {

    /** The label of everything beyond the bound. */
    public static final String OTHER = "other";

    /** The route label of requests that met no route. */
    public static final String NO_ROUTE = "none";

    private static final String RETRIES = "sigma.upstream.retries";
    private static final String RETRIES_REFUSED = "sigma.upstream.retries.refused";
    private static final String CONNECTIONS = "sigma.connections";
    private static final String ACTIVE = "sigma.requests.active";

    private static final Duration[] BUCKETS = {
        Duration.ofMillis(1),
        Duration.ofMillis(2),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofMillis(2500),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(60)
    };

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final int seriesMax;
    private final int loops;
    private final DurationCollector durations;
    private final Map<String, RouteMeters> routes = new HashMap<>();
    private final Map<String, StreamMeters.Series> streams = new HashMap<>();
    private final Map<String, UpstreamMeters> upstreams = new HashMap<>();
    private final Set<String> nodes = new HashSet<>();
    /** Held, because counters hold what they ask weakly. */
    private final List<UpstreamState> states = new ArrayList<>();

    private final Map<String, ServerMeters> servers = new HashMap<>();
    private final Map<String, LongAdder> counters = new HashMap<>();
    private final Map<String, LoopCounter> loopCounters = new HashMap<>();

    /**
     * @param seriesMax routes, and upstreams, that have series of their own
     * @param loops how many event loops count requests
     */
    public GatewayMetrics(int seriesMax, int loops) {
        this.seriesMax = seriesMax;
        this.loops = loops;
        this.durations = new DurationCollector(
                Arrays.stream(BUCKETS).mapToLong(Duration::toNanos).toArray(), loops, System::nanoTime);
        registry.getPrometheusRegistry().register(durations);
        new ClassLoaderMetrics().bindTo(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
    }

    /** Returns the meters of a route, the same ones for the same ids. */
    public synchronized RouteMeters route(String proxyServer, String route) {
        String bounded = routes.containsKey(proxyServer + "/" + route) || routes.size() < seriesMax ? route : OTHER;
        return routes.computeIfAbsent(
                proxyServer + "/" + bounded,
                key -> new RouteMeters(
                        statusClass -> loopCounter(
                                "sigma.requests",
                                "Requests by the status class of the response.",
                                Tags.of("proxy_server", proxyServer, "route", bounded, "status", statusClass + "xx")),
                        loops));
    }

    /**
     * Returns the meters of a router of TCP, TLS or UDP.
     *
     * @param router {@value #NO_ROUTE} for connections that met none
     */
    public StreamMeters stream(String proxyServer, String router) {
        return new StreamMeters(proxyServer, router, () -> streamSeries(proxyServer, router));
    }

    private synchronized StreamMeters.Series streamSeries(String proxyServer, String router) {
        String bounded = streams.containsKey(proxyServer + "/" + router) || streams.size() < seriesMax ? router : OTHER;
        Tags tags = Tags.of("proxy_server", proxyServer, "router", bounded);
        return streams.computeIfAbsent(
                proxyServer + "/" + bounded,
                key -> new StreamMeters.Series(
                        end -> loopCounter(
                                "sigma.stream.connections",
                                "Connections of TCP and TLS, and sessions of UDP, that are over, by how they ended.",
                                tags.and("end", end)),
                        loopCounter("sigma.stream.bytes.in", "Bytes that clients sent over TCP, TLS and UDP.", tags),
                        loopCounter("sigma.stream.bytes.out", "Bytes that nodes sent over TCP, TLS and UDP.", tags)));
    }

    /** Returns the meters of the datagrams of a proxy server. */
    public StreamMeters.Datagrams datagrams(String proxyServer) {
        return new StreamMeters.Datagrams((name, tags) -> loopCounter(
                "sigma.udp.datagrams." + name,
                StreamMeters.Datagrams.describe(name),
                Tags.of("proxy_server", proxyServer).and(tags)));
    }

    /** Makes room for the series of another route, unless requests of this one were counted. */
    public synchronized void forget(String proxyServer, String route) {
        routes.computeIfPresent(proxyServer + "/" + route, (key, meters) -> meters.isUsed() ? meters : null);
    }

    /**
     * Removes the series of an upstream that is not served, and makes room for another one, unless calls to it were
     * counted.
     */
    public synchronized void forgetUpstream(String upstream) {
        UpstreamMeters meters = upstreams.get(upstream);
        if (meters == null || meters.isUsed() || upstream.equals(OTHER)) {
            return;
        }
        upstreams.remove(upstream);
        Tags tags = Tags.of("upstream", upstream);
        for (String name : List.of(RETRIES, RETRIES_REFUSED)) {
            loopCounters.remove(name + tags);
            remove(name, tags);
        }
    }

    /** Removes the series of a proxy server that is not served, unless requests to it were counted. */
    public synchronized void forgetServer(String proxyServer) {
        RouteMeters unrouted = routes.get(proxyServer + "/" + NO_ROUTE);
        if (!servers.containsKey(proxyServer) || durations.isUsed(proxyServer)) {
            return;
        }
        if (unrouted != null && !unrouted.isUsed()) {
            routes.remove(proxyServer + "/" + NO_ROUTE);
        }
        servers.remove(proxyServer);
        durations.forget(proxyServer);
        Tags tags = Tags.of("proxy_server", proxyServer);
        remove(CONNECTIONS, tags);
        remove(ACTIVE, tags);
    }

    private void remove(String name, Tags tags) {
        Meter meter = registry.find(name).tags(tags).meter();
        if (meter != null) {
            registry.remove(meter);
        }
    }

    /** Returns the meters of an upstream, the same ones for the same id. */
    public synchronized UpstreamMeters upstream(String upstream) {
        String bounded = upstreams.containsKey(upstream) || upstreams.size() < seriesMax ? upstream : OTHER;
        return upstreams.computeIfAbsent(
                bounded,
                key -> new UpstreamMeters(
                        outcome -> loopCounter(
                                "sigma.upstream.requests",
                                "Calls to nodes by outcome.",
                                Tags.of("upstream", bounded, "outcome", outcome)),
                        reason -> loopCounter(
                                "sigma.upstream.refused",
                                "Requests that did not reach a node, by reason.",
                                Tags.of("upstream", bounded, "reason", reason)),
                        loopCounter(
                                RETRIES, "Retries: calls to nodes after a failed one.", Tags.of("upstream", bounded)),
                        loopCounter(
                                RETRIES_REFUSED,
                                "Retries that were not made because the retry budget was used up.",
                                Tags.of("upstream", bounded)),
                        loops));
    }

    /**
     * Returns the ids of the routes to which something came, by what counts it; one without a route is
     * {@value #NO_ROUTE}.
     */
    synchronized Map<TrafficMeter, String> routeTraffic() {
        Map<TrafficMeter, String> used = new HashMap<>();
        routes.forEach((key, meters) -> {
            if (meters.traffic().isUsed()) {
                used.put(meters.traffic(), key.substring(key.indexOf('/') + 1));
            }
        });
        return used;
    }

    /** Returns the ids of the upstreams to which something was sent, by what counts it. */
    synchronized Map<TrafficMeter, String> upstreamTraffic() {
        Map<TrafficMeter, String> used = new HashMap<>();
        upstreams.forEach((id, meters) -> {
            if (meters.traffic().isUsed()) {
                used.put(meters.traffic(), id);
            }
        });
        return used;
    }

    /** Counts a change of the state of a node. */
    public void nodeChanged(String upstream, String state) {
        counter(
                        "sigma.node.changes",
                        "State changes of nodes, by the new state.",
                        Tags.of("upstream", bounded(upstream), "state", state))
                .increment();
    }

    /** Counts a health check of a node. */
    public void checked(String upstream, boolean passed) {
        counter(
                        "sigma.health.checks",
                        "Health checks of nodes by their result.",
                        Tags.of("upstream", bounded(upstream), "result", passed ? "passed" : "failed"))
                .increment();
    }

    /** Exposes, once, what is known of an upstream; nothing of those beyond the bound. */
    public synchronized void nodes(String upstream, UpstreamState state) {
        if (nodes.size() >= seriesMax || !nodes.add(upstream)) {
            return;
        }
        Tags tags = Tags.of("upstream", upstream);
        gauge("sigma.nodes", "Nodes of an upstream.", tags, state::nodes);
        gauge(
                "sigma.nodes.usable",
                "Nodes of an upstream that are in service and not known to be unhealthy.",
                tags,
                state::usable);
        state.byState()
                .forEach((name, count) ->
                        gauge("sigma.nodes.state", "Nodes of an upstream, by state.", tags.and("state", name), count));
        gauge("sigma.upstream.requests.active", "Requests to an upstream in progress.", tags, state::inProgress);
        gauge(
                "sigma.upstream.requests.waiting",
                "Requests that wait for a connection to a node.",
                tags,
                state::waiting);
        gauge(
                "sigma.upstream.requests.abandoned",
                "Requests that nodes still work on after the client or a timeout ended them.",
                tags,
                state::abandoned);
        gauge("sigma.upstream.tunnels", "Open tunnels and event streams.", tags, state::tunnels);
        gauge(
                "sigma.upstream.circuit.state",
                "The circuit of an upstream: 0 closed, 1 half open, 2 open.",
                tags,
                state::circuit);
        FunctionCounter.builder("sigma.upstream.circuit.openings", state, UpstreamState::circuitOpenings)
                .description("Number of times that the circuit of an upstream opened.")
                .tags(tags)
                .register(registry);
        states.add(state);
    }

    private void gauge(String name, String description, Tags tags, IntSupplier value) {
        Gauge.builder(name, value, IntSupplier::getAsInt)
                .description(description)
                .tags(tags)
                .strongReference(true)
                .register(registry);
    }

    private synchronized String bounded(String upstream) {
        return upstreams.containsKey(upstream) || upstreams.size() < seriesMax ? upstream : OTHER;
    }

    /** Returns the meters of a proxy server, the same ones for the same id. */
    public synchronized ServerMeters server(String proxyServer) {
        return servers.computeIfAbsent(proxyServer, id -> {
            Tags tags = Tags.of("proxy_server", id);
            LongAdder connections = new LongAdder();
            LoopCounter active = new LoopCounter(loops);
            Gauge.builder(CONNECTIONS, connections, LongAdder::sum)
                    .description("Open connections of clients.")
                    .tags(tags)
                    .register(registry);
            Gauge.builder(ACTIVE, active, LoopCounter::sum)
                    .description("Requests in progress.")
                    .tags(tags)
                    .register(registry);
            return new ServerMeters(connections, active, durations.of(id));
        });
    }

    /** Exposes a number that somebody else keeps. */
    public void gauge(String name, String description, LongSupplier value) {
        Gauge.builder(name, value, LongSupplier::getAsLong)
                .description(description)
                .strongReference(true)
                .register(registry);
    }

    /** Returns the counter of that name. */
    public LongAdder counter(String name, String description) {
        return counter(name, description, Tags.empty());
    }

    private synchronized LongAdder counter(String name, String description, Tags tags) {
        return counters.computeIfAbsent(name + tags, key -> {
            LongAdder counter = new LongAdder();
            FunctionCounter.builder(name, counter, LongAdder::sum)
                    .description(description)
                    .tags(tags)
                    .register(registry);
            return counter;
        });
    }

    private synchronized LoopCounter loopCounter(String name, String description, Tags tags) {
        return loopCounters.computeIfAbsent(name + tags, key -> {
            LoopCounter counter = new LoopCounter(loops);
            FunctionCounter.builder(name, counter, LoopCounter::sum)
                    .description(description)
                    .tags(tags)
                    .register(registry);
            return counter;
        });
    }

    /** Returns all metrics in the text format of Prometheus. */
    public String scrape() {
        return registry.scrape();
    }

    MeterRegistry registry() {
        return registry;
    }
}
