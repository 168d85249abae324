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

    private static final class Node<R extends Routed> {
        private final Map<String, Node<R>> growing = new HashMap<>();
        private RegionMap<Node<R>> children = new RegionMap<>(Map.of());
        private @Nullable Node<R> parameter;
        private final List<Entry<R>> closedEntries = new ArrayList<>(0);
        private final List<Entry<R>> openEntries = new ArrayList<>(0);
        private Candidates<R> closed = Candidates.of(List.of());
        private Candidates<R> open = closed;

        /** Makes the node fit for lookup, once all routes are in. */
        void freeze() {
            children = new RegionMap<>(growing);
            closed = Candidates.of(closedEntries);
            open = Candidates.of(openEntries);
            growing.values().forEach(Node::freeze);
            if (parameter != null) {
                parameter.freeze();
            }
        }
    }

    private final Map<String, Candidates<R>> exact = new HashMap<>();
    private final Node<R> root = new Node<>();
    private final ExpressionIndex<R> expressions;

    /**
     * @param entries in order of rank
     */
    PathIndex(List<Entry<R>> entries) {
        Map<String, List<Entry<R>>> byPath = new HashMap<>();
        List<Entry<R>> regexes = new ArrayList<>();
        for (Entry<R> entry : entries) {
            switch (entry.route().rule().path()) {
                case PathPattern.Exact(String path) ->
                    byPath.computeIfAbsent(path, key -> new ArrayList<>(1)).add(entry);
                case PathPattern.Prefix(String prefix) ->
                    descend(prefix).openEntries.add(entry);
                case PathPattern.Segments(List<PathPattern.Segment> segments, boolean open) -> {
                    Node<R> node = descend(segments);
                    (open ? node.openEntries : node.closedEntries).add(entry);
                }
                case PathPattern.Regex ignored -> regexes.add(entry);
            }
        }
        byPath.forEach((path, same) -> exact.put(path, Candidates.of(same)));
        root.freeze();
        expressions = new ExpressionIndex<>(regexes);
    }

    private Node<R> descend(String prefix) {
        Node<R> node = root;
        int start = 1;
        while (start <= prefix.length()) {
            int slash = prefix.indexOf('/', start);
            int end = slash < 0 ? prefix.length() : slash;
            node = node.growing.computeIfAbsent(prefix.substring(start, end), key -> new Node<>());
            start = end + 1;
        }
        return node;
    }

    private Node<R> descend(List<PathPattern.Segment> segments) {
        Node<R> node = root;
        for (PathPattern.Segment segment : segments) {
            if (!segment.parameter()) {
                node = node.growing.computeIfAbsent(segment.text(), key -> new Node<>());
                continue;
            }
            Node<R> next = node.parameter == null ? new Node<>() : node.parameter;
            node.parameter = next;
            node = next;
        }
        return node;
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
