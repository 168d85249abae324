package io.sigma.format;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.json.Json;
import io.sigma.json.JsonPointer;
import io.sigma.value.Mismatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads a JSON object of the file key by key. A value of the wrong type is an error with its pointer, and {@link
 * #refuseOthers()} finds the keys that were not read. Confined to one reading.
 */
final class ObjectFields {

    private final Report report;
    private final JsonNode node;
    private final String pointer;
    private final Set<String> asked = new HashSet<>();

    private ObjectFields(Report report, JsonNode node, String pointer) {
        this.report = report;
        this.node = node;
        this.pointer = pointer;
    }

    static ObjectFields of(Report report, JsonNode root) {
        return new ObjectFields(report, root, "");
    }

    String pointer() {
        return pointer;
    }

    /** Returns {@code path} resolved against the folder of the file. */
    String resolve(String path) {
        return report.resolve(path);
    }

    boolean has(String key) {
        return node.has(key);
    }

    /** Returns the object under {@code key}; an empty one when it is absent. */
    ObjectFields object(String key) {
        JsonNode value = value(key, "an object", JsonNode::isObject);
        return new ObjectFields(report, value == null ? Json.mapper().createObjectNode() : value, at(key));
    }

    /** Returns the objects of the array under {@code key}; none when it is absent. */
    List<ObjectFields> array(String key) {
        JsonNode value = value(key, "an array of objects", FieldTypes::isArrayOfObjects);
        List<ObjectFields> items = new ArrayList<>();
        if (value != null) {
            for (int i = 0; i < value.size(); i++) {
                items.add(new ObjectFields(report, value.get(i), at(key) + "/" + i));
            }
        }
        return items;
    }

    @Nullable
    String text(String key) {
        JsonNode value = value(key, "a string", JsonNode::isTextual);
        return value == null || value.asText().isEmpty() ? null : value.asText();
    }

    /** Returns the string under {@code key}; when it is absent notes an error and returns the empty string. */
    String requiredText(String key) {
        String value = text(key);
        if (value == null && (!node.has(key) || node.get(key).isTextual())) {
            report.error(at(key), Mismatch.of("absent or empty", "a string"));
        }
        return value == null ? "" : value;
    }

    List<String> texts(String key) {
        JsonNode value = value(key, "an array of strings", FieldTypes::isArrayOfTexts);
        List<String> items = new ArrayList<>();
        if (value != null) {
            value.forEach(item -> items.add(item.asText()));
        }
        return items;
    }

    boolean bool(String key, boolean absent) {
        JsonNode value = value(key, "true or false", JsonNode::isBoolean);
        return value == null ? absent : value.asBoolean();
    }

    int integer(String key, int absent, int min, int max) {
        String expected = "a whole number " + min + ".." + max;
        JsonNode value = value(key, expected, n -> FieldTypes.isIntegerIn(n, min, max));
        return value == null ? absent : value.asInt();
    }

    /** Returns the port under {@code key}; when it is absent notes an error. */
    int requiredPort(String key) {
        if (!node.has(key)) {
            report.error(at(key), Mismatch.absent("a whole number 1..65535"));
        }
        return integer(key, 1, 1, 65535);
    }

    <E extends Enum<E>> E constant(String key, Class<E> type, E absent) {
        String text = text(key);
        if (text == null) {
            return absent;
        }
        for (E constant : type.getEnumConstants()) {
            if (constant.name().equals(text)) {
                return constant;
            }
        }
        String names = String.join(
                ", ", Arrays.stream(type.getEnumConstants()).map(Enum::name).toList());
        report.error(at(key), Mismatch.quoted(text, "one of " + names));
        return absent;
    }

    /** Refuses every value of {@code key} but {@code only}. */
    void only(String key, String only) {
        String text = text(key);
        if (text != null && !text.equals(only)) {
            report.error(at(key), Mismatch.quoted(text, "\"" + only + "\""));
        }
    }

    /** Accepts a key that changes nothing: keeps it as a label, so that it is not lost, and warns. */
    void keep(String key, Map<String, String> labels, String why) {
        asked.add(key);
        if (node.has(key)) {
            JsonNode value = node.get(key);
            labels.put(KeptLabels.PREFIX + key, value.isTextual() ? value.asText() : Json.text(value));
            report.warning(at(key), why);
        }
    }

    /** Notes an error for each key that nobody has asked for. */
    void refuseOthers() {
        node.fieldNames().forEachRemaining(key -> {
            if (!asked.contains(key) && !report.isFull()) {
                String known = asked.isEmpty()
                        ? "no keys"
                        : "one of " + String.join(", ", asked.stream().sorted().toList());
                report.error(at(key), Mismatch.of("unknown key", known));
            }
        });
    }

    private String at(String key) {
        return pointer + JsonPointer.of(key);
    }

    private @Nullable JsonNode value(String key, String expected, Predicate<JsonNode> fits) {
        asked.add(key);
        JsonNode value = node.get(key);
        if (value == null || value.isNull()) {
            return null;
        }
        if (!fits.test(value)) {
            report.error(at(key), Mismatch.of(Json.text(value), expected));
            return null;
        }
        return value;
    }
}
