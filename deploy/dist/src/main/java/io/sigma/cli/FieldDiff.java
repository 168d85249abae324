package io.sigma.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What differs between two forms of a resource, field by field. Pure. */
final class FieldDiff {

    /**
     * One field.
     *
     * @param path such as {@code nodes[0].url}
     * @param before null when it is not there
     * @param after null when it is gone
     */
    record Field(
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

    /** Returns the fields that differ, ordered as in {@code after}, then what is gone. */
    static List<Field> of(JsonNode before, JsonNode after) {
        Map<String, JsonNode> old = leaves(before);
        Map<String, JsonNode> young = leaves(after);
        Set<String> paths = new LinkedHashSet<>(young.keySet());
        paths.addAll(old.keySet());
        List<Field> fields = new ArrayList<>();
        for (String path : paths) {
            JsonNode a = old.get(path);
            JsonNode b = young.get(path);
            if (a == null || !a.equals(b)) {
                fields.add(new Field(path, a, b));
            }
        }
        return fields;
    }

    /** Returns every value that is no mapping or list, or an empty one, by its path. */
    static Map<String, JsonNode> leaves(JsonNode tree) {
        Map<String, JsonNode> leaves = new LinkedHashMap<>();
        walk(tree, "", leaves);
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

    static String shown(@Nullable JsonNode value) {
        if (value == null) {
            return "(none)";
        }
        String text = Json.text(value);
        return text.length() <= SHOWN_MAX ? text : text.substring(0, SHOWN_MAX) + "…";
    }

    /** Returns what people call the entity that {@code named} has the kind and the id of: {@code proxy pass "to-shop"}. */
    static String label(JsonNode named) {
        String kind = named.path("kind").asText().toLowerCase(Locale.ROOT).replace('_', ' ');
        return kind + " \"" + named.path("id").asText() + "\"";
    }
}
