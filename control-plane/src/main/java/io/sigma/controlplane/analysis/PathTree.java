package io.sigma.controlplane.analysis;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The routes of some hosts by their paths, so that those which take more, or less, than a given one are found without
 * looking at the others. Confined to the analysis.
 */
final class PathTree {

    private static final class Branch {
        private final Map<String, Branch> below = new HashMap<>(2);
        private @Nullable MatchSet closed;
        private @Nullable MatchSet open;
    }

    private final Branch root = new Branch();

    /** Routes that are compared with the parameters of paths, by how their paths are without. */
    private final Branch bare = new Branch();

    /** Routes whose path is an expression, by what it begins with. */
    private final TreeMap<String, MatchSet> expressions = new TreeMap<>();

    /** The number of routes of each priority. */
    private final TreeMap<Integer, Integer> priorities = new TreeMap<>();

    void add(Match match) {
        priorities.merge(match.place().priority(), 1, Integer::sum);
        PathSet path = match.path();
        if (path.isExpression()) {
            expressions.computeIfAbsent(path.beginning(), key -> new MatchSet()).add(match);
            return;
        }
        add(root, path, match);
        if (match.bare() != null) {
            add(bare, match.bare(), match);
        }
    }

    private static void add(Branch top, PathSet path, Match match) {
        Branch branch = top;
        for (String segment : path.segments()) {
            branch = branch.below.computeIfAbsent(segment, key -> new Branch());
        }
        if (path.open()) {
            branch.open = branch.open == null ? new MatchSet() : branch.open;
            branch.open.add(match);
        } else {
            branch.closed = branch.closed == null ? new MatchSet() : branch.closed;
            branch.closed.add(match);
        }
    }

    void remove(Match match) {
        priorities.merge(match.place().priority(), -1, (a, b) -> a + b == 0 ? null : a + b);
        PathSet path = match.path();
        if (path.isExpression()) {
            MatchSet same = expressions.get(path.beginning());
            if (same != null) {
                same.remove(match);
                if (same.isEmpty()) {
                    expressions.remove(path.beginning());
                }
            }
            return;
        }
        remove(root, path, 0, match);
        if (match.bare() != null) {
            remove(bare, match.bare(), 0, match);
        }
    }

    private static void remove(Branch branch, PathSet path, int depth, Match match) {
        if (depth < path.segments().size()) {
            String segment = path.segments().get(depth);
            Branch next = branch.below.get(segment);
            if (next != null) {
                remove(next, path, depth + 1, match);
                if (next.below.isEmpty() && isEmpty(next.open) && isEmpty(next.closed)) {
                    branch.below.remove(segment);
                }
            }
            return;
        }
        MatchSet set = path.open() ? branch.open : branch.closed;
        if (set != null) {
            set.remove(match);
        }
    }

    private static boolean isEmpty(@Nullable MatchSet set) {
        return set == null || set.isEmpty();
    }

    /** Returns the highest priority of any; the least number when there is none. */
    int priorityMax() {
        return priorities.isEmpty() ? Integer.MIN_VALUE : priorities.lastKey();
    }

    /** Returns the lowest priority of any; the largest number when there is none. */
    int priorityMin() {
        return priorities.isEmpty() ? Integer.MAX_VALUE : priorities.firstKey();
    }

    /**
     * Calls {@code action} with those that may cover {@code match} and satisfy {@code first}, by which each set of them
     * is ordered, until it returns false.
     */
    void forEachWider(Match match, Predicate<Match> first, Predicate<Match> action) {
        List<AskedValue> keys = match.exactKeys();
        PathSet other = match.bare();
        if (wider(root, match.path(), 0, keys, first, action)
                && widerExpressions(match.path(), keys, first, action)
                && other != null
                && wider(root, other, 0, keys, first, action)) {
            widerExpressions(other, keys, first, action);
        }
    }

    private static boolean wider(
            Branch branch,
            PathSet path,
            int depth,
            List<AskedValue> keys,
            Predicate<Match> first,
            Predicate<Match> action) {
        if (branch.open != null && !branch.open.forEachWider(keys, first, action)) {
            return false;
        }
        if (depth == path.segments().size()) {
            return path.open() || branch.closed == null || branch.closed.forEachWider(keys, first, action);
        }
        String segment = path.segments().get(depth);
        Branch same = branch.below.get(segment);
        if (same != null && !wider(same, path, depth + 1, keys, first, action)) {
            return false;
        }
        Branch any =
                segment.isEmpty() || segment.equals(PathSet.PARAMETER) ? null : branch.below.get(PathSet.PARAMETER);
        return any == null || wider(any, path, depth + 1, keys, first, action);
    }

    /** Visits the expressions whose literal beginning is a prefix of that of {@code path}: only these may cover it. */
    private boolean widerExpressions(
            PathSet path, List<AskedValue> keys, Predicate<Match> first, Predicate<Match> action) {
        String beginning = path.beginning();
        Map.Entry<String, MatchSet> entry = expressions.floorEntry(beginning);
        while (entry != null) {
            String key = entry.getKey();
            if (beginning.startsWith(key)) {
                if (!entry.getValue().forEachWider(keys, first, action)) {
                    return false;
                }
                entry = expressions.lowerEntry(key);
            } else {
                // Whatever lies between cannot be a beginning of both.
                entry = expressions.floorEntry(common(beginning, key));
            }
        }
        return true;
    }

    private static String common(String a, String b) {
        int i = 0;
        while (i < a.length() && i < b.length() && a.charAt(i) == b.charAt(i)) {
            i++;
        }
        return a.substring(0, i);
    }

    /** Calls {@code action} with those whose paths {@code match} covers, {@code match} itself perhaps among them. */
    void forEachNarrower(Match match, Consumer<Match> action) {
        PathSet path = match.path();
        Consumer<Match> covered = other -> {
            if (match.coversPath(other)) {
                action.accept(other);
            }
        };
        narrower(root, path, 0, covered);
        narrower(bare, path, 0, covered);
        if (path.open()) {
            expressions.values().forEach(set -> set.forEach(covered));
        }
    }

    private static void narrower(Branch branch, PathSet path, int depth, Consumer<Match> action) {
        if (depth == path.segments().size()) {
            if (path.open()) {
                all(branch, action);
            } else if (branch.closed != null) {
                branch.closed.forEach(action);
            }
            return;
        }
        String segment = path.segments().get(depth);
        if (segment.equals(PathSet.PARAMETER)) {
            branch.below.forEach((text, next) -> {
                if (!text.isEmpty()) {
                    narrower(next, path, depth + 1, action);
                }
            });
        } else if (branch.below.containsKey(segment)) {
            narrower(branch.below.get(segment), path, depth + 1, action);
        }
    }

    private static void all(Branch branch, Consumer<Match> action) {
        if (branch.closed != null) {
            branch.closed.forEach(action);
        }
        if (branch.open != null) {
            branch.open.forEach(action);
        }
        branch.below.values().forEach(next -> all(next, action));
    }

    /** Returns the set of those that take exactly the same paths; null when there is none. */
    @Nullable
    MatchSet same(PathSet path) {
        if (path.isExpression()) {
            return expressions.get(path.beginning());
        }
        Branch branch = root;
        for (String segment : path.segments()) {
            Branch next = branch.below.get(segment);
            if (next == null) {
                return null;
            }
            branch = next;
        }
        return path.open() ? branch.open : branch.closed;
    }
}
