package io.sigma.controlplane.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.json.JsonPointer;
import io.sigma.model.FieldError;
import io.sigma.value.InvalidValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the paths of a document. Used once. */
final class OperationReader {

    private static final int OPERATIONS_MAX = 2000;
    private static final int NAME_MAX = 128;
    private static final int DESCRIPTION_MAX = 1000;
    private static final Set<String> METHODS =
            Set.of("get", "put", "post", "delete", "options", "head", "patch", "trace", "query");

    /** What OpenAPI 3.2 has for all other methods, by their names as requests have them. */
    private static final String MORE = "additionalOperations";

    /** As in the contract. */
    private static final Pattern METHOD = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,32}");

    private final OpenApiDocument document;
    private final String id;
    private final String base;
    private final List<FieldError> warnings;
    private final Slugs slugs = new Slugs();
    private final List<OpenApiOperation> operations = new ArrayList<>();
    private final Map<String, String> seen = new HashMap<>();

    OperationReader(OpenApiDocument document, String id, String base, List<FieldError> warnings) {
        this.document = document;
        this.id = id;
        this.base = base;
        this.warnings = warnings;
    }

    /** Returns the operations in the order of their paths, which the order of the document does not change. */
    List<OpenApiOperation> read() {
        Map<String, JsonNode> paths = new TreeMap<>();
        document.root().path("paths").fields().forEachRemaining(entry -> paths.put(entry.getKey(), entry.getValue()));
        paths.forEach((template, item) -> {
            if (!template.startsWith("x-")) {
                path(template, item);
            }
        });
        return operations;
    }

    private void path(String template, JsonNode raw) {
        String pointer = JsonPointer.of("paths", template);
        JsonNode item = document.resolve(raw);
        if (!item.isObject()) {
            warnings.add(new FieldError(
                    pointer,
                    raw.has("$ref")
                            ? "left out: " + raw.path("$ref") + " is not in this document"
                            : "left out: no object"));
            return;
        }
        String path;
        try {
            path = PathTemplate.route(base + template);
        } catch (InvalidValue e) {
            warnings.add(new FieldError(pointer, "left out: " + e.getMessage()));
            return;
        }
        if (item.has("servers")) {
            warnings.add(new FieldError(pointer + "/servers", "left out: all paths go to the servers of the document"));
        }
        Map<String, JsonNode> ordered = new TreeMap<>();
        item.fields().forEachRemaining(entry -> ordered.put(entry.getKey(), entry.getValue()));
        ordered.forEach((method, operation) -> {
            if (METHODS.contains(method) && operation.isObject()) {
                String upper = method.toUpperCase(Locale.ROOT);
                operation(template, path, upper, operation, pointer + JsonPointer.of(method));
            }
        });
        more(template, path, item.path(MORE), pointer + JsonPointer.of(MORE));
    }

    private void more(String template, String path, JsonNode more, String pointer) {
        Map<String, JsonNode> ordered = new TreeMap<>();
        more.fields().forEachRemaining(entry -> ordered.put(entry.getKey(), entry.getValue()));
        ordered.forEach((method, operation) -> {
            String own = pointer + JsonPointer.of(method);
            if (!METHOD.matcher(method).matches()) {
                warnings.add(new FieldError(own, "left out: no method of HTTP"));
            } else if (operation.isObject()) {
                operation(template, path, method, operation, own);
            }
        });
    }

    private void operation(String template, String path, String method, JsonNode operation, String pointer) {
        if (operations.size() == OPERATIONS_MAX) {
            throw FailureException.invalid("/document/paths", "(expected: at most " + OPERATIONS_MAX + " operations)");
        }
        String same = seen.putIfAbsent(method + " " + path.replaceAll(":[A-Za-z0-9_]+", ":"), pointer);
        if (same != null) {
            warnings.add(new FieldError(pointer, "left out: takes the same requests as " + same));
            return;
        }
        if (operation.has("servers")) {
            warnings.add(
                    new FieldError(pointer + "/servers", "left out: all operations go to the servers of the document"));
        }
        String name = Slugs.lower(method);
        String operationId = operation.path("operationId").asText("");
        String own = operationId.isEmpty() ? name + "-" + Slugs.lower(template) : Slugs.of(operationId);
        String identity = operationId.isEmpty() ? method + " " + template : operationId;
        List<String> tags = new ArrayList<>();
        operation.path("tags").forEach(tag -> tags.add(tag.asText()));
        String summary = text(operation.path("summary"), NAME_MAX);
        operations.add(new OpenApiOperation(
                slugs.free(id + "." + (own.isEmpty() ? name : own), identity),
                pointer,
                method,
                path,
                summary == null ? text(operation.path("operationId"), NAME_MAX) : summary,
                text(operation.path("description"), DESCRIPTION_MAX),
                operationId,
                String.join(",", tags)));
    }

    private static @Nullable String text(JsonNode node, int max) {
        String text = node.asText("").strip().replaceAll("[\\p{Cc}&&[^\\n]]", "");
        int end =
                text.length() <= max ? text.length() : Character.isHighSurrogate(text.charAt(max - 1)) ? max - 1 : max;
        return text.isEmpty() ? null : text.substring(0, end);
    }
}
