package io.sigma.controlplane.analysis;

import io.sigma.model.Router;
import io.sigma.value.HostPattern;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The routes of one proxy server's enabled routers, by host. Confined to the analysis. */
final class ServerRoutes {

    private final Map<String, HostTree> byHost = new HashMap<>();
    private final Map<String, Router> routers = new TreeMap<>();
    private final Map<String, Match> matches = new HashMap<>();

    /** @param enabled its routers */
    ServerRoutes(Collection<Router> enabled) {
        enabled.forEach(router -> routers.put(String.valueOf(router.id()), router));
        Map<String, List<String>> ofHost = new TreeMap<>();
        routers.forEach((id, router) -> hosts(router)
                .forEach(host ->
                        ofHost.computeIfAbsent(host, key -> new ArrayList<>(1)).add(id)));
        Map<List<String>, HostTree> distinct = new HashMap<>();
        ofHost.forEach((host, ids) -> {
            HostTree routes = distinct.computeIfAbsent(ids, key -> new HostTree());
            byHost.put(host, routes);
        });
    }

    static List<String> hosts(Router router) {
        return router.hosts().isEmpty()
                ? List.of(HostTree.ANY)
                : router.hosts().stream()
                        .map(host -> HostPattern.parse(host).toString())
                        .toList();
    }

    boolean has(String routerId) {
        return routers.containsKey(routerId);
    }

    Router router(String id) {
        return Objects.requireNonNull(routers.get(id), id);
    }

    Collection<Match> matches() {
        return matches.values();
    }

    /** Returns what is known of a route; null when it takes no part. */
    @Nullable
    Match match(String routeId) {
        return matches.get(routeId);
    }

    void add(Match match) {
        matches.put(match.id(), match);
        indexes(match).forEach(index -> index.tree().add(match));
    }

    void remove(Match match) {
        matches.remove(match.id());
        indexes(match).forEach(index -> index.tree().remove(match));
    }

    /** Returns the indexes that a route is in, each once. */
    private Set<HostTree> indexes(Match match) {
        Set<HostTree> found = new LinkedHashSet<>();
        for (String host : hosts(router(match.route().routerId()))) {
            found.add(at(host));
        }
        return found;
    }

    /** Returns the index of a host of one of the routers. */
    HostTree at(String host) {
        return Objects.requireNonNull(byHost.get(host), host);
    }

    /**
     * Returns the routes of hosts that take requests for {@code host} too but come after its own, the next one first.
     */
    List<HostTree> wider(String host) {
        List<HostTree> wider = new ArrayList<>();
        for (String pattern : HostTree.wider(host)) {
            HostTree routes = byHost.get(pattern);
            if (routes != null) {
                wider.add(routes);
            }
        }
        return wider;
    }

    /**
     * Calls {@code action} with every route about which something else may be true when {@code match} comes or goes.
     */
    void forEachAffected(Match match, Consumer<Match> action) {
        Consumer<Match> later = other -> {
            if (other.compareTo(match) > 0
                    && (match.coversButMethods(other) || (other.place().ties(match.place()) && match.mayMeet(other)))) {
                action.accept(other);
            }
        };
        Set<HostTree> own = indexes(match);
        own.forEach(index -> index.tree().forEachNarrower(match, later));
        int priority = match.place().priority();
        for (Map.Entry<String, HostTree> entry : byHost.entrySet()) {
            HostTree narrow = entry.getValue();
            if (narrow.tree().priorityMin() < priority
                    && wider(entry.getKey()).stream().anyMatch(own::contains)) {
                narrow.tree().forEachNarrower(match, later);
            }
        }
    }
}
