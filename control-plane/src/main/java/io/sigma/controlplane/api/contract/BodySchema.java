package io.sigma.controlplane.api.contract;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.sigma.controlplane.secret.Secrets;
import io.sigma.json.Json;
import io.sigma.json.JsonPointer;
import io.sigma.model.FieldError;
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

    /** Returns what is wrong with {@code body}, at most one error for each place. */
    public List<FieldError> check(JsonNode body) {
        if (!body.isObject()) {
            return List.of(new FieldError("", SchemaText.shown(body) + " (expected: an object)"));
        }
        OutputUnit result = validator.validate(new JsonObject(Json.mapper().convertValue(body, MAP)));
        if (Boolean.TRUE.equals(result.getValid())) {
            return List.of();
        }
        Map<String, String> details = new LinkedHashMap<>();
        for (OutputUnit unit : result.getErrors()) {
            String keyword = unit.getKeywordLocation()
                    .substring(unit.getKeywordLocation().lastIndexOf('/') + 1);
            if (unit.getKeywordLocation().contains("/propertyNames/")) {
                name(path(unit.getInstanceLocation()), details);
            } else if (!LEADING.contains(keyword)) {
                note(body, path(unit.getInstanceLocation()), keyword, details);
            }
        }
        return details.entrySet().stream()
                .limit(ERRORS_MAX)
                .map(entry -> new FieldError(entry.getKey(), entry.getValue()))
                .toList();
    }

    private void note(JsonNode body, List<String> path, String keyword, Map<String, String> details) {
        if (keyword.equals("required")) {
            missing(body, path, details);
            return;
        }
        if (keyword.equals("additionalProperties")) {
            JsonNode parent = text.at(schema, path.subList(0, path.size() - 1));
            // A known field with an invalid value is told here too, and once more where it is wrong.
            if (parent.path("additionalProperties").isBoolean()
                    && !parent.path("properties").has(path.getLast())) {
                details.put(pointer(path), "unknown field (expected: one of " + text.fields(parent) + ")");
            }
            return;
        }
        JsonNode expected = text.at(schema, path);
        boolean secret = expected.path("writeOnly").asBoolean();
        String shown = secret ? Secrets.REDACTED : SchemaText.shown(value(body, path));
        details.putIfAbsent(pointer(path), shown + " (expected: " + text.expectation(expected) + ")");
    }

    /** Notes a field of a map whose name is not as it should be. */
    private void name(List<String> path, Map<String, String> details) {
        JsonNode names =
                text.resolve(text.at(schema, path.subList(0, path.size() - 1)).path("propertyNames"));
        details.put(
                pointer(path),
                SchemaText.shown(TextNode.valueOf(path.getLast())) + " (expected: as a name " + SchemaText.text(names)
                        + ")");
    }

    private void missing(JsonNode body, List<String> path, Map<String, String> details) {
        JsonNode object = text.at(schema, path);
        JsonNode instance = value(body, path);
        for (JsonNode required : object.path("required")) {
            if (!instance.has(required.textValue())) {
                List<String> field = new ArrayList<>(path);
                field.add(required.textValue());
                details.put(pointer(field), "absent (expected: " + text.expectation(text.at(schema, field)) + ")");
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
