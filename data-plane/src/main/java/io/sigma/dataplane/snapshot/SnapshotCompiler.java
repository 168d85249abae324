package io.sigma.dataplane.snapshot;

import io.sigma.check.StateCheck;
import io.sigma.dataplane.exchange.BodyBuffering;
import io.sigma.dataplane.exchange.TrustedProxies;
import io.sigma.dataplane.filter.FileServer;
import io.sigma.dataplane.filter.FilterPool;
import io.sigma.dataplane.filter.FilterServices;
import io.sigma.dataplane.filter.ForwardedFields;
import io.sigma.dataplane.filter.HeaderEditor;
import io.sigma.dataplane.filter.PluginSet;
import io.sigma.dataplane.filter.spi.InvalidExtension;
import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.match.RouteRule;
import io.sigma.dataplane.match.RouteTable;
import io.sigma.dataplane.match.RouterRoutes;
import io.sigma.dataplane.telemetry.GatewayMetrics;
import io.sigma.dataplane.upstream.BalancePolicy;
import io.sigma.dataplane.upstream.Connector;
import io.sigma.dataplane.upstream.HealthState;
import io.sigma.dataplane.upstream.Member;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.dataplane.upstream.UpstreamCluster;
import io.sigma.json.JsonPointer;
import io.sigma.model.Certificate;
import io.sigma.model.FieldError;
import io.sigma.model.FixedResponse;
import io.sigma.model.Mirror;
import io.sigma.model.Node;
import io.sigma.model.ProxyPass;
import io.sigma.model.ProxyServer;
import io.sigma.model.Route;
import io.sigma.model.Router;
import io.sigma.model.SplitTarget;
import io.sigma.model.StaticFiles;
import io.sigma.model.Upstream;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.ResourceType;
import io.sigma.snapshot.Snapshot;
import io.sigma.value.AddressRange;
import io.sigma.value.CertifiedKey;
import io.sigma.value.HostPattern;
import io.sigma.value.InvalidValue;
import io.sigma.value.LocationTemplate;
import io.sigma.value.NodeUrl;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Turns a snapshot into what runs. What is equal in the snapshot before is carried over as the same object, so the cost is
 * that of what changed plus one look at each resource. Blocks; any thread.
 */
final class SnapshotCompiler {

    private final Connector connector;
    private final List<Loop> loops;
    private final GatewayMetrics metrics;
    private final FilterServices filterServices;

    SnapshotCompiler(Connector connector, List<Loop> loops, GatewayMetrics metrics, FilterServices filterServices) {
        this.connector = connector;
        this.loops = List.copyOf(loops);
        this.metrics = metrics;
        this.filterServices = filterServices;
    }

    /**
     * Returns the compiled snapshot.
     *
     * @throws SnapshotRefused when it cannot be served
     */
    RuntimeSnapshot compile(Snapshot snapshot, RuntimeSnapshot before) {
        ConfigState state = snapshot.state();
        ConfigState good = before.source().state();
        List<FieldError> errors = good.size() == 0 ? StateCheck.check(state) : StateDiff.check(state, good);
        if (!errors.isEmpty()) {
            throw new SnapshotRefused(
                    errors.getFirst().pointer(),
                    errors.stream()
                            .map(error -> error.pointer() + ": " + error.detail())
                            .collect(Collectors.joining("; ")));
        }
        FilterPool filters = new FilterPool(filterServices, before.parts().filters(), state.consumers());
        try {
            return new Compilation(state, before.parts(), filters).run(snapshot, before);
        } catch (InvalidExtension e) {
            filters.closeExcept(before.parts().filters());
            throw new SnapshotRefused(e.pointer(), e.pointer() + ": " + e.detail());
        } catch (RuntimeException e) {
            filters.closeExcept(before.parts().filters());
            throw e;
        }
    }

    /** One run; it collects what the next one may carry over. */
    @SuppressWarnings("ReferenceEquality") // What did not change is the same object.
    private final class Compilation {

        private final ConfigState state;
        private final RuntimeSnapshot.Parts before;
        private final Map<RuntimeSnapshot.ClusterKey, RuntimeSnapshot.Cluster> clusters = new HashMap<>();
        private final Map<NodeEndpoint.Key, NodeEndpoint> endpoints = new HashMap<>();
        private final Map<String, RuntimePass> passes = new HashMap<>();
        private final Map<String, RuntimeRouter> routers = new HashMap<>();
        private final Map<String, RouterRoutes<RuntimeRoute>> tables = new HashMap<>();
        private final Map<String, RuntimeRoute> routes = new HashMap<>();
        private final Map<String, RuntimeSnapshot.ClientKey> clientKeys = new HashMap<>();
        private final FilterPool filters;

        private Compilation(ConfigState state, RuntimeSnapshot.Parts before, FilterPool filters) {
            this.state = state;
            this.before = before;
            this.filters = filters;
        }

        private RuntimeSnapshot run(Snapshot snapshot, RuntimeSnapshot last) {
            state.proxyPasses().forEach((id, pass) -> passes.put(id, pass(id, pass)));
            Map<String, List<RuntimeRoute>> byRouter = new HashMap<>();
            state.routers().forEach((id, router) -> {
                ProxyServer server = Objects.requireNonNull(state.proxyServers().get(router.proxyServerId()));
                if (router.enabled() && server.enabled()) {
                    routers.put(id, router(id, router, server));
                    byRouter.put(id, new ArrayList<>());
                }
            });
            state.routes().forEach((id, route) -> {
                List<RuntimeRoute> siblings = byRouter.get(route.routerId());
                if (route.enabled() && siblings != null) {
                    siblings.add(route(id, route));
                }
            });
            byRouter.forEach((id, compiled) -> tables.put(id, table(id, compiled)));
            Map<String, RuntimeServer> servers = new HashMap<>();
            state.proxyServers().forEach((id, server) -> {
                if (server.enabled()) {
                    servers.put(id, server(id, server, last.server(id)));
                }
            });
            return new RuntimeSnapshot(
                    snapshot,
                    Map.copyOf(servers),
                    new RuntimeSnapshot.Parts(
                            clusters, endpoints, passes, routers, tables, routes, clientKeys, filters));
        }

        private RuntimeServer server(String id, ProxyServer source, @Nullable RuntimeServer last) {
            List<RouterRoutes<RuntimeRoute>> mine = new ArrayList<>();
            new TreeMap<>(routers).forEach((routerId, router) -> {
                if (router.source().proxyServerId().equals(id)) {
                    mine.add(Objects.requireNonNull(tables.get(routerId)));
                }
            });
            if (last != null && last.source().equals(source) && last.routers().equals(mine)) {
                filters.chain(plugins(source));
                return last;
            }
            return new RuntimeServer(
                    source,
                    List.copyOf(mine),
                    RouteTable.of(mine, last == null ? null : last.table()),
                    trusted(source),
                    filters.chain(plugins(source)),
                    metrics.server(id),
                    metrics.route(id, GatewayMetrics.NO_ROUTE));
        }

        private RuntimeRouter router(String id, Router source, ProxyServer server) {
            RuntimeRouter last = before.routers().get(id);
            if (last != null && last.source().equals(source) && last.server().equals(server)) {
                return last;
            }
            PluginSet plugins = plugins(server).with(source.plugins(), pointer(ResourceType.ROUTER, id));
            return new RuntimeRouter(source, server, plugins, new ForwardedFields(source.forwardedHeaders()));
        }

        private static TrustedProxies trusted(ProxyServer server) {
            return new TrustedProxies(
                    server.trustedProxies().stream().map(AddressRange::parse).toList());
        }

        private RuntimeRoute route(String id, Route source) {
            RuntimeRouter router = Objects.requireNonNull(routers.get(source.routerId()));
            RuntimePass pass = Objects.requireNonNull(passes.get(source.proxyPassId()));
            RuntimeRoute last = before.routes().get(id);
            boolean same =
                    last != null && (last.source() == source || last.source().equals(source));
            boolean merges = router.source().mergeSlashes();
            RuntimeRoute compiled;
            if (last != null && same && last.router() == router && last.pass() == pass) {
                compiled = last;
                filters.chain(plugins(router, source, pass));
            } else {
                compiled = new RuntimeRoute(
                        source,
                        router,
                        last != null && same && last.rule().mergesSlashes() == merges
                                ? last.rule()
                                : RouteRule.of(source, merges),
                        pass,
                        filters.chain(plugins(router, source, pass)),
                        metrics.route(String.valueOf(router.server().id()), id));
            }
            routes.put(id, compiled);
            return compiled;
        }

        private static PluginSet plugins(ProxyServer server) {
            return PluginSet.NONE.with(
                    server.plugins(), pointer(ResourceType.PROXY_SERVER, String.valueOf(server.id())));
        }

        private static PluginSet plugins(RuntimeRouter router, Route route, RuntimePass pass) {
            return router.plugins()
                    .with(route.plugins(), pointer(ResourceType.ROUTE, String.valueOf(route.id())))
                    .with(
                            pass.source().plugins(),
                            pointer(
                                    ResourceType.PROXY_PASS,
                                    String.valueOf(pass.source().id())));
        }

        private static String pointer(ResourceType<?> type, String id) {
            return JsonPointer.of(type.field(), id);
        }

        private RouterRoutes<RuntimeRoute> table(String routerId, List<RuntimeRoute> compiled) {
            RuntimeRouter router = Objects.requireNonNull(routers.get(routerId));
            RouterRoutes<RuntimeRoute> last = before.tables().get(routerId);
            boolean same = last != null && before.routers().get(routerId) == router && last.has(compiled);
            return last != null && same
                    ? last
                    : new RouterRoutes<>(
                            router.source().hosts().stream()
                                    .map(HostPattern::parse)
                                    .toList(),
                            compiled);
        }

        private RuntimePass pass(String id, ProxyPass source) {
            TrafficSplit split = split(source);
            RuntimePass last = before.passes().get(id);
            MirrorRule mirror = mirror(source);
            if (last != null && last.source().equals(source) && targetsOf(last).equals(targetsOf(split, mirror))) {
                return last;
            }
            HeaderEditor response = new HeaderEditor(source.responseHeaders());
            if (split != null) {
                return forwarding(source, response, split, mirror);
            }
            FixedResponse fixed = source.fixedResponse();
            if (fixed != null) {
                return new RuntimePass.Answering(source, response, fixed.status(), fixed.contentType(), fixed.body());
            }
            StaticFiles files = source.staticFiles();
            if (files != null) {
                var found = new io.sigma.dataplane.filter.StaticFiles(
                        Path.of(files.rootPath()), files.index(), files.fallback());
                return new RuntimePass.Serving(
                        source,
                        response,
                        new FileServer(found, files.cacheControl(), response),
                        PathEdit.of(source.stripPrefix(), source.addPrefix()));
            }
            var redirect = Objects.requireNonNull(source.redirect());
            return new RuntimePass.Redirecting(
                    source, response, redirect.status(), LocationTemplate.parse(redirect.location()));
        }

        private static RuntimePass forwarding(
                ProxyPass source, HeaderEditor response, TrafficSplit split, @Nullable MirrorRule mirror) {
            Integer total = source.timeouts().totalMillis();
            Long bodyBytesMax = source.requestBodyBytesMax();
            return new RuntimePass.Forwarding(
                    source,
                    new HeaderEditor(source.requestHeaders()),
                    response,
                    split,
                    mirror,
                    PathEdit.of(source.stripPrefix(), source.addPrefix()),
                    source.host(),
                    bodyBytesMax == null ? Long.MAX_VALUE : bodyBytesMax,
                    RetryRule.of(source.retry()),
                    BodyBuffering.of(
                            source.buffering().requestBytes(),
                            source.buffering().responseBytes()),
                    source.preserveHost(),
                    source.timeouts().connectMillis(),
                    source.timeouts().responseMillis(),
                    source.timeouts().idleMillis(),
                    total == null ? Long.MAX_VALUE : total);
        }

        private static List<PassTarget> targetsOf(RuntimePass pass) {
            return pass instanceof RuntimePass.Forwarding forwarding
                    ? targetsOf(forwarding.split(), forwarding.mirror())
                    : List.of();
        }

        private static List<PassTarget> targetsOf(@Nullable TrafficSplit split, @Nullable MirrorRule mirror) {
            List<PassTarget> all = new ArrayList<>(split == null ? List.of() : split.targets());
            if (mirror != null) {
                all.add(mirror.target());
            }
            return all;
        }

        private @Nullable MirrorRule mirror(ProxyPass source) {
            Mirror mirror = source.mirror();
            if (mirror == null) {
                return null;
            }
            UpstreamCluster cluster = cluster(mirror.upstreamId(), source.httpsDegradeHttp());
            return new MirrorRule(new PassTarget(cluster, metrics.upstream(cluster.id())), mirror);
        }

        /** Returns where a proxy pass forwards to; null when it answers by itself. */
        private @Nullable TrafficSplit split(ProxyPass source) {
            if (source.upstreamId() != null) {
                return TrafficSplit.of(target(source, source.upstreamId()));
            }
            if (source.split() == null) {
                return null;
            }
            List<SplitTarget> targets = source.split().targets();
            return new TrafficSplit(
                    targets.stream()
                            .map(target -> target(source, target.upstreamId()))
                            .toList(),
                    targets.stream().mapToInt(SplitTarget::weight).toArray(),
                    source.split().sticky());
        }

        private PassTarget target(ProxyPass source, String upstreamId) {
            UpstreamCluster cluster =
                    cluster(upstreamId, source.httpsDegradeHttp()).subset(source.subset());
            return new PassTarget(cluster, metrics.upstream(cluster.id()));
        }

        private UpstreamCluster cluster(String upstreamId, boolean degrade) {
            var key = new RuntimeSnapshot.ClusterKey(upstreamId, degrade);
            RuntimeSnapshot.Cluster known = clusters.get(key);
            if (known == null) {
                Upstream source = Objects.requireNonNull(state.upstreams().get(upstreamId));
                RuntimeSnapshot.Cluster last = before.clusters().get(key);
                List<NodeEndpoint> nodes = nodes(upstreamId, source, degrade);
                boolean same = last != null
                        && running(last.source()).equals(running(source))
                        && (isDiscovered(source) || last.cluster().nodes().equals(nodes));
                known = last != null && same
                        ? new RuntimeSnapshot.Cluster(source, last.cluster())
                        : new RuntimeSnapshot.Cluster(
                                source, newCluster(key, source, nodes, last == null ? null : last.cluster()));
                clusters.put(key, known);
                String certificate = source.tls().certificateId();
                if (certificate != null) {
                    clientKeys.computeIfAbsent(certificate, this::clientKey);
                }
            }
            return known.cluster();
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
                throw new SnapshotRefused(pointer(ResourceType.CERTIFICATE, id), String.valueOf(e.getMessage()));
            }
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
                checkDiscovered(cluster, source);
                cluster.takeOver(before, node -> new NodeEndpoint(node, connector, loops));
            }
            return cluster;
        }

        private void checkDiscovered(UpstreamCluster cluster, Upstream source) {
            var discovery = source.discovery();
            String url = discovery == null ? null : discovery.url();
            if (url != null && cluster.keyOf(NodeUrl.parse(url)).tls()) {
                TlsFiles.checkAuthorities(cluster.id(), source.tls());
            }
        }

        private List<NodeEndpoint> nodes(String upstreamId, Upstream source, boolean degrade) {
            List<NodeEndpoint> nodes = new ArrayList<>();
            for (Node node : source.nodes()) {
                NodeUrl url = NodeUrl.parse(node.url());
                NodeEndpoint.Key key = NodeEndpoint.Key.of(upstreamId, url, source, degrade);
                NodeEndpoint endpoint = endpoints.computeIfAbsent(key, absent -> {
                    NodeEndpoint last = before.endpoints().get(absent);
                    if (last == null && absent.tls()) {
                        TlsFiles.checkAuthorities(upstreamId, source.tls());
                    }
                    return last != null ? last : new NodeEndpoint(absent, connector, loops);
                });
                nodes.add(endpoint);
            }
            return nodes;
        }
    }
}
