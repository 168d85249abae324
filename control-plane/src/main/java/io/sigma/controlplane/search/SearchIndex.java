package io.sigma.controlplane.search;

import io.sigma.model.Kind;
import io.sigma.model.ProxyServer;
import io.sigma.model.SearchHit;
import io.sigma.model.SearchResults;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.ResourceType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The text of every resource, in memory, about 300 bytes each. A search looks at all of them: that takes 0.1 to 0.5 µs
 * a resource, and no database and no index of words could find a part of a word faster. A search moves the index on to
 * the newest revision that this process knows first, which costs what changed. Thread-safe.
 */
public final class SearchIndex {

    private final Supplier<ConfigState> newest;
    private final Map<Kind, NavigableMap<String, Searched<?>>> resources = new EnumMap<>(Kind.class);
    private final Matching matching = new Matching(this::all);
    private final Nearest nearest = new Nearest(this::all, matching);
    private ConfigState state = ConfigState.empty();

    /**
     * @param newest returns the newest state that this process knows
     */
    public SearchIndex(Supplier<ConfigState> newest) {
        this.newest = newest;
        ResourceType.ALL.forEach(type -> resources.put(type.kind(), new ConcurrentSkipListMap<>()));
    }

    /** A matching resource with its rank. */
    private record Ranked(Searched<?> found, int rank) {

        /** The best first: by rank, then the more specific path, then by id. */
        private static final Comparator<Ranked> ORDER = Comparator.comparingInt(Ranked::rank)
                .thenComparing(Ranked::pathLength, Comparator.reverseOrder())
                .thenComparing(ranked -> ranked.found.id());

        private int pathLength() {
            String path = found.path();
            return rank == Searched.TAKES && path != null ? path.length() : 0;
        }
    }

    /**
     * Returns what fits, grouped by kind, the best of each kind first. Where nothing does, or only routes of every
     * path, it also returns what nearly fits.
     *
     * @param limit how many of each kind
     */
    public SearchResults find(SearchQuery query, int limit) {
        follow();
        List<SearchHit> hits = new ArrayList<>();
        boolean more = false;
        for (Kind kind : Kind.values()) {
            // The worst first, so that it is the one that has to go.
            PriorityQueue<Ranked> best = new PriorityQueue<>(Ranked.ORDER.reversed());
            for (Searched<?> one : all(kind).values()) {
                int rank = matching.rank(one, query);
                if (rank < 0) {
                    continue;
                }
                Ranked ranked = new Ranked(one, rank);
                if (best.size() < limit) {
                    best.add(ranked);
                    continue;
                }
                more = true;
                if (Ranked.ORDER.compare(ranked, best.peek()) < 0) {
                    best.poll();
                    best.add(ranked);
                }
            }
            best.stream().sorted(Ranked.ORDER).forEach(ranked -> hits.add(matching.hit(ranked.found, query)));
        }
        return new SearchResults(hits, more, nearest.of(query, hits));
    }

    /**
     * Returns the ids of the resources of a type that fit, in the order of ids.
     *
     * @param after the id after which to begin; empty for the first page
     * @param filters values of fields that refer, and of {@code protocol}
     */
    public <T> List<String> ids(
            ResourceType<T> type, SearchQuery query, String after, int limit, Map<String, String> filters) {
        follow();
        List<String> ids = new ArrayList<>();
        for (Searched<?> one : all(type.kind()).tailMap(after, false).values()) {
            if (matching.rank(one, query) >= 0 && filters.entrySet().stream().allMatch(filter -> fits(one, filter))) {
                ids.add(one.id());
                if (ids.size() == limit) {
                    break;
                }
            }
        }
        return ids;
    }

    /**
     * Returns a page of the resources of a type that fit.
     *
     * @param query null for all
     * @param only the ids that may be on it; empty for all
     * @param filters as for {@link #ids}
     */
    public <T> SortedIds sorted(
            ResourceType<T> type,
            @Nullable SearchQuery query,
            ListOrder order,
            Set<String> only,
            Map<String, String> filters,
            int offset,
            int limit) {
        follow();
        NavigableMap<String, Searched<?>> all = all(type.kind());
        boolean byId = order.field().equals("id");
        List<Searched<?>> fitting = new ArrayList<>();
        for (Searched<?> one : (byId && order.descending() ? all.descendingMap() : all).values()) {
            if ((only.isEmpty() || only.contains(one.id()))
                    && (query == null || matching.rank(one, query) >= 0)
                    && filters.entrySet().stream().allMatch(filter -> fits(one, filter))) {
                fitting.add(one);
            }
        }
        int from = Math.min(offset, fitting.size());
        int to = Math.min(from + limit, fitting.size());
        // Resources are kept in the order of their ids.
        List<String> page = byId
                ? fitting.subList(from, to).stream().map(Searched::id).toList()
                : order.ids(fitting).subList(from, to);
        return new SortedIds(page, fitting.size());
    }

    private static <T> boolean fits(Searched<T> one, Map.Entry<String, String> filter) {
        for (ResourceType.Reference<T> reference : one.type().references()) {
            if (reference.field().equals(filter.getKey())) {
                return reference.targets().apply(one.resource()).stream()
                        .anyMatch(target -> target.id().equals(filter.getValue()));
            }
        }
        return one.resource() instanceof ProxyServer server
                && filter.getKey().equals("protocol")
                && server.protocol().name().equals(filter.getValue());
    }

    private NavigableMap<String, Searched<?>> all(Kind kind) {
        return resources.getOrDefault(kind, new ConcurrentSkipListMap<>());
    }

    private synchronized void follow() {
        ConfigState now = newest.get();
        if (now != state) {
            ResourceType.ALL.forEach(type -> follow(now, type));
            state = now;
        }
    }

    private <T> void follow(ConfigState now, ResourceType<T> type) {
        NavigableMap<String, Searched<?>> known = all(type.kind());
        now.forEachChange(state, type, (id, before, after) -> {
            if (after == null) {
                known.remove(id);
            } else {
                known.put(id, Searched.of(type, after));
            }
        });
    }
}
