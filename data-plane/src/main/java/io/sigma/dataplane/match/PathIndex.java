package io.sigma.dataplane.match;

import io.sigma.value.PathPattern;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Routes by path: a hash table for exact paths, a trie of segments for prefixes and parameters, an index of what
 * expressions begin and end with. An index with other routes in the place of some shares with the one before all places
 * where nothing changed. Immutable.
 */
final class PathIndex<R extends Routed> {

    private final RegionMap<Candidates<R>> exact;
    private final PathTrie<R> root;
    private final List<Entry<R>> regexes;
    private final ExpressionIndex<R> expressions;

    private PathIndex(
            RegionMap<Candidates<R>> exact, PathTrie<R> root, List<Entry<R>> regexes, ExpressionIndex<R> expressions) {
        this.exact = exact;
        this.root = root;
        this.regexes = regexes;
        this.expressions = expressions;
    }

    /** Returns an index without routes. */
    static <R extends Routed> PathIndex<R> empty() {
        return new PathIndex<>(RegionMap.none(), PathTrie.none(), List.of(), new ExpressionIndex<>(List.of()));
    }

    boolean isEmpty() {
        return exact.isEmpty() && root.isEmpty() && regexes.isEmpty();
    }

    /** Returns this index without some of its entries and with others. */
    PathIndex<R> with(EntryChange<R> change) {
        if (change.isEmpty()) {
            return this;
        }
        Map<String, EntryChange<R>> byPath = new HashMap<>();
        List<PathTrie.Edit<R>> edits = new ArrayList<>();
        EntryChange<R> ofExpressions = new EntryChange<>();
        change.forEach((entry, gone) -> {
            switch (entry.route().rule().path()) {
                case PathPattern.Exact(String path) ->
                    byPath.computeIfAbsent(path, key -> new EntryChange<>()).add(entry, gone);
                case PathPattern.Prefix(String prefix) ->
                    edits.add(new PathTrie.Edit<>(entry, gone, segments(prefix), true));
                case PathPattern.Segments(List<PathPattern.Segment> segments, boolean open) ->
                    edits.add(new PathTrie.Edit<>(entry, gone, segments(segments), open));
                case PathPattern.Regex ignored -> ofExpressions.add(entry, gone);
            }
        });
        Map<String, @Nullable Candidates<R>> places = new HashMap<>(2 * byPath.size());
        byPath.forEach((path, ofPath) -> {
            Candidates<R> before = exact.get(path);
            Candidates<R> after = ofPath.applied(before == null ? CandidateList.none() : before);
            places.put(path, after.isEmpty() ? null : after);
        });
        List<Entry<R>> all = ofExpressions.applied(regexes);
        return new PathIndex<>(
                exact.with(places),
                root.with(edits, 0),
                all,
                ofExpressions.isEmpty() ? expressions : new ExpressionIndex<>(all));
    }

    /** Returns the segments of a prefix, which begins with a slash or is empty. */
    private static List<@Nullable String> segments(String prefix) {
        return prefix.isEmpty() ? List.of() : Arrays.asList(prefix.substring(1).split("/", -1));
    }

    private static List<@Nullable String> segments(List<PathPattern.Segment> segments) {
        List<@Nullable String> texts = new ArrayList<>(segments.size());
        segments.forEach(segment -> texts.add(segment.parameter() ? null : segment.text()));
        return texts;
    }

    /** Returns the first route, in order, that takes the request, or {@code found} when that comes before. */
    @Nullable
    Entry<R> best(Lookup lookup, String path, @Nullable Entry<R> found) {
        Candidates<R> same = exact.get(path);
        Entry<R> best = same == null ? found : same.best(lookup, path, found);
        best = root.best(lookup, path, 1, best);
        return expressions.best(lookup, path, best);
    }

    /** Calls {@code action} with every route whose path and conditions fit, whatever method and media types it has. */
    void forEachFitting(Lookup lookup, String path, Consumer<R> action) {
        Candidates<R> same = exact.get(path);
        if (same != null) {
            same.forEachFitting(lookup, path, action);
        }
        root.forEachFitting(lookup, path, 1, action);
        expressions.forEachFitting(lookup, path, action);
    }
}
