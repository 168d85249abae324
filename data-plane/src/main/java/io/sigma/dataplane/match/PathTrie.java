package io.sigma.dataplane.match;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A place in a trie of the segments of paths.
 *
 * @param open routes for this path and all below
 * @param closed routes for this path only
 * @param parameter where any segment leads
 */
record PathTrie<R extends Routed>(
        Candidates<R> open,
        Candidates<R> closed,
        RegionMap<PathTrie<R>> children,
        @Nullable PathTrie<R> parameter) {

    private static final PathTrie<?> NONE =
            new PathTrie<>(CandidateList.none(), CandidateList.none(), RegionMap.none(), null);

    /**
     * An entry that comes or goes.
     *
     * @param place the segments that lead to it; null for any segment
     * @param open whether it is for all below that place, too
     */
    record Edit<R extends Routed>(Entry<R> entry, boolean gone, List<@Nullable String> place, boolean open) {}

    /** Returns a trie without routes. */
    @SuppressWarnings("unchecked")
    static <R extends Routed> PathTrie<R> none() {
        return (PathTrie<R>) NONE;
    }

    /**
     * Returns this place after {@code edits}, which are all at it or below; every place to which none of them leads is
     * the same.
     *
     * @param depth how many segments lead to this place
     */
    PathTrie<R> with(List<Edit<R>> edits, int depth) {
        if (edits.isEmpty()) {
            return this;
        }
        EntryChange<R> ofOpen = new EntryChange<>();
        EntryChange<R> ofClosed = new EntryChange<>();
        List<Edit<R>> ofParameter = new ArrayList<>(0);
        Map<String, List<Edit<R>>> ofChildren = new HashMap<>(0);
        for (Edit<R> edit : edits) {
            if (edit.place.size() == depth) {
                (edit.open ? ofOpen : ofClosed).add(edit.entry, edit.gone);
                continue;
            }
            String segment = edit.place.get(depth);
            (segment == null ? ofParameter : ofChildren.computeIfAbsent(segment, key -> new ArrayList<>(1))).add(edit);
        }
        Map<String, @Nullable PathTrie<R>> below = new HashMap<>(2 * ofChildren.size());
        ofChildren.forEach((segment, some) -> below.put(segment, child(children.get(segment), some, depth)));
        return new PathTrie<>(
                ofOpen.applied(open),
                ofClosed.applied(closed),
                children.with(below),
                ofParameter.isEmpty() ? parameter : child(parameter, ofParameter, depth));
    }

    /** Returns what there is below; null when no route is. */
    private static <R extends Routed> @Nullable PathTrie<R> child(
            @Nullable PathTrie<R> before, List<Edit<R>> edits, int depth) {
        PathTrie<R> after = (before == null ? PathTrie.<R>none() : before).with(edits, depth + 1);
        return after.isEmpty() ? null : after;
    }

    boolean isEmpty() {
        return open.isEmpty() && closed.isEmpty() && children.isEmpty() && parameter == null;
    }

    /**
     * Returns the first route, in order, that takes the request, or {@code found} when that comes before.
     *
     * @param start of the segment that follows this place; past the end by one when there is none
     */
    @Nullable
    Entry<R> best(Lookup lookup, String path, int start, @Nullable Entry<R> found) {
        Entry<R> best = open.best(lookup, path, found);
        if (start > path.length()) {
            return closed.best(lookup, path, best);
        }
        int slash = path.indexOf('/', start);
        int end = slash < 0 ? path.length() : slash;
        PathTrie<R> child = children.get(path, start, end);
        if (child != null) {
            best = child.best(lookup, path, end + 1, best);
        }
        return parameter == null || end == start ? best : parameter.best(lookup, path, end + 1, best);
    }

    /** Calls {@code action} with every route whose path and conditions fit, whatever method and media types it has. */
    void forEachFitting(Lookup lookup, String path, int start, Consumer<R> action) {
        open.forEachFitting(lookup, path, action);
        if (start > path.length()) {
            closed.forEachFitting(lookup, path, action);
            return;
        }
        int slash = path.indexOf('/', start);
        int end = slash < 0 ? path.length() : slash;
        PathTrie<R> child = children.get(path, start, end);
        if (child != null) {
            child.forEachFitting(lookup, path, end + 1, action);
        }
        if (parameter != null && end > start) {
            parameter.forEachFitting(lookup, path, end + 1, action);
        }
    }
}
