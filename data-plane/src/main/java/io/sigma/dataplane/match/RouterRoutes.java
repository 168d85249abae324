package io.sigma.dataplane.match;

import io.sigma.value.HostPattern;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * The routes of one router. Compared by identity, so that what did not change between two snapshots is recognised without
 * looking into it.
 */
public final class RouterRoutes<R extends Routed> {

    private final List<HostPattern> hosts;
    private final List<R> routes;

    /**
     * @param hosts none means any host
     */
    public RouterRoutes(List<HostPattern> hosts, List<R> routes) {
        this.hosts = List.copyOf(hosts);
        this.routes = List.copyOf(routes);
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
     * Returns these routes without those of {@code gone} and with {@code more}, for the same hosts.
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
        all.addAll(more);
        return new RouterRoutes<>(hosts, all);
    }

    List<HostPattern> hosts() {
        return hosts;
    }

    List<R> routes() {
        return routes;
    }
}
