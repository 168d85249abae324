package io.sigma.cli.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.json.Json;
import io.sigma.json.JsonDiff;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The differences of two forms of a resource, field by field. Pure. */
public final class FieldDiff {

    /**
     * A field that differs.
     *
     * @param path such as {@code nodes[0].url}
     * @param before null when it is not there
     * @param after null when it is gone
     */
    public record Field(
            String path,
            @Nullable JsonNode before,
            @Nullable JsonNode after) {

        @Override
        public String toString() {
            return path + ": " + shown(before) + " -> " + shown(after);
        }
    }

    private static final int SHOWN_MAX = 160;

    private FieldDiff() {}

    /** Returns the fields that differ, by name and index. */
    public static List<Field> of(JsonNode before, JsonNode after) {
        List<Field> fields = new ArrayList<>();
        // No bound here: the admin API bounds its answers, and a change that is not shown would be made unseen.
        for (JsonDiff.Change change : JsonDiff.of(before, after, Integer.MAX_VALUE)) {
            String path = path(change.path());
            if (change.before().isMissingNode()) {
                leaves(change.after(), path).forEach((leaf, value) -> fields.add(new Field(leaf, null, value)));
            } else if (change.after().isMissingNode()) {
                leaves(change.before(), path).forEach((leaf, value) -> fields.add(new Field(leaf, value, null)));
            } else {
                fields.add(new Field(path, change.before(), change.after()));
            }
        }
        return fields;
    }

    private static String path(List<Object> steps) {
        StringBuilder path = new StringBuilder();
        for (Object step : steps) {
            if (step instanceof Integer index) {
                path.append('[').append(index).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(step);
            }
        }
        return path.toString();
    }

    /** Returns every value that is no mapping or list, or an empty one, by its path. */
    public static Map<String, JsonNode> leaves(JsonNode tree) {
        return leaves(tree, "");
    }

    private static Map<String, JsonNode> leaves(JsonNode tree, String path) {
        Map<String, JsonNode> leaves = new LinkedHashMap<>();
        walk(tree, path, leaves);
        return leaves;
    }

    private static void walk(JsonNode node, String path, Map<String, JsonNode> leaves) {
        if (node.isObject() && !node.isEmpty()) {
            node.properties()
                    .forEach(field -> walk(
                            field.getValue(), path.isEmpty() ? field.getKey() : path + "." + field.getKey(), leaves));
        } else if (node.isArray() && !node.isEmpty()) {
            for (int i = 0; i < node.size(); i++) {
                walk(node.get(i), path + "[" + i + "]", leaves);
            }
        } else if (!node.isMissingNode()) {
            leaves.put(path, node);
        }
    }

    public static String shown(@Nullable JsonNode value) {
        if (value == null) {
            return "(none)";
        }
        String text = Json.text(value);
        return text.length() <= SHOWN_MAX ? text : text.substring(0, SHOWN_MAX) + "…";
    }

    /**
     * Returns what people call the entity that {@code named} has the kind and the id of: {@code proxy pass "to-shop"}.
     */
    public static String label(JsonNode named) {
        String kind = named.path("kind").asText().toLowerCase(Locale.ROOT).replace('_', ' ');
        return kind + " \"" + named.path("id").asText() + "\"";
    }
}
