package io.sigma.format;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.sigma.json.Json;
import java.util.Map;

/** Keys without a meaning, which the reader keeps as labels. Pure. */
final class KeptLabels {

    static final String PREFIX = "sigma-json.";

    private KeptLabels() {}

    /** Puts the value back under the key that it was read from. */
    static void restore(Map<String, String> labels, String key, ObjectNode object) {
        String text = labels.get(PREFIX + key);
        if (text != null) {
            object.set(key, value(text));
        }
    }

    /** A text and another value with the same characters become the same label. */
    private static JsonNode value(String text) {
        try {
            JsonNode value = Json.mapper().readTree(text);
            boolean same = value != null
                    && !value.isMissingNode()
                    && !value.isNull()
                    && Json.text(value).equals(text);
            return same && !value.isTextual() ? value : TextNode.valueOf(text);
        } catch (JsonProcessingException e) {
            return TextNode.valueOf(text);
        }
    }
}
