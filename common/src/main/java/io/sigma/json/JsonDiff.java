package io.sigma.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Finds the differences between two JSON values. Pure. */
public final class JsonDiff {

    private static final JsonNode NONE = MissingNode.getInstance();

    /**
     * A place where they differ.
     *
     * @param path names of properties and, as {@link Integer}, indexes of items; it leads to {@code before} in the one
     *     value and to {@code after} in the other
     * @param before a missing node when there was nothing
     * @param after a missing node when there is nothing any more
     */
    public record Change(List<Object> path, JsonNode before, JsonNode after) {

        /** Returns the path as a JSON pointer (RFC 6901). */
        public String pointer() {
            return JsonPointer.of(path.toArray());
        }
    }

    private final int changesMax;
    private final List<Change> changes = new ArrayList<>();

    private JsonDiff(int changesMax) {
        this.changesMax = changesMax;
    }

    /**
     * Returns where the two differ, by name and index. A property or an item that only one of them has is one change,
     * whatever is in it; when {@code before} or {@code after} itself is no object and the other is, each property of
     * that one is a change.
     *
     * @param changesMax further ones are left out
     */
    public static List<Change> of(JsonNode before, JsonNode after, int changesMax) {
        JsonDiff diff = new JsonDiff(changesMax);
        if (before.isObject() || after.isObject()) {
            diff.compareObjects(List.of(), before, after);
        } else {
            diff.compare(List.of(), before, after);
        }
        return diff.changes;
    }

    private void compare(List<Object> path, JsonNode before, JsonNode after) {
        if (before.equals(after) || changes.size() >= changesMax) {
            return;
        }
        if (before.isObject() && after.isObject()) {
            compareObjects(path, before, after);
        } else if (before.isArray() && after.isArray()) {
            compareLists(path, before, after);
        } else {
            changes.add(new Change(path, before, after));
        }
    }

    private void compareObjects(List<Object> path, JsonNode before, JsonNode after) {
        TreeSet<String> names = new TreeSet<>();
        before.fieldNames().forEachRemaining(names::add);
        after.fieldNames().forEachRemaining(names::add);
        for (String name : names) {
            compare(at(path, name), before.path(name), after.path(name));
        }
    }

    /** Reports an item that was added to a list or removed from it as one change, without the items behind it. */
    private void compareLists(List<Object> path, JsonNode before, JsonNode after) {
        int old = before.size();
        int now = after.size();
        if (old != now) {
            int least = Math.min(old, now);
            int first = 0;
            while (first < least && before.path(first).equals(after.path(first))) {
                first++;
            }
            while (Math.min(old, now) > first && before.path(old - 1).equals(after.path(now - 1))) {
                old--;
                now--;
            }
        }
        for (int i = 0; i < Math.max(old, now); i++) {
            compare(at(path, i), i < old ? before.path(i) : NONE, i < now ? after.path(i) : NONE);
        }
    }

    private static List<Object> at(List<Object> path, Object step) {
        List<Object> longer = new ArrayList<>(path);
        longer.add(step);
        return List.copyOf(longer);
    }
}
