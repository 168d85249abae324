package io.sigma.dataplane.match;

import com.google.re2j.Pattern;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.value.PathPattern;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The routes of one host by path: a hash table for exact paths, a trie of segments for prefixes and parameters, a list
 * for expressions. Immutable.
 */
final class PathIndex<R extends Routed> {

    /** A route and its place in the order of {@link RouteRule#ORDER}. */
    private record Entry<R extends Routed>(R route, int rank) {

        boolean accepts(String method, RequestHead head) {
            RouteRule rule = route.rule();
            return rule.allows(method) && rule.takes(head) && rule.gives(head);
        }
    }

    private record RegexEntry<R extends Routed>(Pattern expression, Entry<R> entry) {}

    private static final class Node<R extends Routed> {
        private final Map<String, Node<R>> growing = new HashMap<>();
        private RegionMap<Node<R>> children = new RegionMap<>(Map.of());
        private @Nullable Node<R> parameter;
        private final List<Entry<R>> closed = new ArrayList<>(0);
        private final List<Entry<R>> open = new ArrayList<>(0);

        /** Makes the children fit for lookup, once all routes are in. */
        void freeze() {
            children = new RegionMap<>(growing);
            growing.values().forEach(Node::freeze);
            if (parameter != null) {
                parameter.freeze();
            }
        }
    }

    private final Map<String, List<Entry<R>>> exact = new HashMap<>();
    private final Node<R> root = new Node<>();
    private final List<RegexEntry<R>> expressions = new ArrayList<>();
    private final int priorityMax;

    PathIndex(List<R> routes) {
        List<R> ordered = new ArrayList<>(routes);
        ordered.sort((a, b) -> RouteRule.ORDER.compare(a.rule(), b.rule()));
        for (int rank = 0; rank < ordered.size(); rank++) {
            add(new Entry<>(ordered.get(rank), rank));
        }
        root.freeze();
        priorityMax = ordered.isEmpty()
                ? Integer.MIN_VALUE
                : ordered.getFirst().rule().priority();
    }

    private void add(Entry<R> entry) {
        switch (entry.route.rule().path()) {
            case PathPattern.Exact(String path) ->
                exact.computeIfAbsent(path, key -> new ArrayList<>(1)).add(entry);
            case PathPattern.Prefix(String prefix) -> descend(prefix).open.add(entry);
            case PathPattern.Segments(List<PathPattern.Segment> segments, boolean open) -> {
                Node<R> node = descend(segments);
                (open ? node.open : node.closed).add(entry);
            }
            case PathPattern.Regex(Pattern expression) -> expressions.add(new RegexEntry<>(expression, entry));
        }
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

    /** Returns the highest priority that any route has. */
    int priorityMax() {
        return priorityMax;
    }

    /** Returns the first route, in order, that takes the request; null when none does. */
    @Nullable
    R find(String path, String method, RequestHead head) {
        Entry<R> best = null;
        List<Entry<R>> same = exact.get(path);
        if (same != null) {
            best = better(same, null, method, head);
        }
        best = walk(root, path, 1, best, method, head);
        for (int i = 0; i < expressions.size(); i++) {
            RegexEntry<R> candidate = expressions.get(i);
            if (best != null && candidate.entry.rank >= best.rank) {
                break;
            }
            if (candidate.entry.accepts(method, head) && candidate.expression.matches(path)) {
                best = candidate.entry;
            }
        }
        return best == null ? null : best.route;
    }

    /** Calls {@code action} with every route whose path matches, whatever else it asks for. */
    void forEachOnPath(String path, Consumer<R> action) {
        exact.getOrDefault(path, List.of()).forEach(entry -> action.accept(entry.route));
        collect(root, path, 1, action);
        for (RegexEntry<R> candidate : expressions) {
            if (candidate.expression.matches(path)) {
                action.accept(candidate.entry.route);
            }
        }
    }

    /**
     * @param start of the segment that follows {@code node}; past the end by one when there is none
     */
    private @Nullable Entry<R> walk(
            Node<R> node, String path, int start, @Nullable Entry<R> found, String method, RequestHead head) {
        Entry<R> best = better(node.open, found, method, head);
        if (start > path.length()) {
            return better(node.closed, best, method, head);
        }
        int slash = path.indexOf('/', start);
        int end = slash < 0 ? path.length() : slash;
        Node<R> child = node.children.get(path, start, end);
        if (child != null) {
            best = walk(child, path, end + 1, best, method, head);
        }
        Node<R> parameter = node.parameter;
        return parameter == null || end == start ? best : walk(parameter, path, end + 1, best, method, head);
    }

    private void collect(Node<R> node, String path, int start, Consumer<R> action) {
        node.open.forEach(entry -> action.accept(entry.route));
        if (start > path.length()) {
            node.closed.forEach(entry -> action.accept(entry.route));
            return;
        }
        int slash = path.indexOf('/', start);
        int end = slash < 0 ? path.length() : slash;
        Node<R> child = node.children.get(path, start, end);
        if (child != null) {
            collect(child, path, end + 1, action);
        }
        if (node.parameter != null && end > start) {
            collect(node.parameter, path, end + 1, action);
        }
    }

    private @Nullable Entry<R> better(
            List<Entry<R>> candidates, @Nullable Entry<R> best, String method, RequestHead head) {
        for (int i = 0; i < candidates.size(); i++) {
            Entry<R> candidate = candidates.get(i);
            if (best != null && candidate.rank >= best.rank) {
                return best;
            }
            if (candidate.accepts(method, head)) {
                return candidate;
            }
        }
        return best;
    }
}
