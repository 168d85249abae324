package io.sigma.controlplane.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** JSON merge patch (RFC 7396 §2). Pure. */
final class MergePatch {

    private MergePatch() {}

    /** Returns {@code target} with {@code patch} applied; neither is changed. */
    static JsonNode apply(JsonNode target, JsonNode patch) {
        if (!patch.isObject()) {
            return patch.deepCopy();
        }
        ObjectNode merged =
                target.isObject() ? ((ObjectNode) target).deepCopy() : JsonNodeFactory.instance.objectNode();
        patch.properties().forEach(field -> {
            if (field.getValue().isNull()) {
                merged.remove(field.getKey());
            } else {
                merged.set(field.getKey(), apply(merged.path(field.getKey()), field.getValue()));
            }
        });
        return merged;
    }
}
