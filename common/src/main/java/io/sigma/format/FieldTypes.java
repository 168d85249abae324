package io.sigma.format;

import com.fasterxml.jackson.databind.JsonNode;

/** Names the type of a JSON value. Pure. */
final class FieldTypes {

    private FieldTypes() {}

    static boolean isArrayOfObjects(JsonNode node) {
        boolean objects = node.isArray();
        for (JsonNode item : node) {
            objects &= item.isObject();
        }
        return objects;
    }

    static boolean isArrayOfTexts(JsonNode node) {
        boolean texts = node.isArray();
        for (JsonNode item : node) {
            texts &= item.isTextual();
        }
        return texts;
    }

    static boolean isIntegerIn(JsonNode node, int min, int max) {
        return node.isIntegralNumber() && node.canConvertToInt() && node.asInt() >= min && node.asInt() <= max;
    }
}
