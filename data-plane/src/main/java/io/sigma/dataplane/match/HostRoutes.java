package io.sigma.dataplane.match;

import io.sigma.dataplane.exchange.RequestHead;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The routes of one host, in one order; those that merge slashes and those that keep them look at different forms of the
 * path. Immutable.
 */
final class HostRoutes<R extends Routed> {

    private final int priorityMax;
    private final @Nullable PathIndex<R> merging;
    private final @Nullable PathIndex<R> keeping;

    HostRoutes(List<R> routes) {
        List<R> ordered = new ArrayList<>(routes);
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
