package io.sigma.dataplane.match;

import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.value.HostPattern;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The routes of one proxy server. Every router whose hosts match the request takes part; among their routes the higher
 * priority wins, then the more specific host, then {@link RouteRule#ORDER}.
 */
public final class RouteTable<R extends Routed> {

    private final Map<String, HostRoutes<R>> exact;
    private final RegionMap<HostRoutes<R>> wildcards;
    private final boolean anyWildcard;
    private final @Nullable HostRoutes<R> any;

    private RouteTable(
            Map<String, HostRoutes<R>> exact,
            RegionMap<HostRoutes<R>> wildcards,
            boolean anyWildcard,
            @Nullable HostRoutes<R> any) {
        this.exact = exact;
        this.wildcards = wildcards;
        this.anyWildcard = anyWildcard;
        this.any = any;
    }

    /**
     * Returns the table of {@code routers}.
     *
     * @param previous its indexes over the same routers are carried over; null when there is none
     */
    public static <R extends Routed> RouteTable<R> of(
            Collection<RouterRoutes<R>> routers, @Nullable RouteTable<R> previous) {
        Map<String, List<RouterRoutes<R>>> exact = new HashMap<>();
        Map<String, List<RouterRoutes<R>>> wildcards = new HashMap<>();
        List<RouterRoutes<R>> any = new ArrayList<>();
        for (RouterRoutes<R> router : routers) {
            if (router.hosts().isEmpty()) {
                any.add(router);
            }
            for (HostPattern host : router.hosts()) {
                Map<String, List<RouterRoutes<R>>> byName = host.wildcard() ? wildcards : exact;
                byName.computeIfAbsent(host.name(), key -> new ArrayList<>(1)).add(router);
            }
        }
        Map<Set<RouterRoutes<R>>, HostRoutes<R>> indexes = new HashMap<>();
        if (previous != null) {
            previous.forEachIndex(index -> indexes.put(index.routers(), index));
        }
        return new RouteTable<>(
                index(exact, indexes),
                RegionMap.of(index(wildcards, indexes)),
                !wildcards.isEmpty(),
                any.isEmpty() ? null : index(any, indexes));
    }

    private static <R extends Routed> Map<String, HostRoutes<R>> index(
            Map<String, List<RouterRoutes<R>>> byName, Map<Set<RouterRoutes<R>>, HostRoutes<R>> indexes) {
        Map<String, HostRoutes<R>> indexed = new HashMap<>();
        byName.forEach((name, routers) -> indexed.put(name, index(routers, indexes)));
        return indexed;
    }

    /** Hosts of the same routers share one index. */
    private static <R extends Routed> HostRoutes<R> index(
            List<RouterRoutes<R>> routers, Map<Set<RouterRoutes<R>>, HostRoutes<R>> indexes) {
        return indexes.computeIfAbsent(Set.copyOf(routers), HostRoutes::of);
    }

    /**
     * Returns this table with other routes in the place of some. Most of what did not change on their hosts is not
     * indexed again. Beside that it costs one copy of the map of hosts.
     *
     * @param replaced routers of this table, and what is in their place
     */
    public RouteTable<R> with(Map<RouterRoutes<R>, RouterRoutes<R>> replaced) {
        if (!replaced.entrySet().stream()
                .allMatch(
                        entry -> entry.getKey().hosts().equals(entry.getValue().hosts()))) {
            List<RouterRoutes<R>> now = routers().stream()
                    .map(router -> replaced.getOrDefault(router, router))
                    .toList();
            return of(now, this);
        }
        Map<HostRoutes<R>, HostRoutes<R>> indexes = new HashMap<>();
        Function<HostRoutes<R>, HostRoutes<R>> next =
                index -> indexes.computeIfAbsent(index, absent -> absent.with(replaced));
        Map<String, HostRoutes<R>> exactly = new HashMap<>();
        Map<String, HostRoutes<R>> below = new HashMap<>();
        HostRoutes<R> rest = any;
        for (RouterRoutes<R> router : replaced.keySet()) {
            if (router.hosts().isEmpty()) {
                rest = next.apply(Objects.requireNonNull(any));
            }
            for (HostPattern host : router.hosts()) {
                String name = host.name();
                if (host.wildcard()) {
                    below.put(name, next.apply(Objects.requireNonNull(wildcards.get(name))));
                } else {
                    exactly.put(name, next.apply(Objects.requireNonNull(exact.get(name))));
                }
            }
        }
        return new RouteTable<>(replacing(exact, exactly), wildcards.with(below), anyWildcard, rest);
    }

    private static <R extends Routed> Map<String, HostRoutes<R>> replacing(
            Map<String, HostRoutes<R>> all, Map<String, HostRoutes<R>> some) {
        if (some.isEmpty()) {
            return all;
        }
        Map<String, HostRoutes<R>> copy = new HashMap<>(all);
        copy.putAll(some);
        return copy;
    }

    /** Returns what this table was made of. Looks at every host. */
    public Set<RouterRoutes<R>> routers() {
        Set<RouterRoutes<R>> routers = new HashSet<>();
        forEachIndex(index -> routers.addAll(index.routers()));
        return routers;
    }

    private void forEachIndex(Consumer<HostRoutes<R>> action) {
        exact.values().forEach(action);
        wildcards.forEachValue(action);
        if (any != null) {
            action.accept(any);
        }
    }

    /**
     * Returns the route that takes the request; null when none does.
     *
     * @param client the address of the client, seen through trusted proxies
     */
    public @Nullable R match(RequestHead head, InetAddress client) {
        return match(head, client, head.method());
    }

    /** Returns the route that would take the request if it had that method. */
    public @Nullable R match(RequestHead head, InetAddress client, String method) {
        return match(new Lookup(head, method, client));
    }

    /** Returns the route that takes the request of {@code lookup}; null when none does. */
    public @Nullable R match(Lookup lookup) {
        String host = lookup.head().host();
        R best = better(exact.get(host), null, lookup);
        if (anyWildcard) {
            for (int dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) {
                best = better(wildcards.get(host, dot + 1, host.length()), best, lookup);
            }
        }
        return better(any, best, lookup);
    }

    /** Returns why {@link #match(RequestHead, InetAddress)} found nothing. */
    public NoMatch mismatch(RequestHead head, InetAddress client) {
        List<RouteRule> rules = new ArrayList<>();
        Lookup lookup = new Lookup(head, head.method(), client);
        for (HostRoutes<R> index : indexesFor(head.host())) {
            index.forEachFitting(lookup, route -> rules.add(route.rule()));
        }
        if (rules.isEmpty()) {
            return new NoMatch(ErrorKind.NO_ROUTE, "");
        }
        TreeSet<String> allow = new TreeSet<>();
        boolean method = false;
        boolean media = false;
        for (RouteRule rule : rules) {
            allow.addAll(rule.methods());
            method |= rule.allows(head.method());
            media |= rule.allows(head.method()) && rule.takes(lookup);
        }
        if (!method) {
            return new NoMatch(ErrorKind.METHOD_NOT_ALLOWED, String.join(", ", allow));
        }
        return new NoMatch(media ? ErrorKind.NOT_ACCEPTABLE : ErrorKind.MEDIA_TYPE, "");
    }

    /**
     * Returns which route takes the request, and why others that come near do not. Looks at every route, so it is for
     * people who ask; may be called on any thread that may read the fields of {@code head}.
     *
     * @param client the address of the client, seen through trusted proxies
     * @param losersMax how many losers are listed
     */
    public Explanation<R> explain(RequestHead head, InetAddress client, int losersMax) {
        R winner = match(head, client);
        return new Explainer<>(new Lookup(head, head.method(), client), winner)
                .explain(routers(), winner == null ? mismatch(head, client) : null, losersMax);
    }

    /** Returns whether both tables look up the paths of an exact host in the same index. */
    @SuppressWarnings("ReferenceEquality") // That it is the same object is the question.
    boolean sharesIndexWith(RouteTable<R> other, String host) {
        return exact.get(host) == other.exact.get(host);
    }

    private List<HostRoutes<R>> indexesFor(String host) {
        List<HostRoutes<R>> found = new ArrayList<>();
        HostRoutes<R> same = exact.get(host);
        if (same != null) {
            found.add(same);
        }
        for (int dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) {
            HostRoutes<R> below = wildcards.get(host, dot + 1, host.length());
            if (below != null) {
                found.add(below);
            }
        }
        if (any != null) {
            found.add(any);
        }
        return found;
    }

    private @Nullable R better(@Nullable HostRoutes<R> index, @Nullable R best, Lookup lookup) {
        if (index == null || (best != null && index.priorityMax() <= best.rule().priority())) {
            return best;
        }
        R found = index.find(lookup);
        boolean wins = found != null
                && (best == null || found.rule().priority() > best.rule().priority());
        return wins ? found : best;
    }
}
