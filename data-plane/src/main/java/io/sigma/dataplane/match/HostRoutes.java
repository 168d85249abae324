package io.sigma.dataplane.match;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The routes of one host, in one order; those that compare another form of the path have an index of their own.
 * Immutable.
 */
final class HostRoutes<R extends Routed> {

    private final Set<RouterRoutes<R>> routers;
    private final List<Entry<R>> entries;
    private final int priorityMax;
    /** The routes by the form of the path that they compare; mostly only the first form. */
    private final List<Part<R>> parts;

    /** Routes that compare paths in one form. */
    private record Part<R extends Routed>(PathForm form, PathIndex<R> index) {}

    private HostRoutes(Set<RouterRoutes<R>> routers, List<Entry<R>> entries, List<Part<R>> parts) {
        this.routers = routers;
        this.entries = entries;
        this.parts = parts;
        priorityMax = entries.isEmpty()
                ? Integer.MIN_VALUE
                : entries.getFirst().route().rule().priority();
    }

    /** Returns the routes of {@code routers}. */
    static <R extends Routed> HostRoutes<R> of(Set<RouterRoutes<R>> routers) {
        RankedRoutes<R> all = RankedRoutes.of(List.of(), RouterRoutes.ordered(routers));
        HostRoutes<R> none = new HostRoutes<>(Set.of(), List.of(), List.of());
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
        Map<PathForm, EntryChange<R>> changes = new EnumMap<>(PathForm.class);
        ranked.gone().forEach(entry -> change(changes, entry).add(entry, true));
        ranked.more().forEach(entry -> change(changes, entry).add(entry, false));
        Map<PathForm, PathIndex<R>> indexes = new EnumMap<>(PathForm.class);
        parts.forEach(part -> indexes.put(part.form, part.index));
        changes.forEach((form, change) ->
                indexes.put(form, indexes.getOrDefault(form, PathIndex.empty()).with(change)));
        List<Part<R>> all = new ArrayList<>(1);
        indexes.forEach((form, index) -> {
            if (!index.isEmpty()) {
                all.add(new Part<>(form, index));
            }
        });
        return new HostRoutes<>(Set.copyOf(now), ranked.all(), List.copyOf(all));
    }

    private static <R extends Routed> EntryChange<R> change(Map<PathForm, EntryChange<R>> changes, Entry<R> entry) {
        return changes.computeIfAbsent(entry.form(), form -> new EntryChange<>());
    }

    /** Returns the highest priority that any route has. */
    int priorityMax() {
        return priorityMax;
    }

    /** Returns the first route, in order, that takes the request; null when none does. */
    @Nullable
    R find(Lookup lookup) {
        Entry<R> best = null;
        for (int i = 0; i < parts.size(); i++) {
            Part<R> part = parts.get(i);
            best = part.index.best(lookup, lookup.path(part.form), best);
        }
        return best == null ? null : best.route();
    }

    /** Calls {@code action} with every route whose path and conditions fit, whatever method and media types it has. */
    void forEachFitting(Lookup lookup, Consumer<R> action) {
        for (Part<R> part : parts) {
            part.index.forEachFitting(lookup, lookup.path(part.form), action);
        }
    }
}
