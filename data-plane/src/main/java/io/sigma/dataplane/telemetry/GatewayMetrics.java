package io.sigma.dataplane.telemetry;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
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
    private final Map<String, RouteMeters> routes = new HashMap<>();
    private final Map<String, UpstreamMeters> upstreams = new HashMap<>();
    private final Set<String> nodes = new HashSet<>();
    private final Map<String, ServerMeters> servers = new HashMap<>();
    private final Map<String, LongAdder> counters = new HashMap<>();

    /**
     * @param seriesMax routes, and upstreams, that have series of their own
     */
    public GatewayMetrics(int seriesMax) {
        this.seriesMax = seriesMax;
        new ClassLoaderMetrics().bindTo(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
    }

    /** Returns the meters of a route, the same ones for the same ids. */
    public synchronized RouteMeters route(String proxyServer, String route) {
        String bounded = routes.containsKey(proxyServer + "/" + route) || routes.size() < seriesMax ? route : OTHER;
        return routes.computeIfAbsent(
                proxyServer + "/" + bounded,
                key -> new RouteMeters(statusClass -> counter(
                        "sigma.requests",
                        "Requests by the status class of the response.",
                        Tags.of("proxy_server", proxyServer, "route", bounded, "status", statusClass + "xx"))));
    }

    /** Returns the meters of an upstream, the same ones for the same id. */
    public synchronized UpstreamMeters upstream(String upstream) {
        String bounded = upstreams.containsKey(upstream) || upstreams.size() < seriesMax ? upstream : OTHER;
        return upstreams.computeIfAbsent(
                bounded,
                key -> new UpstreamMeters(
                        outcome -> counter(
                                "sigma.upstream.requests",
                                "Calls to nodes by outcome.",
                                Tags.of("upstream", bounded, "outcome", outcome)),
                        counter(
                                "sigma.upstream.retries",
                                "Calls to nodes because one before failed.",
                                Tags.of("upstream", bounded))));
    }

    /** Counts a change of the state of a node. */
    public void nodeChanged(String upstream, String state) {
        counter(
                        "sigma.node.changes",
                        "Changes of the state of nodes by the state that they came into.",
                        Tags.of("upstream", bounded(upstream), "state", state))
                .increment();
    }

    /** Exposes, once, how many nodes an upstream has and how many of them may take requests; none for those beyond the bound. */
    public synchronized void nodes(String upstream, IntSupplier all, IntSupplier usable) {
        if (nodes.size() < seriesMax && nodes.add(upstream)) {
            Tags tags = Tags.of("upstream", upstream);
            Gauge.builder("sigma.nodes", all, IntSupplier::getAsInt)
                    .description("Nodes of an upstream.")
                    .tags(tags)
                    .strongReference(true)
                    .register(registry);
            Gauge.builder("sigma.nodes.usable", usable, IntSupplier::getAsInt)
                    .description("Nodes of an upstream that are in service and not known to be unhealthy.")
                    .tags(tags)
                    .strongReference(true)
                    .register(registry);
        }
    }

    private synchronized String bounded(String upstream) {
        return upstreams.containsKey(upstream) || upstreams.size() < seriesMax ? upstream : OTHER;
    }

    /** Returns the meters of a proxy server, the same ones for the same id. */
    public synchronized ServerMeters server(String proxyServer) {
        return servers.computeIfAbsent(proxyServer, id -> {
            Tags tags = Tags.of("proxy_server", id);
            LongAdder connections = new LongAdder();
            LongAdder active = new LongAdder();
            Gauge.builder("sigma.connections", connections, LongAdder::sum)
                    .description("Open connections of clients.")
                    .tags(tags)
                    .register(registry);
            Gauge.builder("sigma.requests.active", active, LongAdder::sum)
                    .description("Requests in progress.")
                    .tags(tags)
                    .register(registry);
            Timer durations = Timer.builder("sigma.request.duration")
                    .description("From the head of the request to the end of the response.")
                    .tags(tags)
                    .serviceLevelObjectives(BUCKETS)
                    .register(registry);
            return new ServerMeters(durations, connections, active);
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

    /** Returns all metrics in the text format of Prometheus. */
    public String scrape() {
        return registry.scrape();
    }

    MeterRegistry registry() {
        return registry;
    }
}
