package io.sigma.dataplane.trial;

import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.match.Explanation;
import io.sigma.dataplane.match.RouteRule;
import io.sigma.dataplane.match.RouteTable;
import io.sigma.dataplane.match.Routed;
import io.sigma.dataplane.match.RouterRoutes;
import io.sigma.dataplane.snapshot.RuntimeRoute;
import io.sigma.dataplane.snapshot.RuntimeServer;
import io.sigma.dataplane.snapshot.RuntimeSnapshot;
import io.sigma.model.LosingReason;
import io.sigma.model.LosingReasonKind;
import io.sigma.model.LosingRoute;
import io.sigma.model.Route;
import io.sigma.model.Router;
import io.sigma.value.HostPattern;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The routes that came near to taking a request. Those that are disabled are not part of what runs: they are compared
 * by a table of their own.
 *
 * @param losers the nearest first
 * @param further how many more there are
 */
record NearRoutes(List<LosingRoute> losers, int further) {

    NearRoutes {
        losers = List.copyOf(losers);
    }

    /** A route that is disabled, itself or with its router. */
    private record Disabled(String routerId, RouteRule rule) implements Routed {}

    /**
     * Returns the routes of {@code server} that came near.
     *
     * @param winner is left out; null when there is none
     * @param max how many are listed
     */
    @SuppressWarnings("ReferenceEquality") // A preflight has a winner of its own.
    static NearRoutes of(
            RuntimeSnapshot snapshot,
            RuntimeServer server,
            RequestHead head,
            InetAddress client,
            @Nullable RuntimeRoute winner,
            int max) {
        Explanation<RuntimeRoute> running = server.table().explain(head, client, max);
        Explanation<Disabled> disabled =
                RouteTable.of(disabled(snapshot, server), null).explain(head, client, max);
        List<LosingRoute> losers = new ArrayList<>();
        Disabled ready = disabled.winner();
        if (ready != null) {
            losers.add(losing(ready.rule().id(), ready.routerId(), List.of(), true));
        }
        for (Explanation.Loser<RuntimeRoute> loser : running.losers()) {
            if (loser.route() != winner) {
                losers.add(losing(loser.route().id(), loser.route().router().id(), loser.reasons(), false));
            }
        }
        for (Explanation.Loser<Disabled> loser : disabled.losers()) {
            losers.add(losing(loser.route().rule().id(), loser.route().routerId(), loser.reasons(), true));
        }
        int listed = Math.min(max, losers.size());
        return new NearRoutes(
                losers.subList(0, listed), running.further() + disabled.further() + losers.size() - listed);
    }

    private static List<RouterRoutes<Disabled>> disabled(RuntimeSnapshot snapshot, RuntimeServer server) {
        Map<String, Router> routers = new HashMap<>();
        snapshot.source().state().routers().forEach((id, router) -> {
            if (router.proxyServerId().equals(server.id())) {
                routers.put(id, router);
            }
        });
        Map<String, List<Disabled>> routes = new HashMap<>();
        for (Route route : snapshot.source().state().routes().values()) {
            Router router = routers.get(route.routerId());
            if (router != null && !(route.enabled() && router.enabled())) {
                routes.computeIfAbsent(route.routerId(), id -> new ArrayList<>())
                        .add(new Disabled(route.routerId(), RouteRule.of(route, router.mergeSlashes())));
            }
        }
        List<RouterRoutes<Disabled>> tables = new ArrayList<>();
        routes.forEach((id, some) -> tables.add(RouterRoutes.of(
                Objects.requireNonNull(routers.get(id)).hosts().stream()
                        .map(HostPattern::parse)
                        .toList(),
                some)));
        return tables;
    }

    private static LosingRoute losing(
            String routeId, String routerId, List<Explanation.Reason> reasons, boolean disabled) {
        List<LosingReason> all = new ArrayList<>();
        if (disabled) {
            all.add(LosingReason.builder()
                    .kind(LosingReasonKind.DISABLED)
                    .detail("The route, or its router, is disabled.")
                    .build());
        }
        for (Explanation.Reason reason : reasons) {
            boolean beaten =
                    reason.kind() == Explanation.Kind.LOWER_PRIORITY || reason.kind() == Explanation.Kind.LESS_SPECIFIC;
            // A disabled route does not lose to another disabled route.
            if (!disabled || !beaten) {
                all.add(LosingReason.builder()
                        .kind(LosingReasonKind.valueOf(reason.kind().name()))
                        .subject(reason.subject().isEmpty() ? null : reason.subject())
                        .detail(reason.detail())
                        .build());
            }
        }
        return new LosingRoute(routeId, routerId, all);
    }
}
