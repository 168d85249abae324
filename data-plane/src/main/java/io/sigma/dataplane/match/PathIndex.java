package io.sigma.dataplane.match;

import io.sigma.value.PathPattern;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Routes by path: a hash table for exact paths, a trie of segments for prefixes and parameters, an index of what
 * expressions begin and end with. Immutable.
 */
final class PathIndex<R extends Routed> {

    /** A place in the trie while routes are put in. */
    private static final class Growing<R extends Routed> {
        private final Map<String, Growing<R>> children = new HashMap<>(0);
        private @Nullable Growing<R> parameter;
        private final List<Entry<R>> closed = new ArrayList<>(0);
        private final List<Entry<R>> open = new ArrayList<>(0);

        Growing<R> child(String segment) {
            return children.computeIfAbsent(segment, key -> new Growing<>());
        }

        Growing<R> parameter() {
            parameter = parameter == null ? new Growing<>() : parameter;
            return parameter;
        }

        Node<R> grown() {
            Map<String, Node<R>> nodes = new HashMap<>(2 * children.size());
            children.forEach((segment, child) -> nodes.put(segment, child.grown()));
            return new Node<>(
                    Candidates.of(open),
                    Candidates.of(closed),
                    RegionMap.of(nodes),
                    parameter == null ? null : parameter.grown());
        }
    }

    /**
     * A place in the trie.
     *
     * @param open routes for this path and all below
     * @param closed routes for this path only
     * @param parameter where any segment leads
     */
    private record Node<R extends Routed>(
            Candidates<R> open,
            Candidates<R> closed,
            RegionMap<Node<R>> children,
            @Nullable Node<R> parameter) {}

    private final RegionMap<Candidates<R>> exact;
    private final Node<R> root;
    private final ExpressionIndex<R> expressions;

    /**
     * @param entries in order of rank
     */
    PathIndex(List<Entry<R>> entries) {
        Map<String, List<Entry<R>>> byPath = new HashMap<>();
        List<Entry<R>> regexes = new ArrayList<>();
        Growing<R> trie = new Growing<>();
        for (Entry<R> entry : entries) {
            switch (entry.route().rule().path()) {
                case PathPattern.Exact(String path) ->
                    byPath.computeIfAbsent(path, key -> new ArrayList<>(1)).add(entry);
                case PathPattern.Prefix(String prefix) ->
                    descend(trie, prefix).open.add(entry);
                case PathPattern.Segments(List<PathPattern.Segment> segments, boolean open) -> {
                    Growing<R> place = descend(trie, segments);
                    (open ? place.open : place.closed).add(entry);
                }
                case PathPattern.Regex ignored -> regexes.add(entry);
            }
        }
        Map<String, Candidates<R>> candidates = new HashMap<>(2 * byPath.size());
        byPath.forEach((path, same) -> candidates.put(path, Candidates.of(same)));
        exact = RegionMap.of(candidates);
        root = trie.grown();
        expressions = new ExpressionIndex<>(regexes);
    }

    private static <R extends Routed> Growing<R> descend(Growing<R> root, String prefix) {
        Growing<R> place = root;
        int start = 1;
        while (start <= prefix.length()) {
            int slash = prefix.indexOf('/', start);
            int end = slash < 0 ? prefix.length() : slash;
            place = place.child(prefix.substring(start, end));
            start = end + 1;
        }
        return place;
    }

    private static <R extends Routed> Growing<R> descend(Growing<R> root, List<PathPattern.Segment> segments) {
        Growing<R> place = root;
        for (PathPattern.Segment segment : segments) {
            place = segment.parameter() ? place.parameter() : place.child(segment.text());
        }
        return place;
    }

    /** Returns the first route, in order, that takes the request, or {@code found} when that comes before. */
    @Nullable
    Entry<R> best(Lookup lookup, String path, @Nullable Entry<R> found) {
        Candidates<R> same = exact.get(path);
        Entry<R> best = same == null ? found : same.best(lookup, path, found);
        best = walk(root, path, 1, best, lookup);
        return expressions.best(lookup, path, best);
    }

    /** Calls {@code action} with every route whose path and conditions fit, whatever method and media types it has. */
    void forEachFitting(Lookup lookup, String path, Consumer<R> action) {
        Candidates<R> same = exact.get(path);
        if (same != null) {
            same.forEachFitting(lookup, path, action);
        }
        collect(root, path, 1, lookup, action);
        expressions.forEachFitting(lookup, path, action);
    }

    /**
     * @param start of the segment that follows {@code node}; past the end by one when there is none
     */
    private @Nullable Entry<R> walk(Node<R> node, String path, int start, @Nullable Entry<R> found, Lookup lookup) {
        Entry<R> best = node.open.best(lookup, path, found);
        if (start > path.length()) {
            return node.closed.best(lookup, path, best);
        }
        int slash = path.indexOf('/', start);
        int end = slash < 0 ? path.length() : slash;
        Node<R> child = node.children.get(path, start, end);
        if (child != null) {
            best = walk(child, path, end + 1, best, lookup);
        }
        Node<R> parameter = node.parameter;
        return parameter == null || end == start ? best : walk(parameter, path, end + 1, best, lookup);
    }

    private void collect(Node<R> node, String path, int start, Lookup lookup, Consumer<R> action) {
        node.open.forEachFitting(lookup, path, action);
        if (start > path.length()) {
            node.closed.forEachFitting(lookup, path, action);
            return;
        }
        int slash = path.indexOf('/', start);
        int end = slash < 0 ? path.length() : slash;
        Node<R> child = node.children.get(path, start, end);
        if (child != null) {
            collect(child, path, end + 1, lookup, action);
        }
        if (node.parameter != null && end > start) {
            collect(node.parameter, path, end + 1, lookup, action);
        }
    }
}
