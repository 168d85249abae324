package io.sigma.dataplane.match;

import io.sigma.value.HostPattern;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * The routes of one router, in the order of {@link RouteRule#ORDER}. Compared by identity, so that what did not change
 * between two snapshots is recognised without looking into it.
 */
public final class RouterRoutes<R extends Routed> {

    private final List<HostPattern> hosts;
    private final List<R> routes;

    private RouterRoutes(List<HostPattern> hosts, List<R> routes) {
        this.hosts = hosts;
        this.routes = routes;
    }

    /**
     * Returns the routes of a router.
     *
     * @param hosts none means any host
     * @param routes in any order
     */
    public static <R extends Routed> RouterRoutes<R> of(List<HostPattern> hosts, List<R> routes) {
        return new RouterRoutes<>(List.copyOf(hosts), ordered(routes));
    }

    private static <R extends Routed> List<R> ordered(Collection<R> routes) {
        List<R> ordered = new ArrayList<>(routes);
        ordered.sort(RouterRoutes::compare);
        return Collections.unmodifiableList(ordered);
    }

    private static int compare(Routed a, Routed b) {
        return RouteRule.ORDER.compare(a.rule(), b.rule());
    }

    /** Returns all routes of {@code routers} in their order. */
    static <R extends Routed> List<R> ordered(Set<RouterRoutes<R>> routers) {
        if (routers.size() == 1) {
            return routers.iterator().next().routes;
        }
        List<R> all = new ArrayList<>();
        routers.forEach(router -> all.addAll(router.routes));
        return ordered(all);
    }

    /** Returns whether these are the same routes, whatever their order. */
    public boolean has(List<R> others) {
        if (routes.size() != others.size()) {
            return false;
        }
        Set<R> mine = Collections.newSetFromMap(new IdentityHashMap<>(routes.size() * 2));
        mine.addAll(routes);
        return mine.containsAll(others);
    }

    /**
     * Returns these routes without those of {@code gone} and with {@code more}, for the same hosts. It compares few of
     * them: to sort them again would be a good part of what a change costs.
     *
     * @param gone compared by identity
     */
    public RouterRoutes<R> with(Set<R> gone, List<R> more) {
        List<R> all = new ArrayList<>(routes.size() + more.size());
        for (R route : routes) {
            if (!gone.contains(route)) {
                all.add(route);
            }
        }
        for (R route : more) {
            int place = Collections.binarySearch(all, route, RouterRoutes::compare);
            all.add(place < 0 ? -(place + 1) : place, route);
        }
        return new RouterRoutes<>(hosts, Collections.unmodifiableList(all));
    }

    List<HostPattern> hosts() {
        return hosts;
    }

    List<R> routes() {
        return routes;
    }
}
