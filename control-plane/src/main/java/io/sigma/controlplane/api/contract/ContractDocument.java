package io.sigma.controlplane.api.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/**
 * The contract's file, and the copy of it that the OpenAPI library can load: without the relative server, the
 * extensions, and what it does not support and the server does not need, the contents of responses and media types of
 * merge patches.
 */
public final class ContractDocument {

    private static final String FILE = "/sigma-admin.yaml";
    private static final String JSON = "application/json";

    private ContractDocument() {}

    /** Returns the contract as it is written. Blocks on the class path. */
    public static JsonNode read() {
        try (InputStream in = Objects.requireNonNull(ContractDocument.class.getResourceAsStream(FILE), FILE)) {
            return YAMLMapper.builder().build().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the copy for the library. */
    static JsonObject loadable(JsonNode contract) {
        ObjectNode copy = contract.deepCopy();
        copy.remove("servers");
        // Access sees to it, before the library.
        copy.remove("security");
        copy.path("components").path("securitySchemes").properties().clear();
        copy.path("paths")
                .forEach(path -> path.forEach(operation -> {
                    operation.properties().removeIf(field -> field.getKey().equals("security"));
                    operation.path("responses").forEach(ContractDocument::withoutContent);
                    requestInJson(operation.path("requestBody"));
                }));
        copy.path("components").path("responses").forEach(ContractDocument::withoutContent);
        copy.path("components").path("requestBodies").forEach(ContractDocument::requestInJson);
        withoutExtensions(copy);
        patternsToTheEnd(copy);
        return new JsonObject(copy.toString());
    }

    /**
     * The library finds patterns with Java, where a dollar sign matches before a line end too (ECMA-262: at the end
     * only).
     */
    private static void patternsToTheEnd(JsonNode node) {
        String pattern = node.path("pattern").asText("");
        if (node instanceof ObjectNode object && pattern.endsWith("$") && !pattern.endsWith("\\$")) {
            object.put("pattern", pattern.substring(0, pattern.length() - 1) + "\\z");
        }
        node.forEach(ContractDocument::patternsToTheEnd);
    }

    private static void withoutContent(JsonNode response) {
        ((ObjectNode) response).remove("content");
        ((ObjectNode) response).remove("headers");
    }

    private static void requestInJson(JsonNode requestBody) {
        if (requestBody.path("content") instanceof ObjectNode content) {
            content.retain(JSON);
        }
    }

    private static void withoutExtensions(JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.properties().removeIf(field -> field.getKey().startsWith("x-"));
        }
        node.forEach(ContractDocument::withoutExtensions);
    }
}
