package io.sigma.dataplane.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.sigma.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Every field that a resource may have, however deep, with values that it may take, as the contract has them. */
final class FieldValues {

    private static final int DEPTH_MAX = 8;
    private static final String REFERENCE = "#/components/schemas/";

    /** What texts without an example are tried with, until one is taken. */
    private static final List<String> TEXTS = List.of(
            "x",
            "/x",
            "a.example.com",
            "10.0.0.0/8",
            "http://127.0.0.1:1",
            "https://a.example.com/",
            "true",
            "2030-01-01T00:00:00Z",
            "/x/{a}",
            "x=1",
            "GET");

    /** What a schema does not say: what exists, and what belongs together. By the name of the field. */
    private static final Map<String, String> KNOWN = Map.ofEntries(
            Map.entry("upstreamId", "'nodes'"),
            Map.entry("proxyPassId", "'pass'"),
            Map.entry("proxyServerId", "'web'"),
            Map.entry("routerId", "'all'"),
            Map.entry("certificateId", "'c-wild'"),
            Map.entry("defaultCertificateId", "'c-wild'"),
            Map.entry("certificates", "['b-shop']"),
            Map.entry("jwt", "{'secret':'0123456789abcdef0123456789abcdef','algorithms':['HS256']}"),
            Map.entry("secret", "'abcdef0123456789abcdef0123456789'"),
            Map.entry("algorithms", "['HS256']"),
            Map.entry("audiences", "['a']"),
            Map.entry("issuer", "'i'"),
            Map.entry("acl", "{'allowGroups':['g']}"),
            Map.entry("ipAccess", "{'deny':['192.0.2.1']}"),
            Map.entry("faultInjection", "{'delay':{'millis':1}}"),
            Map.entry("clientSubjectHeader", "'X-Client-Subject'"),
            Map.entry("header", "'x-key'"),
            Map.entry("cookies", "[{'name':'a','value':'b'}]"),
            Map.entry("headers", "[{'name':'a','value':'b'}]"),
            Map.entry("queryParameters", "[{'name':'a','value':'b'}]"),
            Map.entry("hash", "{'source':'HEADER','name':'x-key'}"),
            Map.entry("mirror", "{'upstreamId':'nodes'}"),
            Map.entry("split", "{'targets':[{'upstreamId':'nodes','weight':1}]}"),
            Map.entry("targets", "[{'upstreamId':'nodes','weight':2}]"),
            Map.entry("redirect", "{'location':'https://a.example.com/','status':302}"),
            Map.entry("fixedResponse", "{'status':200,'body':'x','contentType':'text/plain'}"),
            // Less than a busy machine needs would lose datagrams.
            Map.entry("responseTimeoutMillis", "60000"),
            Map.entry("sticky", "{'source':'COOKIE','name':'s'}"));

    /** One of them is what a proxy pass does. */
    private static final Set<String> EXCLUSIVE =
            Set.of("upstreamId", "split", "redirect", "fixedResponse", "staticFiles");

    /** A field, and values of it: the first is not its default. */
    record Field(String pointer, List<JsonNode> values) {}

    private final JsonNode schemas;

    FieldValues() {
        try (InputStream in =
                Objects.requireNonNull(FieldValues.class.getResourceAsStream("/sigma-admin.yaml"), "the contract")) {
            schemas = YAMLMapper.builder().build().readTree(in).at("/components/schemas");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the fields of the schema of that name. */
    List<Field> of(String schema) {
        List<Field> fields = new ArrayList<>();
        collect("", resolved(schemas.path(schema)), 0, fields);
        return fields;
    }

    private JsonNode resolved(JsonNode schema) {
        JsonNode each = schema;
        while (each.has("$ref")) {
            each = schemas.path(each.path("$ref").asText().substring(REFERENCE.length()));
        }
        if (each.has("allOf") && each.path("allOf").size() == 1) {
            return resolved(each.path("allOf").get(0));
        }
        return each;
    }

    private void collect(String pointer, JsonNode schema, int depth, List<Field> fields) {
        if (depth > DEPTH_MAX) {
            return;
        }
        schema.path("properties").properties().forEach(property -> {
            String inner = pointer + "/" + property.getKey();
            JsonNode of = resolved(property.getValue());
            fields.add(new Field(inner, values(property.getKey(), of, depth)));
            collect(inner, of, depth + 1, fields);
        });
        if (schema.path("items").isObject()) {
            collect(pointer + "/0", resolved(schema.path("items")), depth + 1, fields);
        }
        if (schema.path("additionalProperties").isObject()) {
            collect(pointer + "/x", resolved(schema.path("additionalProperties")), depth + 1, fields);
        }
    }

    private List<JsonNode> values(String name, JsonNode schema, int depth) {
        String known = KNOWN.get(name);
        List<JsonNode> values = new ArrayList<>();
        if (known != null) {
            values.add(Json.read(known.replace('\'', '"'), JsonNode.class));
        }
        values.addAll(values(schema, depth));
        return values;
    }

    private List<JsonNode> values(JsonNode schema, int depth) {
        List<JsonNode> values = new ArrayList<>();
        schema.path("examples").forEach(values::add);
        if (schema.has("example")) {
            values.add(schema.path("example"));
        }
        String type = schema.path("type").asText();
        if (schema.has("enum")) {
            schema.path("enum").forEach(values::add);
            values.sort(Comparator.comparing(schema.path("default")::equals));
        } else if ("boolean".equals(type)) {
            boolean usual = schema.path("default").asBoolean();
            values.add(BooleanNode.valueOf(!usual));
            values.add(BooleanNode.valueOf(usual));
        } else if ("integer".equals(type)) {
            values.add(LongNode.valueOf(
                    schema.has("default")
                            ? schema.path("default").asLong()
                                    + (schema.path("default").asLong()
                                                    == schema.path("maximum").asLong()
                                            ? -1
                                            : 1)
                            : Math.max(1, schema.path("minimum").asLong(1))));
        } else if ("number".equals(type)) {
            values.add(DoubleNode.valueOf(Math.max(0.5, schema.path("minimum").asDouble(0.5))));
        } else if ("string".equals(type)) {
            if (schema.has("default")) {
                values.add(schema.path("default"));
            }
            TEXTS.forEach(text -> values.add(TextNode.valueOf(text)));
        } else if ("array".equals(type)) {
            for (JsonNode item :
                    depth > DEPTH_MAX ? List.<JsonNode>of() : values(resolved(schema.path("items")), depth + 1)) {
                values.add(((ObjectNode) schemas).arrayNode().add(item));
            }
        } else if (schema.has("oneOf") || schema.has("anyOf")) {
            schema.path(schema.has("oneOf") ? "oneOf" : "anyOf")
                    .forEach(one -> values.addAll(values(resolved(one), depth + 1)));
        } else if (depth <= DEPTH_MAX) {
            JsonNode least = least(schema, depth);
            if (least != null) {
                values.add(least);
            }
        }
        return values;
    }

    /** Returns an object that has what it must have, and nothing else. */
    private @Nullable JsonNode least(JsonNode schema, int depth) {
        ObjectNode object = ((ObjectNode) schemas).objectNode();
        for (JsonNode name : schema.path("required")) {
            List<JsonNode> values =
                    values(name.asText(), resolved(schema.path("properties").path(name.asText())), depth + 1);
            if (values.isEmpty()) {
                return null;
            }
            object.set(name.asText(), values.getFirst());
        }
        JsonNode more = schema.path("additionalProperties");
        if (object.isEmpty() && more.isObject()) {
            List<JsonNode> values = values(resolved(more), depth + 1);
            return values.isEmpty() ? null : object.set("x", values.getFirst());
        }
        return object;
    }

    /**
     * Returns {@code resource} with {@code value} at {@code pointer}; what is missing on the way there is made, each
     * with what it must have.
     */
    JsonNode with(String schemaName, JsonNode resource, String pointer, JsonNode value) {
        JsonNode copy = resource.deepCopy();
        String first = pointer.substring(1).split("/", -1)[0];
        if (schemaName.equals("ProxyPass") && EXCLUSIVE.contains(first)) {
            ((ObjectNode) copy).remove(EXCLUSIVE);
        }
        String[] path = pointer.substring(1).split("/", -1);
        JsonNode schema = resolved(schemas.path(schemaName));
        JsonNode at = copy;
        for (int i = 0; i < path.length; i++) {
            boolean last = i == path.length - 1;
            JsonNode inner = at.isArray()
                    ? resolved(schema.path("items"))
                    : resolved(
                            schema.path("properties").has(path[i])
                                    ? schema.path("properties").path(path[i])
                                    : schema.path("additionalProperties"));
            JsonNode next = last ? value : at.isArray() ? at.path(0) : at.path(path[i]);
            if (!last && !next.isContainerNode()) {
                next = "array".equals(inner.path("type").asText())
                        ? ((ObjectNode) schemas).arrayNode()
                        : values(path[i], inner, 0).stream()
                                .filter(JsonNode::isObject)
                                .findFirst()
                                .<JsonNode>map(JsonNode::deepCopy)
                                .orElseGet(((ObjectNode) schemas)::objectNode);
            }
            if (at instanceof ArrayNode array) {
                array.removeAll();
                array.add(next);
            } else {
                ((ObjectNode) at).set(path[i], next);
            }
            at = next;
            schema = inner;
        }
        return copy;
    }
}
