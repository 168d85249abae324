package io.sigma.dataplane.snapshot;

import io.sigma.check.StreamCheck;
import io.sigma.dataplane.exchange.TrustedProxies;
import io.sigma.dataplane.exchange.rule.LoopMark;
import io.sigma.dataplane.filter.chain.FilterPool;
import io.sigma.dataplane.filter.chain.PluginSet;
import io.sigma.dataplane.filter.header.ForwardedFields;
import io.sigma.dataplane.match.RouteRule;
import io.sigma.dataplane.match.RouteTable;
import io.sigma.dataplane.match.RouterRoutes;
import io.sigma.dataplane.match.RpcTable;
import io.sigma.dataplane.match.StreamTable;
import io.sigma.dataplane.telemetry.GatewayMetrics;
import io.sigma.json.JsonPointer;
import io.sigma.model.ProxyServer;
import io.sigma.model.Route;
import io.sigma.model.Router;
import io.sigma.model.ServerTls;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.ResourceType;
import io.sigma.snapshot.ShardedMap;
import io.sigma.snapshot.Snapshot;
import io.sigma.value.AddressRange;
import io.sigma.value.HostPattern;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A run of a {@link SnapshotCompiler}. It collects the parts that the next run may carry over. Confined to the thread
 * that compiles.
 */
@SuppressWarnings("ReferenceEquality") // An unchanged value is the same object.
final class Compilation {

    private final SnapshotCompiler compiler;
    private final ConfigState state;
    private final RuntimeSnapshot.Parts before;
    private final UpstreamCompiler upstreams;
    private final Map<String, RuntimePass> passes;
    private final Map<String, RuntimeRouter> routers;
    private final Map<String, RouterRoutes<RuntimeRoute>> tables = new HashMap<>();
    private final Map<String, @Nullable RuntimeRoute> routes = new HashMap<>();
    private final FilterPool filters;
    private final List<String> reserved;
    /** The kind of the resource that is being compiled. */
    private @Nullable ResourceType<?> type;

    private String id = "";

    Compilation(
            SnapshotCompiler compiler,
            ConfigState state,
            RuntimeSnapshot.Parts before,
            FilterPool filters,
            boolean routesOnly) {
        this.compiler = compiler;
        this.state = state;
        this.before = before;
        this.passes = routesOnly ? before.passes() : new HashMap<>();
        this.routers = routesOnly ? before.routers() : new HashMap<>();
        this.upstreams = compiler.upstreams(state, before);
        this.filters = filters;
        this.reserved = reserved(state);
    }

    /** Leaves nothing behind of what cannot be served. */
    void undo(RuntimeSnapshot served) {
        filters.closeExcept(before.filters());
        routes.forEach((id, route) -> {
            if (route != null && !before.routes().containsKey(id)) {
                compiler.metrics().forget(String.valueOf(route.router().server().id()), id);
            }
        });
        compiler.forget(upstreams.clusters().keySet(), state.proxyServers().keySet(), served);
    }

    private void begin(ResourceType<?> kind, String resourceId) {
        type = kind;
        id = resourceId;
    }

    /** Returns a pointer to what is, or was last, compiled. */
    String at() {
        return type == null ? "" : pointer(type, id);
    }

    RuntimeSnapshot run(Snapshot snapshot, RuntimeSnapshot last, boolean unnamed) {
        ConfigState good = last.source().state();
        // Before the chains of routes, which have them too and do not know where they come from.
        state.proxyServers().forEach((id, server) -> {
            begin(ResourceType.PROXY_SERVER, id);
            if (server.enabled() && !server.equals(good.proxyServers().get(id))) {
                filters.check(server.plugins(), at());
            }
        });
        PassCompiler passCompiler = compiler.passes(before, upstreams);
        state.proxyPasses().forEach((id, pass) -> {
            begin(ResourceType.PROXY_PASS, id);
            passes.put(id, passCompiler.compile(id, pass));
            if (unnamed && !pass.equals(good.proxyPasses().get(id))) {
                filters.check(pass.plugins(), at());
            }
        });
        if (unnamed) {
            state.upstreams().forEach((id, upstream) -> {
                begin(ResourceType.UPSTREAM, id);
                upstreams.check(id, upstream, good.upstreams().get(id));
            });
        }
        Map<String, List<RuntimeRoute>> byRouter = new HashMap<>();
        state.routers().forEach((id, router) -> {
            begin(ResourceType.ROUTER, id);
            ProxyServer server = Objects.requireNonNull(state.proxyServers().get(router.proxyServerId()));
            if (router.enabled() && server.enabled() && !StreamCheck.passes(router, server)) {
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
        byRouter.forEach((id, compiled) -> {
            begin(ResourceType.ROUTER, id);
            tables.put(id, table(id, compiled));
        });
        Map<String, RuntimeServer> servers = new HashMap<>();
        state.proxyServers().forEach((id, server) -> {
            begin(ResourceType.PROXY_SERVER, id);
            if (server.enabled()) {
                servers.put(id, server(id, server, last.server(id)));
            }
        });
        return new RuntimeSnapshot(
                snapshot,
                Map.copyOf(servers),
                new RuntimeSnapshot.Parts(
                        upstreams.clusters(),
                        upstreams.endpoints(),
                        passes,
                        routers,
                        ShardedMap.<String, RouterRoutes<RuntimeRoute>>empty().with(tables),
                        ShardedMap.<String, RuntimeRoute>empty().with(routes),
                        upstreams.clientKeys(),
                        upstreams.authorities(),
                        filters));
    }

    /**
     * Compiles what differs when nothing but routes does, in its size, apart from a walk along the routes of their
     * routers.
     */
    RuntimeSnapshot changeRoutes(Snapshot snapshot, RuntimeSnapshot last) {
        Map<String, RouteChange> changes = new HashMap<>();
        state.forEachChange(last.source().state(), ResourceType.ROUTE, (id, was, is) -> {
            RuntimeRoute gone = before.routes().get(id);
            if (gone != null) {
                filters.release(plugins(gone.router(), gone.source(), gone.pass()));
                routes.put(id, null);
                change(changes, gone.source()).remove(gone);
            }
            if (is != null && is.enabled() && routers.containsKey(is.routerId())) {
                change(changes, is).add(route(id, is));
            }
        });
        Map<String, Map<RouterRoutes<RuntimeRoute>, RouterRoutes<RuntimeRoute>>> replaced = new HashMap<>();
        changes.forEach((routerId, change) -> {
            begin(ResourceType.ROUTER, routerId);
            RouterRoutes<RuntimeRoute> table =
                    Objects.requireNonNull(before.tables().get(routerId));
            RouterRoutes<RuntimeRoute> next = change.applied(table);
            tables.put(routerId, next);
            Router router = Objects.requireNonNull(routers.get(routerId)).source();
            replaced.computeIfAbsent(router.proxyServerId(), id -> new HashMap<>())
                    .put(table, next);
        });
        Map<String, RuntimeServer> servers = new HashMap<>(last.servers());
        replaced.forEach((id, ofServer) -> servers.computeIfPresent(id, (same, server) -> server.with(ofServer)));
        return new RuntimeSnapshot(
                snapshot,
                Map.copyOf(servers),
                new RuntimeSnapshot.Parts(
                        before.clusters(),
                        before.endpoints(),
                        passes,
                        routers,
                        before.tables().with(tables),
                        before.routes().with(routes),
                        before.clientKeys(),
                        before.authorities(),
                        filters));
    }

    private static RouteChange change(Map<String, RouteChange> changes, Route route) {
        return changes.computeIfAbsent(route.routerId(), id -> new RouteChange());
    }

    private RuntimeServer server(String id, ProxyServer source, @Nullable RuntimeServer last) {
        Set<RouterRoutes<RuntimeRoute>> mine = new HashSet<>();
        routers.forEach((routerId, router) -> {
            if (router.source().proxyServerId().equals(id)) {
                mine.add(Objects.requireNonNull(tables.get(routerId)));
            }
        });
        List<StreamTable.Entry<RuntimeServer.StreamRouter>> without = streams(id, source);
        boolean rpc = StreamCheck.isRpc(source);
        if (last != null
                && last.source().equals(source)
                && last.trusted().reserves(reserved)
                && last.table().routers().equals(mine)
                && (rpc ? last.rpc().entries() : last.streams().entries()).equals(without)) {
            filters.chain(plugins(source));
            return last;
        }
        return new RuntimeServer(
                source,
                RouteTable.of(mine, last == null ? null : last.table()),
                trusted(source),
                filters.chain(plugins(source)),
                compiler.metrics().server(id),
                compiler.metrics().route(id, GatewayMetrics.NO_ROUTE),
                StreamTable.of(rpc ? List.of() : without),
                RpcTable.of(rpc ? without : List.of()),
                compiler.metrics().stream(id, GatewayMetrics.NO_ROUTE),
                compiler.metrics().datagrams(id));
    }

    /** Returns the routers of a proxy server that name a proxy pass; none for one that speaks HTTP alone. */
    private List<StreamTable.Entry<RuntimeServer.StreamRouter>> streams(String serverId, ProxyServer server) {
        boolean rpc = StreamCheck.isRpc(server);
        List<StreamTable.Entry<RuntimeServer.StreamRouter>> entries = new ArrayList<>();
        new TreeMap<>(state.routers()).forEach((id, router) -> {
            if (router.enabled() && router.proxyServerId().equals(serverId) && StreamCheck.passes(router, server)) {
                begin(ResourceType.ROUTER, id);
                var pass = (RuntimePass.ToUpstream) Objects.requireNonNull(passes.get(router.proxyPassId()));
                entries.add(new StreamTable.Entry<>(
                        router.match(),
                        new RuntimeServer.StreamRouter(
                                router,
                                pass,
                                compiler.metrics().stream(serverId, id),
                                rpc ? compiler.metrics().route(serverId, id) : null)));
            }
        });
        return entries;
    }

    private RuntimeRouter router(String id, Router source, ProxyServer server) {
        RuntimeRouter last = before.routers().get(id);
        if (last != null && last.source().equals(source) && last.server().equals(server)) {
            return last;
        }
        filters.check(source.plugins(), at());
        PluginSet plugins = plugins(server).with(source.plugins(), pointer(ResourceType.ROUTER, id));
        return new RuntimeRouter(source, server, plugins, new ForwardedFields(source.forwardedHeaders()));
    }

    private TrustedProxies trusted(ProxyServer server) {
        return new TrustedProxies(
                server.trustedProxies().stream().map(AddressRange::parse).toList(),
                reserved,
                compiler.passesSessions());
    }

    /**
     * Returns the fields, in lower case and in order, that nodes have from the gateway alone. They are those of all
     * proxy servers: a node cannot tell through which one a request came.
     */
    private static List<String> reserved(ConfigState state) {
        Set<String> names = new TreeSet<>(Set.of(TrustedProxies.CONSUMER));
        state.proxyServers().forEach((id, server) -> {
            ServerTls tls = server.tls();
            if (server.enabled() && tls != null && tls.clientSubjectHeader() != null) {
                names.add(tls.clientSubjectHeader().toLowerCase(Locale.ROOT));
            }
        });
        return List.copyOf(names);
    }

    private RuntimeRoute route(String id, Route source) {
        begin(ResourceType.ROUTE, id);
        RuntimeRouter router = Objects.requireNonNull(routers.get(source.routerId()));
        RuntimePass pass = Objects.requireNonNull(passes.get(source.proxyPassId()));
        RuntimeRoute last = before.routes().get(id);
        boolean same = last != null && (last.source() == source || last.source().equals(source));
        boolean merges = router.source().mergeSlashes();
        RuntimeRoute compiled;
        if (last != null && same && last.router() == router && last.pass() == pass) {
            compiled = last;
            filters.chain(plugins(router, source, pass));
        } else {
            filters.check(source.plugins(), at());
            compiled = new RuntimeRoute(
                    id,
                    source,
                    router,
                    last != null && same && last.rule().mergesSlashes() == merges
                            ? last.rule()
                            : RouteRule.of(source, merges),
                    pass,
                    filters.chain(plugins(router, source, pass)),
                    compiler.metrics().route(String.valueOf(router.server().id()), id),
                    new LoopMark(id));
        }
        routes.put(id, compiled);
        return compiled;
    }

    private static PluginSet plugins(ProxyServer server) {
        return PluginSet.NONE.with(server.plugins(), pointer(ResourceType.PROXY_SERVER, String.valueOf(server.id())));
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
                : RouterRoutes.of(
                        router.source().hosts().stream().map(HostPattern::parse).toList(), compiled);
    }
}
