package io.sigma.dataplane.match;

import io.sigma.dataplane.exchange.RequestHead;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The routes of one host, in one order; those that merge slashes and those that keep them look at different forms of
 * the path. Immutable.
 */
final class HostRoutes<R extends Routed> {

    private final Set<RouterRoutes<R>> routers;
    private final List<Entry<R>> entries;
    private final int priorityMax;
    private final @Nullable PathIndex<R> merging;
    private final @Nullable PathIndex<R> keeping;

    private HostRoutes(
            Set<RouterRoutes<R>> routers,
            List<Entry<R>> entries,
            @Nullable PathIndex<R> merging,
            @Nullable PathIndex<R> keeping) {
        this.routers = routers;
        this.entries = entries;
        this.merging = merging;
        this.keeping = keeping;
        priorityMax = entries.isEmpty()
                ? Integer.MIN_VALUE
                : entries.getFirst().route().rule().priority();
    }

    /** Returns the routes of {@code routers}. */
    static <R extends Routed> HostRoutes<R> of(Set<RouterRoutes<R>> routers) {
        RankedRoutes<R> all = RankedRoutes.of(List.of(), RouterRoutes.ordered(routers));
        HostRoutes<R> none = new HostRoutes<>(Set.of(), List.of(), null, null);
        return none.with(routers, Objects.requireNonNull(all));
    }

    /** Returns what these are the routes of. */
    Set<RouterRoutes<R>> routers() {
        return routers;
    }

    /**
     * Returns these with other routes in the place of those of some routers. Most of what did not change is not indexed
     * again.
     */
    HostRoutes<R> with(Map<RouterRoutes<R>, RouterRoutes<R>> replaced) {
        Set<RouterRoutes<R>> now = routers.stream()
                .map(router -> replaced.getOrDefault(router, router))
                .collect(Collectors.toUnmodifiableSet());
        RankedRoutes<R> ranked = RankedRoutes.of(entries, RouterRoutes.ordered(now));
        return ranked == null ? of(now) : with(now, ranked);
    }

    private HostRoutes<R> with(Set<RouterRoutes<R>> now, RankedRoutes<R> ranked) {
        EntryChange<R> merged = new EntryChange<>();
        EntryChange<R> kept = new EntryChange<>();
        ranked.gone().forEach(entry -> (entry.mergesSlashes() ? merged : kept).add(entry, true));
        ranked.more().forEach(entry -> (entry.mergesSlashes() ? merged : kept).add(entry, false));
        return new HostRoutes<>(Set.copyOf(now), ranked.all(), index(merging, merged), index(keeping, kept));
    }

    private static <R extends Routed> @Nullable PathIndex<R> index(
            @Nullable PathIndex<R> before, EntryChange<R> change) {
        PathIndex<R> after = (before == null ? PathIndex.<R>empty() : before).with(change);
        return after.isEmpty() ? null : after;
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
