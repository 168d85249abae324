package io.sigma.controlplane.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sigma.json.Json;
import io.sigma.json.JsonPointer;
import io.sigma.snapshot.ResourceType;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A text that is parsed later.
 *
 * @param body of the resource, with {@code @} where the text stands
 * @param good one that is admitted; empty for none that can be told
 */
record ParsedText(ResourceType<?> type, String body, String good, List<String> bad) {

    static ParsedText of(ResourceType<?> type, String body, String good, String... bad) {
        return new ParsedText(type, body, good, List.of(bad));
    }

    /** Returns the resource with {@code text} in its place. */
    JsonNode with(String text) {
        JsonNode copy = Json.read(body.replace('\'', '"'), JsonNode.class);
        replace(copy, text);
        return copy;
    }

    private static void replace(JsonNode node, String text) {
        if (node instanceof ObjectNode object) {
            object.properties().forEach(field -> {
                if (field.getValue().asText().equals("@")) {
                    field.setValue(JsonNodeFactory.instance.textNode(text));
                }
                replace(field.getValue(), text);
            });
            if (object.has("@")) {
                object.set(text, Objects.requireNonNull(object.remove("@")));
            }
        }
        if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                if (array.get(i).asText().equals("@")) {
                    array.set(i, JsonNodeFactory.instance.textNode(text));
                }
                replace(array.get(i), text);
            }
        }
    }

    /** Returns where {@code text} stands then. */
    String pointer(String text) {
        return Objects.requireNonNull(find(Json.read(body.replace('\'', '"'), JsonNode.class), "", text), body);
    }

    private static @Nullable String find(JsonNode node, String at, String text) {
        if (node.asText().equals("@")) {
            return at;
        }
        if (node.has("@")) {
            return at + JsonPointer.of(text);
        }
        for (var field : node.properties()) {
            String below = find(field.getValue(), at + JsonPointer.of(field.getKey()), text);
            if (below != null) {
                return below;
            }
        }
        for (int i = 0; node.isArray() && i < node.size(); i++) {
            String below = find(node.get(i), at + "/" + i, text);
            if (below != null) {
                return below;
            }
        }
        return null;
    }

    @Override
    public String toString() {
        return type + " " + body;
    }
}
