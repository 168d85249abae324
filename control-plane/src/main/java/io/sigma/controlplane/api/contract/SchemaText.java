package io.sigma.controlplane.api.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.sigma.value.ResourceId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Says in words what a schema of the contract expects, and what a value is. Immutable; any thread. */
public final class SchemaText {

    private static final int SHOWN_MAX = 100;

    /** Patterns of ids, in bodies and in paths, without their end: what they mean is easier to read than they are. */
    private static final Set<String> IDS = Set.of("^(?!\\.{1,2}$)[A-Za-z0-9._-]+", "^([A-Za-z0-9._-]+|~\\.{1,2})");

    private final JsonNode contract;

    /** @param contract the whole document, into which references point */
    SchemaText(JsonNode contract) {
        this.contract = contract;
    }

    /**
     * Returns the schema that holds for what {@code path} leads to in an instance of {@code schema}; missing when none
     * does.
     */
    JsonNode at(JsonNode schema, List<String> path) {
        JsonNode found = resolve(schema);
        for (String segment : path) {
            JsonNode below = found.path("properties").path(segment);
            if (below.isMissingNode()) {
                below = found.path("items").isObject() ? found.path("items") : found.path("additionalProperties");
            }
            found = below.isObject() ? resolve(below) : MissingNode.getInstance();
        }
        return found;
    }

    JsonNode resolve(JsonNode schema) {
        JsonNode found = schema;
        while (found.has("$ref")) {
            found = contract.at(found.get("$ref").textValue().substring(1));
        }
        return found;
    }

    /** Returns what {@code schema} expects: {@code a whole number 1..65535}. */
    public String expectation(JsonNode schema) {
        if (schema.has("enum")) {
            return "one of " + String.join(", ", names(schema));
        }
        return switch (schema.path("type").asText()) {
            case "integer" -> "a whole number" + range(schema, "minimum", "maximum", "");
            case "boolean" -> "true or false";
            case "string" -> text(schema);
            case "array" ->
                "a list" + range(schema, "minItems", "maxItems", " items")
                        + (schema.path("uniqueItems").asBoolean() ? ", each once" : "");
            case "object" -> "an object" + range(schema, "minProperties", "maxProperties", " fields");
            default -> "another value";
        };
    }

    /** Returns the values that {@code schema} allows, where it lists them. */
    static List<String> names(JsonNode schema) {
        List<String> names = new ArrayList<>();
        schema.path("enum").forEach(name -> names.add(name.asText()));
        return names;
    }

    /** Returns what a text is expected to be. */
    static String text(JsonNode schema) {
        String pattern = schema.path("pattern").asText("");
        if (schema.path("maxLength").asInt() == 64 && IDS.contains(withoutEnd(pattern))) {
            return ResourceId.EXPECTATION;
        }
        return "a text" + range(schema, "minLength", "maxLength", " characters")
                + (pattern.isEmpty() ? "" : " that matches " + pattern);
    }

    private static String withoutEnd(String pattern) {
        String end = pattern.endsWith("\\z") ? "\\z" : "$";
        return pattern.endsWith(end) ? pattern.substring(0, pattern.length() - end.length()) : pattern;
    }

    private static String range(JsonNode schema, String min, String max, String unit) {
        if (!schema.has(min) && !schema.has(max)) {
            return "";
        }
        return (unit.isEmpty() ? " " : " of ") + schema.path(min).asText(unit.isEmpty() ? "" : "0") + ".."
                + schema.path(max).asText(most(schema)) + unit;
    }

    /** Where no number is the largest, the type has one. */
    private static String most(JsonNode schema) {
        return switch (schema.path("format").asText()) {
            case "int32" -> String.valueOf(Integer.MAX_VALUE);
            case "int64" -> String.valueOf(Long.MAX_VALUE);
            default -> "";
        };
    }

    /** Returns the names of the fields that {@code schema} knows. */
    List<String> fields(JsonNode schema) {
        return schema.path("properties").properties().stream()
                .map(field -> field.getKey())
                .toList();
    }

    /** Returns a short form of {@code value}. */
    public static String shown(JsonNode value) {
        if (value.isObject()) {
            return "an object";
        }
        if (value.isArray()) {
            return "a list of " + value.size() + " items";
        }
        String text = value.toString();
        return text.length() <= SHOWN_MAX ? text : text.substring(0, SHOWN_MAX) + "…";
    }
}
