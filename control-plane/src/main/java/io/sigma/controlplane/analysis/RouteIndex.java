package io.sigma.controlplane.analysis;

import io.sigma.model.Finding;
import io.sigma.model.Kind;
import io.sigma.model.Referrer;
import io.sigma.model.Route;
import io.sigma.model.Router;
import io.sigma.snapshot.ConfigState;
import io.sigma.value.InvalidValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The routes of every proxy server, kept as the configuration changes. Routes are added and removed one by one. When a
 * router is added, removed or changes its hosts, all routes of its proxy server are laid out again. Confined to the
 * analysis.
 */
final class RouteIndex {

    private final Map<String, ServerRoutes> servers = new HashMap<>();

    /** Where each router's routes are; disabled routers are not here. */
    private final Map<String, String> serverOfRouter = new HashMap<>();

    /** Where each route is. */
    private final Map<String, ServerRoutes> serverOfRoute = new HashMap<>();

    /** Moves on to {@code state}; adds the routes about which something else may be true to {@code again}. */
    void change(ConfigState state, List<StateChange> changes, Set<Referrer> again) {
        Set<String> anew = new LinkedHashSet<>();
        List<StateChange> ofRoutes = new ArrayList<>();
        for (StateChange change : changes) {
            if (change.type().kind() == Kind.ROUTER && isLaidOutOtherwise(change)) {
                addServer(anew, change.before());
                addServer(anew, change.after());
            }
            if (change.type().kind() == Kind.ROUTE) {
                ofRoutes.add(change);
            }
        }
        if (!anew.isEmpty()) {
            layOut(state, anew, again);
        }
        for (StateChange change : ofRoutes) {
            move(change.id(), (Route) change.after(), again);
        }
    }

    private static void addServer(Set<String> anew, @Nullable Object router) {
        if (router instanceof Router some) {
            anew.add(some.proxyServerId());
        }
    }

    private static boolean isLaidOutOtherwise(StateChange change) {
        return !(change.before() instanceof Router before
                && change.after() instanceof Router after
                && before.enabled().equals(after.enabled())
                && before.proxyServerId().equals(after.proxyServerId())
                && before.mergeSlashes().equals(after.mergeSlashes())
                && before.hosts().equals(after.hosts()));
    }

    private void layOut(ConfigState state, Set<String> anew, Set<Referrer> again) {
        Map<String, Match> known = new HashMap<>();
        for (String id : anew) {
            ServerRoutes old = servers.remove(id);
            if (old != null) {
                old.matches().forEach(match -> {
                    known.put(match.id(), match);
                    serverOfRoute.remove(match.id());
                    again.add(new Referrer(Kind.ROUTE, match.id()));
                });
            }
        }
        serverOfRouter.values().removeIf(anew::contains);
        Map<String, List<Router>> routers = new HashMap<>();
        state.routers().forEach((id, router) -> {
            if (router.enabled() && anew.contains(router.proxyServerId())) {
                routers.computeIfAbsent(router.proxyServerId(), key -> new ArrayList<>())
                        .add(router);
                serverOfRouter.put(id, router.proxyServerId());
            }
        });
        routers.forEach((id, some) -> servers.put(id, new ServerRoutes(some)));
        state.routes().forEach((id, route) -> {
            if (anew.contains(serverOfRouter.get(route.routerId()))) {
                add(id, route, known.get(id));
                again.add(new Referrer(Kind.ROUTE, id));
            }
        });
    }

    private void add(String id, Route route, @Nullable Match known) {
        ServerRoutes server = servers.get(serverOfRouter.getOrDefault(route.routerId(), ""));
        if (server == null || !route.enabled() || serverOfRoute.containsKey(id)) {
            return;
        }
        Router router = server.router(route.routerId());
        try {
            server.add(known != null && known.isOf(route, router) ? known : new Match(route, router));
            serverOfRoute.put(id, server);
        } catch (InvalidValue e) {
            // Not written by this version, which refuses it; gateways refuse it as well.
            return;
        }
    }

    private void move(String id, @Nullable Route route, Set<Referrer> again) {
        Consumer<Match> affected = match -> again.add(new Referrer(Kind.ROUTE, match.id()));
        ServerRoutes old = serverOfRoute.get(id);
        Match before = old == null ? null : old.match(id);
        if (old != null && before != null) {
            if (route != null && before.route().equals(route)) {
                // Laid out a moment ago.
                return;
            }
            old.remove(before);
            serverOfRoute.remove(id);
            old.forEachAffected(before, affected);
        }
        if (route != null) {
            add(id, route, null);
            ServerRoutes server = serverOfRoute.get(id);
            Match match = server == null ? null : server.match(id);
            if (server != null && match != null) {
                server.forEachAffected(match, affected);
            }
        }
    }

    /** Reports the findings of a route that takes part. */
    void check(Route route, Consumer<Finding> found) {
        ServerRoutes server = serverOfRoute.get(String.valueOf(route.id()));
        Match match = server == null ? null : server.match(String.valueOf(route.id()));
        if (server != null && match != null) {
            RouteRules.check(server, match, found);
        }
    }
}
