package io.sigma.controlplane.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sigma.controlplane.testing.ContractWalk.Place;
import io.sigma.json.JsonPointer;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * A body that the contract forbids.
 *
 * @param what is wrong with it
 * @param pointer to what is wrong
 */
public record BadValue(Place place, String what, JsonNode body, String pointer) {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final String UNKNOWN = "noSuchField";

    /** Returns one for each way in which the value at {@code place} can break the contract. */
    public static List<BadValue> of(ContractWalk walk, Place place) {
        List<BadValue> bad = new ArrayList<>();
        JsonNode schema = place.schema();
        String type = schema.path("type").asText();
        replaced(bad, place, "null", NODES.nullNode());
        otherTypes(type).forEach(value -> replaced(bad, place, "another type: " + value, value));
        switch (type) {
            case "string" -> texts(bad, place, schema);
            case "integer" -> numbers(bad, place, schema);
            case "array" -> arrays(bad, walk, place, schema);
            case "object" -> objects(bad, walk, place, schema);
            default -> {}
        }
        return bad;
    }

    private static void replaced(List<BadValue> bad, Place place, String what, JsonNode value) {
        bad.add(new BadValue(place, what, place.with(value), place.pointer()));
    }

    private static List<JsonNode> otherTypes(String type) {
        List<JsonNode> others = new ArrayList<>();
        add(others, !type.equals("string"), NODES.textNode("1"));
        add(others, !type.equals("integer"), NODES.numberNode(1));
        add(others, true, NODES.numberNode(1.5));
        add(others, !type.equals("boolean"), NODES.booleanNode(true));
        add(others, !type.equals("array"), NODES.arrayNode());
        add(others, !type.equals("object"), NODES.objectNode());
        return others;
    }

    private static void add(List<JsonNode> list, boolean wanted, JsonNode value) {
        if (wanted) {
            list.add(value);
        }
    }

    private static void texts(List<BadValue> bad, Place place, JsonNode schema) {
        if (schema.has("enum")) {
            replaced(bad, place, "not of the enum", NODES.textNode("NO_SUCH_VALUE"));
            replaced(bad, place, "an empty text", NODES.textNode(""));
            return;
        }
        String good = place.body().at(place.pointer()).asText();
        int min = schema.path("minLength").asInt();
        if (min > 0) {
            replaced(bad, place, "too short", NODES.textNode(good.substring(0, Math.min(good.length(), min - 1))));
        }
        int max = schema.path("maxLength").asInt();
        replaced(bad, place, "too long", NODES.textNode(good + "a".repeat(max + 1 - good.length())));
        if (schema.has("pattern")) {
            replaced(bad, place, "a line end behind it", NODES.textNode(good + "\n"));
            replaced(bad, place, "a control character", NODES.textNode(good + "\u0001"));
            replaced(bad, place, "a line end before it", NODES.textNode("\r\n" + good));
        }
    }

    private static void numbers(List<BadValue> bad, Place place, JsonNode schema) {
        long min = schema.path("minimum").asLong();
        long max = schema.path("maximum").asLong();
        replaced(bad, place, "below the minimum", NODES.numberNode(min - 1));
        replaced(bad, place, "above the maximum", NODES.numberNode(max + 1));
        replaced(bad, place, "more than 64 bits", NODES.numberNode(BigInteger.ONE.shiftLeft(70)));
        replaced(bad, place, "a fraction within the range", NODES.numberNode(min + 0.5));
    }

    private static void arrays(List<BadValue> bad, ContractWalk walk, Place place, JsonNode schema) {
        JsonNode item = walk.sample(schema.get("items"));
        if (schema.path("minItems").asInt() > 0) {
            replaced(bad, place, "too few items", NODES.arrayNode());
        }
        ArrayNode many = NODES.arrayNode();
        for (int i = 0; i <= schema.path("maxItems").asInt(); i++) {
            many.add(item);
        }
        replaced(bad, place, "too many items", many);
        if (schema.path("uniqueItems").asBoolean()) {
            replaced(bad, place, "an item twice", NODES.arrayNode().add(item).add(item));
        }
    }

    private static void objects(List<BadValue> bad, ContractWalk walk, Place place, JsonNode schema) {
        if (schema.has("properties")) {
            bad.add(new BadValue(
                    place,
                    "an unknown field",
                    place.edited(value -> ((ObjectNode) value).put(UNKNOWN, 1)),
                    place.pointer() + JsonPointer.of(UNKNOWN)));
        }
        schema.path("required")
                .forEach(name -> bad.add(new BadValue(
                        place,
                        "a field is absent",
                        place.edited(value -> {
                            ((ObjectNode) value).remove(name.textValue());
                            return value;
                        }),
                        place.pointer() + JsonPointer.of(name.textValue()))));
        if (schema.path("minProperties").asInt() > 0) {
            replaced(bad, place, "too few fields", NODES.objectNode());
        }
        JsonNode sample = place.body().at(place.pointer());
        if (schema.path("additionalProperties").isObject() && !sample.isEmpty()) {
            JsonNode value = sample.iterator().next();
            ObjectNode many = NODES.objectNode();
            for (int i = 0; i <= schema.path("maxProperties").asInt(); i++) {
                many.set("key" + i, value);
            }
            replaced(bad, place, "too many fields", many);
            String key = "k".repeat(walk.names(schema).path("maxLength").asInt() + 1);
            bad.add(new BadValue(
                    place,
                    "a key that is too long",
                    place.with(NODES.objectNode().set(key, value)),
                    place.pointer() + JsonPointer.of(key)));
        }
    }

    @Override
    public String toString() {
        return place + ": " + what;
    }
}
