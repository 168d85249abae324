package io.sigma.dataplane.match;

import io.sigma.dataplane.exchange.RequestHead;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The routes of one host, in one order; those that merge slashes and those that keep them look at different forms of the
 * path. Immutable.
 */
final class HostRoutes<R extends Routed> {

    private final Set<RouterRoutes<R>> routers;
    private final int priorityMax;
    private final @Nullable PathIndex<R> merging;
    private final @Nullable PathIndex<R> keeping;

    HostRoutes(Set<RouterRoutes<R>> routers) {
        this.routers = Set.copyOf(routers);
        List<R> ordered = new ArrayList<>();
        routers.forEach(router -> ordered.addAll(router.routes()));
        ordered.sort((a, b) -> RouteRule.ORDER.compare(a.rule(), b.rule()));
        List<Entry<R>> merged = new ArrayList<>();
        List<Entry<R>> kept = new ArrayList<>(0);
        for (int rank = 0; rank < ordered.size(); rank++) {
            R route = ordered.get(rank);
            (route.rule().mergesSlashes() ? merged : kept).add(Entry.of(route, rank));
        }
        merging = merged.isEmpty() ? null : new PathIndex<>(merged);
        keeping = kept.isEmpty() ? null : new PathIndex<>(kept);
        priorityMax = ordered.isEmpty()
                ? Integer.MIN_VALUE
                : ordered.getFirst().rule().priority();
    }

    /** Returns what these are the routes of. */
    Set<RouterRoutes<R>> routers() {
        return routers;
    }

    /** Returns these with other routes in the place of those of some routers. */
    HostRoutes<R> with(Map<RouterRoutes<R>, RouterRoutes<R>> replaced) {
        return new HostRoutes<>(routers.stream()
                .map(router -> replaced.getOrDefault(router, router))
                .collect(Collectors.toUnmodifiableSet()));
    }

    /** Returns the highest priority that any route has. */
    int priorityMax() {
        return priorityMax;
    }

    /** Returns the first route, in order, that takes the request; null when none does. */
    @Nullable
    R find(Lookup lookup) {
        RequestHead head = lookup.head();
        Entry<R> best = merging == null ? null : merging.best(lookup, head.path(), null);
        best = keeping == null ? best : keeping.best(lookup, head.unmergedPath(), best);
        return best == null ? null : best.route();
    }

    /** Calls {@code action} with every route whose path and conditions fit, whatever method and media types it has. */
    void forEachFitting(Lookup lookup, Consumer<R> action) {
        if (merging != null) {
            merging.forEachFitting(lookup, lookup.head().path(), action);
        }
        if (keeping != null) {
            keeping.forEachFitting(lookup, lookup.head().unmergedPath(), action);
        }
    }
}
