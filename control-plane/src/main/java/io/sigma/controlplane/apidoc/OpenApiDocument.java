package io.sigma.controlplane.apidoc;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.json.Json;
import io.sigma.json.ParserMessage;
import io.sigma.json.TreeCost;
import io.sigma.json.TreeTooLarge;
import io.sigma.json.Yaml;
import io.sigma.value.Mismatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** The text of an OpenAPI document, read. References are followed within it only. Immutable. */
record OpenApiDocument(JsonNode root) {

    private static final Pattern VERSION = Pattern.compile("3\\.[0-9]+\\.[0-9]+(-.+)?");
    private static final int REFERENCES_MAX = 16;

    /** Of the heap, for the tree of a document. */
    private static final int HEAP_PART = 8;

    private static final int REFERENCE_LENGTH_MAX = 4_096;

    /**
     * Returns the document that {@code text}, JSON or YAML, holds.
     *
     * @throws FailureException when it is none
     */
    static OpenApiDocument parse(String text) {
        return parse(text, TreeCost.upTo(Runtime.getRuntime().maxMemory() / HEAP_PART));
    }

    /** As {@link #parse(String)}, within {@code cost}. */
    static OpenApiDocument parse(String text, TreeCost cost) {
        JsonNode root;
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        try {
            root = text.stripLeading().startsWith("{") ? Json.read(bytes, cost) : Yaml.read(bytes, cost);
        } catch (TreeTooLarge e) {
            throw FailureException.invalid(
                    "/document",
                    Mismatch.of("more values than the control plane has memory for", "a smaller document"));
        } catch (JsonProcessingException e) {
            String where = e.getLocation() == null
                    ? ""
                    : " at line " + e.getLocation().getLineNr() + ", column "
                            + e.getLocation().getColumnNr();
            String first = ParserMessage.of(e).lines().findFirst().orElse("");
            throw FailureException.invalid(
                    "/document", Mismatch.of("malformed" + where + ": " + first, "JSON or YAML"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (root == null || !root.isObject()) {
            throw FailureException.invalid("/document", Mismatch.of("", "an OpenAPI document, which is an object"));
        }
        String version = root.path("openapi").asText("");
        if (!VERSION.matcher(version).matches()) {
            String is = root.has("swagger") ? "Swagger " + root.path("swagger").asText() : "\"" + version + "\"";
            throw FailureException.invalid("/document/openapi", Mismatch.of(is, "OpenAPI 3"));
        }
        return new OpenApiDocument(root);
    }

    /**
     * Returns what {@code node} refers to by {@code $ref}, or {@code node} itself; missing when that is in another
     * document, nowhere, or in a circle.
     */
    JsonNode resolve(JsonNode node) {
        JsonNode at = node;
        for (int i = 0; i < REFERENCES_MAX; i++) {
            if (!at.has("$ref")) {
                return at;
            }
            String reference = at.path("$ref").asText("");
            if (!reference.startsWith("#/") || reference.length() > REFERENCE_LENGTH_MAX) {
                return MissingNode.getInstance();
            }
            at = root.at(decoded(reference.substring(1)));
        }
        return MissingNode.getInstance();
    }

    /** Returns the JSON pointer that a fragment is (RFC 6901 §6); one that is not well encoded is taken as it is. */
    private static String decoded(String fragment) {
        try {
            return URLDecoder.decode(fragment.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return fragment;
        }
    }
}
