package io.sigma.controlplane.api.contract;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.sigma.check.Faults;
import io.sigma.controlplane.secret.Secrets;
import io.sigma.json.Json;
import io.sigma.json.JsonPointer;
import io.sigma.model.FieldError;
import io.sigma.model.FieldErrorCode;
import io.sigma.model.FieldErrorUnit;
import io.vertx.core.json.JsonObject;
import io.vertx.json.schema.OutputUnit;
import io.vertx.json.schema.Validator;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks bodies against one schema of the contract, and says what is wrong in words. Thread-safe. */
public final class BodySchema {

    private static final int ERRORS_MAX = 100;
    private static final TypeReference<Map<String, Object>> MAP = new TypeReference<>() {};

    /** Keywords that only lead to where the error is. */
    private static final Set<String> LEADING = Set.of("properties", "propertyNames", "items", "$ref");

    private static final Pattern ONE_DIGIT = Pattern.compile("%([0-9A-F])(?![0-9A-F])");

    private final Validator validator;
    private final JsonNode schema;
    private final SchemaText text;

    BodySchema(Validator validator, JsonNode schema, SchemaText text) {
        this.validator = validator;
        this.schema = schema;
        this.text = text;
    }

    /** Returns what is wrong with {@code body}, at most one error for each place, and 100 in all. */
    public List<FieldError> check(JsonNode body) {
        if (!body.isObject()) {
            return List.of(Faults.type("", SchemaText.shown(body), "an object"));
        }
        Map<String, FieldError> excess = new LinkedHashMap<>();
        if (isFull(body, schema, List.of(), excess) || excess.values().stream().anyMatch(BodySchema::isLength)) {
            return List.copyOf(excess.values());
        }
        OutputUnit result = validator.validate(new JsonObject(Json.mapper().convertValue(body, MAP)));
        if (Boolean.TRUE.equals(result.getValid())) {
            return List.of();
        }
        Map<String, FieldError> details = new LinkedHashMap<>();
        for (OutputUnit unit : result.getErrors()) {
            String keyword = unit.getKeywordLocation()
                    .substring(unit.getKeywordLocation().lastIndexOf('/') + 1);
            if (unit.getKeywordLocation().contains("/propertyNames/")) {
                name(path(unit.getInstanceLocation()), details);
            } else if (!LEADING.contains(keyword)) {
                note(body, path(unit.getInstanceLocation()), keyword, details);
            }
        }
        return details.values().stream().limit(ERRORS_MAX).toList();
    }

    private static boolean isLength(FieldError error) {
        return error.code() == FieldErrorCode.LENGTH;
    }

    /**
     * Notes lists and maps that are too long, values of a wrong type and unknown fields, up to the bound. The validator
     * has none: it notes each item of a long list several times.
     *
     * @return whether the bound is reached
     */
    private boolean isFull(JsonNode value, JsonNode of, List<String> path, Map<String, FieldError> errors) {
        JsonNode expected = text.resolve(of);
        String keyword = excess(value, expected);
        if (keyword != null) {
            errors.put(pointer(path), fault(pointer(path), shown(value, expected), expected, keyword));
        }
        if (value.isArray() && expected.path("items").isObject()) {
            for (int i = 0; i < value.size() && errors.size() < ERRORS_MAX; i++) {
                isFull(value.get(i), expected.path("items"), below(path, String.valueOf(i)), errors);
            }
        }
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            if (errors.size() >= ERRORS_MAX) {
                break;
            }
            JsonNode known = expected.path("properties").path(field.getKey());
            JsonNode expectedField = known.isMissingNode() ? expected.path("additionalProperties") : known;
            List<String> at = below(path, field.getKey());
            if (expectedField.isObject()) {
                isFull(field.getValue(), expectedField, at, errors);
            } else if (expectedField.isBoolean() && !expectedField.booleanValue()) {
                errors.put(pointer(at), Faults.unknownField(pointer(at), text.fields(expected)));
            }
        }
        return errors.size() >= ERRORS_MAX;
    }

    /** Returns the keyword of a schema that refuses the type or the length of a value; null when it is neither. */
    private static @Nullable String excess(JsonNode value, JsonNode expected) {
        if (!isOfType(value, expected.path("type").asText())) {
            return "type";
        }
        if (value.isArray() && value.size() > expected.path("maxItems").asLong(Long.MAX_VALUE)) {
            return "maxItems";
        }
        return value.isObject() && value.size() > expected.path("maxProperties").asLong(Long.MAX_VALUE)
                ? "maxProperties"
                : null;
    }

    private static List<String> below(List<String> path, String segment) {
        List<String> longer = new ArrayList<>(path);
        longer.add(segment);
        return longer;
    }

    private static boolean isOfType(JsonNode value, String type) {
        return switch (type) {
            case "string" -> value.isTextual();
            case "integer" -> value.isNumber();
            case "boolean" -> value.isBoolean();
            case "array" -> value.isArray();
            case "object" -> value.isObject();
            default -> true;
        };
    }

    private static String shown(JsonNode value, JsonNode expected) {
        return expected.path("writeOnly").asBoolean() ? Secrets.REDACTED : SchemaText.shown(value);
    }

    private void note(JsonNode body, List<String> path, String keyword, Map<String, FieldError> details) {
        if (keyword.equals("required")) {
            missing(body, path, details);
            return;
        }
        if (keyword.equals("additionalProperties")) {
            JsonNode parent = text.at(schema, path.subList(0, path.size() - 1));
            // A known field with an invalid value is told here too, and once more where it is wrong.
            if (parent.path("additionalProperties").isBoolean()
                    && !parent.path("properties").has(path.getLast())) {
                details.put(pointer(path), Faults.unknownField(pointer(path), text.fields(parent)));
            }
            return;
        }
        JsonNode expected = text.at(schema, path);
        String shown = shown(value(body, path), expected);
        details.computeIfAbsent(pointer(path), pointer -> fault(pointer, shown, expected, keyword));
    }

    /** Returns what is wrong with a value that {@code keyword} of its schema, {@code expected}, refuses. */
    private FieldError fault(String pointer, String shown, JsonNode expected, String keyword) {
        String expectation = text.expectation(expected);
        return switch (keyword) {
            case "type" -> Faults.type(pointer, shown, expectation);
            case "enum" -> Faults.choice(pointer, shown, SchemaText.names(expected));
            case "minimum", "maximum" ->
                Faults.range(pointer, shown, bound(expected, "minimum"), bound(expected, "maximum"), expectation);
            case "minLength", "maxLength" ->
                length(pointer, shown, expected, "Length", FieldErrorUnit.CHARACTERS, expectation);
            case "minItems", "maxItems" -> length(pointer, shown, expected, "Items", FieldErrorUnit.ITEMS, expectation);
            case "minProperties", "maxProperties" ->
                length(pointer, shown, expected, "Properties", FieldErrorUnit.FIELDS, expectation);
            case "pattern" ->
                Faults.pattern(pointer, shown, expected.path("pattern").asText(), expectation);
            case "uniqueItems" -> Faults.duplicate(pointer, shown, expectation);
            default -> Faults.invalid(pointer, shown, expectation);
        };
    }

    private static FieldError length(
            String pointer, String shown, JsonNode schema, String of, FieldErrorUnit unit, String expectation) {
        return Faults.length(pointer, shown, bound(schema, "min" + of), bound(schema, "max" + of), unit, expectation);
    }

    private static @Nullable Long bound(JsonNode schema, String name) {
        return schema.has(name) ? schema.get(name).asLong() : null;
    }

    /** Notes a field of a map whose name is not as it should be. */
    private void name(List<String> path, Map<String, FieldError> details) {
        JsonNode names =
                text.resolve(text.at(schema, path.subList(0, path.size() - 1)).path("propertyNames"));
        String shown = SchemaText.shown(TextNode.valueOf(path.getLast()));
        String expectation = "as a name " + SchemaText.text(names);
        details.put(
                pointer(path),
                Faults.pattern(pointer(path), shown, names.path("pattern").asText(), expectation));
    }

    private void missing(JsonNode body, List<String> path, Map<String, FieldError> details) {
        JsonNode object = text.at(schema, path);
        JsonNode instance = value(body, path);
        for (JsonNode required : object.path("required")) {
            if (!instance.has(required.textValue())) {
                List<String> field = new ArrayList<>(path);
                field.add(required.textValue());
                details.put(pointer(field), Faults.required(pointer(field), text.expectation(text.at(schema, field))));
            }
        }
    }

    private static JsonNode value(JsonNode body, List<String> path) {
        JsonNode value = body;
        for (String segment : path) {
            value = value.isArray() ? value.path(Integer.parseInt(segment)) : value.path(segment);
        }
        return value.isMissingNode() ? MissingNode.getInstance() : value;
    }

    private static String pointer(List<String> path) {
        return JsonPointer.of(path.toArray());
    }

    /**
     * Returns the segments of a location such as {@code #/nodes/0/url}, an escaped pointer in a URI fragment (RFC 6901
     * §6).
     */
    private static List<String> path(String location) {
        if (location.length() <= 1) {
            return List.of();
        }
        return Arrays.stream(location.substring(2).split("/", -1))
                .map(BodySchema::unescape)
                .toList();
    }

    private static String unescape(String location) {
        // The library writes octets below 16 with one digit.
        String segment = ONE_DIGIT.matcher(location).replaceAll("%0$1");
        String decoded;
        try {
            decoded = URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            decoded = segment;
        }
        return decoded.replace("~1", "/").replace("~0", "~");
    }
}
