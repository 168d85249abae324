package io.sigma.dataplane.match;

import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.value.HostPattern;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The routes of one proxy server. Every router whose hosts match the request takes part; among their routes the higher
 * priority wins, then the more specific host, then {@link RouteRule#ORDER}.
 */
public final class RouteTable<R extends Routed> {

    private final List<RouterRoutes<R>> routers;
    private final Map<List<RouterRoutes<R>>, HostRoutes<R>> indexes;
    private final Map<String, HostRoutes<R>> exact;
    private final RegionMap<HostRoutes<R>> wildcards;
    private final boolean anyWildcard;
    private final @Nullable HostRoutes<R> any;

    private RouteTable(
            List<RouterRoutes<R>> routers,
            Map<List<RouterRoutes<R>>, HostRoutes<R>> indexes,
            Map<String, HostRoutes<R>> exact,
            Map<String, HostRoutes<R>> wildcards,
            @Nullable HostRoutes<R> any) {
        this.routers = List.copyOf(routers);
        this.indexes = indexes;
        this.exact = exact;
        this.wildcards = RegionMap.of(wildcards);
        this.anyWildcard = !wildcards.isEmpty();
        this.any = any;
    }

    /**
     * Returns the table of {@code routers}.
     *
     * @param previous its indexes over the same routers are carried over; null when there is none
     */
    public static <R extends Routed> RouteTable<R> of(List<RouterRoutes<R>> routers, @Nullable RouteTable<R> previous) {
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
        Map<List<RouterRoutes<R>>, HostRoutes<R>> indexes = new HashMap<>();
        Map<List<RouterRoutes<R>>, HostRoutes<R>> known = previous == null ? Map.of() : previous.indexes;
        return new RouteTable<>(
                routers,
                indexes,
                index(exact, indexes, known),
                index(wildcards, indexes, known),
                any.isEmpty() ? null : index(any, indexes, known));
    }

    private static <R extends Routed> Map<String, HostRoutes<R>> index(
            Map<String, List<RouterRoutes<R>>> byName,
            Map<List<RouterRoutes<R>>, HostRoutes<R>> indexes,
            Map<List<RouterRoutes<R>>, HostRoutes<R>> known) {
        Map<String, HostRoutes<R>> indexed = new HashMap<>();
        byName.forEach((name, routers) -> indexed.put(name, index(routers, indexes, known)));
        return indexed;
    }

    private static <R extends Routed> HostRoutes<R> index(
            List<RouterRoutes<R>> routers,
            Map<List<RouterRoutes<R>>, HostRoutes<R>> indexes,
            Map<List<RouterRoutes<R>>, HostRoutes<R>> known) {
        List<RouterRoutes<R>> key = routers.stream()
                .sorted(Comparator.comparingInt(System::identityHashCode))
                .toList();
        return indexes.computeIfAbsent(key, absent -> {
            HostRoutes<R> same = known.get(absent);
            return same != null
                    ? same
                    : new HostRoutes<>(absent.stream()
                            .flatMap(router -> router.routes().stream())
                            .toList());
        });
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
    public Mismatch mismatch(RequestHead head, InetAddress client) {
        List<RouteRule> rules = new ArrayList<>();
        Lookup lookup = new Lookup(head, head.method(), client);
        for (HostRoutes<R> index : indexesFor(head.host())) {
            index.forEachFitting(lookup, route -> rules.add(route.rule()));
        }
        if (rules.isEmpty()) {
            return new Mismatch(ErrorKind.NO_ROUTE, "");
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
            return new Mismatch(ErrorKind.METHOD_NOT_ALLOWED, String.join(", ", allow));
        }
        return new Mismatch(media ? ErrorKind.NOT_ACCEPTABLE : ErrorKind.MEDIA_TYPE, "");
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
                .explain(routers, winner == null ? mismatch(head, client) : null, losersMax);
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
