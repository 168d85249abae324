package io.sigma.controlplane.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.sigma.json.Json;
import io.sigma.json.JsonPointer;
import io.sigma.snapshot.ResourceType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/** Every place of the contract where a user can write something, with a body that has it. Pure. */
public final class ContractWalk {

    private static final int DEPTH_MAX = 12;

    /** Texts of which at least one fits each pattern of the contract. */
    private static final List<String> TEXTS = List.of(
            "a",
            "200",
            "A",
            "http://10.0.0.1:80",
            "8Yc3xw2Tq9LmVb4Kd7Pz",
            "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef");

    /**
     * A place.
     *
     * @param name what it is in the contract: {@code Node.url}, {@code Router.hosts[]}, {@code Upstream.labels{}}
     * @param schema what the contract says of it
     * @param body fits the contract, and has a value there
     * @param path leads to it in {@code body}
     */
    public record Place(ResourceType<?> type, String name, JsonNode schema, JsonNode body, List<Object> path) {
        public Place {
            path = List.copyOf(path);
        }

        public String pointer() {
            return JsonPointer.of(path.toArray());
        }

        /** Returns {@code body} with something else there. */
        public JsonNode with(JsonNode value) {
            return edited(old -> value);
        }

        /** Returns {@code body} with what {@code edit} makes of the value that is there. */
        public JsonNode edited(UnaryOperator<JsonNode> edit) {
            JsonNode copy = body.deepCopy();
            JsonNode parent =
                    copy.at(JsonPointer.of(path.subList(0, path.size() - 1).toArray()));
            JsonNode value = edit.apply(copy.at(pointer()));
            if (parent instanceof ArrayNode array) {
                array.set((Integer) path.getLast(), value);
            } else {
                ((ObjectNode) parent).set(String.valueOf(path.getLast()), value);
            }
            return copy;
        }

        @Override
        public String toString() {
            return type + " " + pointer() + " (" + name + ")";
        }
    }

    private final JsonNode contract;

    private ContractWalk(JsonNode contract) {
        this.contract = contract;
    }

    /** Reads the contract of the class path. */
    public static ContractWalk load() {
        try (InputStream in = Objects.requireNonNull(ContractWalk.class.getResourceAsStream("/sigma-admin.yaml"))) {
            return new ContractWalk(YAMLMapper.builder().build().readTree(in));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the places of all kinds, each before those in it. */
    public List<Place> places() {
        List<Place> places = new ArrayList<>();
        for (ResourceType<?> type : ResourceType.ALL) {
            String model = type.model().getSimpleName();
            JsonNode schema = contract.at("/components/schemas/" + model);
            JsonNode example = schema.path("examples").path(0);
            below(new Place(type, model, schema, example, List.of()), model, places);
        }
        return places;
    }

    private void below(Place place, String owner, List<Place> places) {
        if (place.path.size() > DEPTH_MAX) {
            throw new IllegalStateException(place + " is too deep");
        }
        JsonNode schema = place.schema;
        schema.path("properties")
                .properties()
                .forEach(property ->
                        step(place, property.getKey(), owner + "." + property.getKey(), property.getValue(), places));
        if (schema.path("items").isObject()) {
            step(place, 0, place.name + "[]", schema.get("items"), places);
        }
        if (schema.path("additionalProperties").isObject()) {
            step(place, key(schema), place.name + "{}", schema.get("additionalProperties"), places);
        }
    }

    private void step(Place from, Object segment, String name, JsonNode reference, List<Place> places) {
        JsonNode schema = resolve(reference);
        String owner = reference.has("$ref") && schema.has("properties")
                ? reference.get("$ref").textValue().replaceFirst(".*/", "")
                : name;
        List<Object> path = new ArrayList<>(from.path);
        path.add(segment);
        JsonNode body = from.body.deepCopy();
        JsonNode parent = body.at(from.pointer());
        JsonNode before = body.at(JsonPointer.of(path.toArray()));
        JsonNode value = before.isMissingNode() ? sample(schema) : before;
        if (parent instanceof ArrayNode array) {
            if (array.isEmpty()) {
                array.add(value);
            }
        } else {
            ((ObjectNode) parent).set(String.valueOf(segment), value);
        }
        Place place = new Place(from.type, name, schema, body, path);
        places.add(place);
        below(place, owner, places);
    }

    /** Returns the schema that {@code reference} means. */
    public JsonNode resolve(JsonNode reference) {
        JsonNode schema = reference;
        while (schema.has("$ref")) {
            schema = contract.at(schema.get("$ref").textValue().substring(1));
        }
        return schema;
    }

    /** Returns what the contract calls the place to which {@code pointer} leads, in any resource of {@code type}. */
    public String nameAt(ResourceType<?> type, String pointer) {
        String name = type.model().getSimpleName();
        JsonNode schema = contract.at("/components/schemas/" + name);
        String owner = name;
        for (String segment : pointer.substring(1).split("/", -1)) {
            JsonNode property = schema.path("properties").path(segment);
            JsonNode reference;
            if (!property.isMissingNode()) {
                name = owner + "." + segment;
                reference = property;
            } else if (schema.path("items").isObject()) {
                name += "[]";
                reference = schema.get("items");
            } else {
                name += "{}";
                reference = schema.path("additionalProperties");
            }
            schema = resolve(reference);
            owner = reference.has("$ref") && schema.has("properties")
                    ? reference.get("$ref").textValue().replaceFirst(".*/", "")
                    : name;
        }
        return name;
    }

    /** Returns what the contract says of the names of a map's fields; missing when nothing. */
    public JsonNode names(JsonNode map) {
        return resolve(map.path("propertyNames"));
    }

    private String key(JsonNode map) {
        String pattern = names(map).path("pattern").asText("");
        return "X-A".matches(pattern.isEmpty() ? ".*" : pattern) ? "X-A" : "a";
    }

    /** Returns a value that fits {@code schema}, which may be a reference. */
    public JsonNode sample(JsonNode reference) {
        JsonNode schema = resolve(reference);
        if (schema.has("enum")) {
            return schema.get("enum").get(0);
        }
        return switch (schema.path("type").asText()) {
            case "string" -> text(schema);
            case "integer" ->
                Json.mapper().getNodeFactory().numberNode(schema.path("minimum").asInt());
            case "boolean" -> Json.mapper().getNodeFactory().booleanNode(true);
            case "array" -> {
                ArrayNode array = Json.mapper().createArrayNode();
                for (int i = 0; i < Math.max(1, schema.path("minItems").asInt()); i++) {
                    array.add(sample(schema.get("items")));
                }
                yield array;
            }
            default -> object(schema);
        };
    }

    private ObjectNode object(JsonNode schema) {
        ObjectNode object = Json.mapper().createObjectNode();
        schema.path("required")
                .forEach(name -> object.set(
                        name.textValue(), sample(schema.get("properties").get(name.textValue()))));
        for (int i = 0; i < schema.path("minProperties").asInt(); i++) {
            object.set(key(schema), sample(schema.get("additionalProperties")));
        }
        return object;
    }

    private static JsonNode text(JsonNode schema) {
        String pattern = schema.path("pattern").asText(".*");
        return TEXTS.stream()
                .filter(text -> text.length() >= schema.path("minLength").asInt()
                        && text.length() <= schema.path("maxLength").asInt(Integer.MAX_VALUE)
                        && text.matches(pattern.startsWith("^") && !pattern.endsWith("$") ? pattern + ".*" : pattern))
                .findFirst()
                .map(text -> (JsonNode) Json.mapper().getNodeFactory().textNode(text))
                .orElseThrow(() -> new IllegalStateException("no text fits " + schema));
    }
}
