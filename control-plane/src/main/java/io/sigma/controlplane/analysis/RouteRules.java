package io.sigma.controlplane.analysis;

import io.sigma.json.JsonPointer;
import io.sigma.model.Finding;
import io.sigma.model.Kind;
import io.sigma.model.Referrer;
import io.sigma.model.Route;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Looks for routes that never get their turn, and for those whose turn is decided by their ids alone. */
final class RouteRules {

    /** So many other routes are looked at for one; what stands behind them is not found. */
    private static final int LOOKS_MAX = 2048;

    private static final int TIES_MAX = 64;

    private static final int OTHERS_MAX = 16;

    private RouteRules() {}

    /** @param server the routes of the route's proxy server */
    static void check(ServerRoutes server, Match match, Consumer<Finding> found) {
        if (neverMatches(match, found)) {
            return;
        }
        Set<Match> covering = new Coverage(server, match).find();
        if (!covering.isEmpty()) {
            found.accept(shadowed(match, covering));
            return;
        }
        Match other = tied(server, match);
        if (other != null) {
            found.accept(Rule.ROUTE_AMBIGUOUS.found(
                    Kind.ROUTE,
                    match.id(),
                    JsonPointer.of("path"),
                    "Some requests fit both \"" + match.id() + "\" and \"" + other.id() + "\", on "
                            + match.route().path() + " with priority "
                            + match.route().priority() + ". \"" + other.id()
                            + "\" takes them only because its id comes first.",
                    referrer(other)));
        }
    }

    private static Referrer referrer(Match match) {
        return new Referrer(Kind.ROUTE, match.id());
    }

    private static boolean neverMatches(Match match, Consumer<Finding> found) {
        Never never = Never.of(match);
        if (never != null) {
            found.accept(Rule.ROUTE_NEVER_MATCHES.found(Kind.ROUTE, match.id(), never.pointer(), never.detail() + "."));
        }
        return never != null;
    }

    private static Finding shadowed(Match match, Set<Match> covering) {
        Route route = match.route();
        List<String> texts = covering.stream()
                .limit(OTHERS_MAX)
                .map(other -> "\"" + other.id() + "\" (" + what(other.route()) + ")")
                .toList();
        String detail = "An earlier route takes all requests of " + what(route) + ": " + String.join(", ", texts) + ".";
        return Rule.ROUTE_SHADOWED.found(
                Kind.ROUTE,
                match.id(),
                JsonPointer.of("path"),
                detail,
                covering.stream().limit(OTHERS_MAX).map(RouteRules::referrer).toArray(Referrer[]::new));
    }

    private static String what(Route route) {
        String path = route.path().length() <= 100 ? route.path() : route.path().substring(0, 100) + "…";
        String methods = route.methods().isEmpty() ? "" : String.join(" ", route.methods()) + " ";
        return methods + path + (route.priority() == 0 ? "" : ", priority " + route.priority());
    }

    /** Returns the first route that is told from {@code match} by nothing but its id, and may take what that fits. */
    private static @Nullable Match tied(ServerRoutes server, Match match) {
        Match[] first = new Match[1];
        for (String host : ServerRoutes.hosts(server.router(match.route().routerId()))) {
            MatchSet same = server.at(host).tree().same(match.path());
            if (same == null) {
                continue;
            }
            same.forEachTied(match, TIES_MAX, other -> {
                boolean tied = other.path().skeleton().equals(match.path().skeleton())
                        && !sameOutcome(other.route(), match.route())
                        && other.mayMeet(match);
                if (tied && (first[0] == null || other.compareTo(first[0]) < 0)) {
                    first[0] = other;
                }
            });
        }
        return first[0];
    }

    /** Then it does not matter which one it is. */
    private static boolean sameOutcome(Route a, Route b) {
        return a.proxyPassId().equals(b.proxyPassId()) && a.plugins() == null && b.plugins() == null;
    }

    /** Finds the routes that together take everything that one would, on each of its hosts. Used once. */
    private static final class Coverage {

        private final ServerRoutes server;
        private final Match match;
        private final Set<Match> covering = new LinkedHashSet<>();
        private int looks;

        Coverage(ServerRoutes server, Match match) {
            this.server = server;
            this.match = match;
        }

        /** Returns none when something is left for it. */
        Set<Match> find() {
            Set<List<Object>> seen = new LinkedHashSet<>();
            for (String host : ServerRoutes.hosts(server.router(match.route().routerId()))) {
                HostTree own = server.at(host);
                List<HostTree> wider = server.wider(host).stream()
                        .filter(routes ->
                                routes.tree().priorityMax() > match.place().priority())
                        .toList();
                // Hosts that the same routers serve are one question.
                if (seen.add(List.of(own, wider)) && !isCovered(own, wider)) {
                    return Set.of();
                }
            }
            return covering;
        }

        private boolean isCovered(HostTree own, List<HostTree> wider) {
            List<String> methods = new ArrayList<>(match.route().methods());
            boolean all = methods.isEmpty();
            boolean[] done = {false};
            Predicate<Match> cover = other -> {
                if (other.coversButMethods(match)) {
                    boolean helps = all ? other.route().methods().isEmpty() : methods.removeIf(other::takes);
                    done[0] = helps && methods.isEmpty();
                    if (helps) {
                        covering.add(other);
                    }
                }
                return !done[0] && ++looks < LOOKS_MAX;
            };
            own.tree().forEachWider(match, other -> other.compareTo(match) < 0, cover);
            for (HostTree routes : wider) {
                if (!done[0]) {
                    int priority = match.place().priority();
                    routes.tree().forEachWider(match, other -> other.place().priority() > priority, cover);
                }
            }
            return done[0];
        }
    }
}
