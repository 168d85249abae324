package io.sigma.controlplane.secret;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where values of a schema hold secrets; parts without any are left out. Immutable.
 *
 * @param secret whether every text below is one
 * @param unless the property beside it that is written in its place; null for none
 * @param properties by name
 * @param items of an array; null when they hold none
 * @param values of properties that have no schema of their own; null when they hold none
 */
record SecretShape(
        boolean secret,
        @Nullable String unless,
        Map<String, SecretShape> properties,
        @Nullable SecretShape items,
        @Nullable SecretShape values) {

    private static final String REFERENCE = "#/components/schemas/";

    /** Returns the shape of a schema of {@code document}, null when it holds no secret. */
    static @Nullable SecretShape of(JsonNode document, String schema) {
        JsonNode node = document.at("/components/schemas/" + schema);
        return of(document, node, new HashSet<>(Set.of(schema)));
    }

    /**
     * @param within names of the schemas that are being read; one that contains itself is not read again
     */
    private static @Nullable SecretShape of(JsonNode document, JsonNode schema, Set<String> within) {
        if (!schema.isObject()) {
            return null;
        }
        if (schema.path("writeOnly").asBoolean()) {
            JsonNode unless = schema.path("x-secret-unless");
            return new SecretShape(true, unless.textValue(), Map.of(), null, null);
        }
        String reference = schema.path("$ref").asText();
        if (reference.startsWith(REFERENCE)) {
            String name = reference.substring(REFERENCE.length());
            if (!within.add(name)) {
                return null;
            }
            SecretShape shape = of(document, document.at("/components/schemas/" + name), within);
            within.remove(name);
            return shape;
        }
        Map<String, SecretShape> properties = new HashMap<>();
        schema.path("properties").properties().forEach(property -> {
            SecretShape shape = of(document, property.getValue(), within);
            if (shape != null) {
                properties.put(property.getKey(), shape);
            }
        });
        SecretShape items = of(document, schema.path("items"), within);
        SecretShape values = of(document, schema.path("additionalProperties"), within);
        return properties.isEmpty() && items == null && values == null
                ? null
                : new SecretShape(false, null, Map.copyOf(properties), items, values);
    }

    /** Returns the shape of a property, null when it holds no secret. */
    @Nullable
    SecretShape property(String name) {
        return secret ? this : properties.getOrDefault(name, values);
    }

    /** Returns the shape of the elements of an array, null when they hold no secret. */
    @Nullable
    SecretShape element() {
        return secret ? this : items;
    }
}
