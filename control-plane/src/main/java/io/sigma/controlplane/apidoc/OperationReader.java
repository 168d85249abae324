package io.sigma.controlplane.apidoc;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.check.Methods;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.json.JsonPointer;
import io.sigma.value.InvalidValue;
import io.sigma.value.Mismatch;
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

    /** Also those of which no operation is taken. */
    private static final int PATHS_MAX = 20_000;

    /** Of one path: the methods, what else OpenAPI knows, and extensions. */
    private static final int FIELDS_MAX = 500;

    /** As the path of a route. */
    private static final int PATH_LENGTH_MAX = 2_048;

    /**
     * The bound of an {@code operationId}, in characters. Of two long ones with the same beginning, the ids of routes
     * differ.
     */
    private static final int OPERATION_ID_LENGTH_MAX = 1_024;

    /** Of all together, as a label. */
    private static final int TAGS_LENGTH_MAX = 4_096;

    private static final int NAME_MAX = 128;
    private static final int DESCRIPTION_MAX = 1000;
    /** Control characters but line ends, invisible ones, and those that change the direction of text. */
    private static final Pattern HIDDEN = Pattern.compile("[\\p{Cc}\\x{ad}\\x{34f}\\x{61c}\\x{115f}\\x{1160}"
            + "\\x{17b4}\\x{17b5}\\x{180b}-\\x{180f}\\x{200b}-\\x{200f}\\x{2028}-\\x{202e}\\x{2060}-\\x{206f}"
            + "\\x{3164}\\x{fe00}-\\x{fe0f}\\x{feff}\\x{ffa0}&&[^\\n]]");

    /** Line ends, and what looks like a space. */
    private static final Pattern SPACES =
            Pattern.compile("[ \\n\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{202f}\\x{205f}]+");

    private static final Set<String> METHODS =
            Set.of("get", "put", "post", "delete", "options", "head", "patch", "trace", "query");

    /** The fields of a path item that are not operations. */
    private static final Set<String> OTHER_FIELDS =
            Set.of("summary", "description", "servers", "parameters", "$ref", "additionalOperations");

    /** All methods that the path does not name, as gateways of Amazon write it. */
    private static final String ANY_METHOD = "x-amazon-apigateway-any-method";

    /** The field of OpenAPI 3.2 for all other methods, by the method of the request. */
    private static final String MORE = "additionalOperations";

    /** As in the contract. */
    private static final Pattern METHOD = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,32}");

    private final OpenApiDocument document;
    private final String id;
    private final String base;
    private final Warnings warnings;
    private final List<OpenApiOperation> operations = new ArrayList<>();
    private final Map<String, String> seen = new HashMap<>();

    OperationReader(OpenApiDocument document, String id, String base, Warnings warnings) {
        this.document = document;
        this.id = id;
        this.base = base;
        this.warnings = warnings;
    }

    /** Returns the operations in the order of their paths, which the order of the document does not change. */
    List<OpenApiOperation> read() {
        Map<String, JsonNode> paths = new TreeMap<>();
        if (document.root().path("paths").size() > PATHS_MAX) {
            throw FailureException.invalid("/document/paths", Mismatch.of("", "at most " + PATHS_MAX + " paths"));
        }
        document.root().path("paths").properties().forEach(entry -> paths.put(entry.getKey(), entry.getValue()));
        paths.forEach((template, item) -> {
            if (!template.startsWith("x-")) {
                path(template, item);
            }
        });
        Precedence.check(operations, warnings);
        return operations;
    }

    private void path(String template, JsonNode raw) {
        if (template.length() > PATH_LENGTH_MAX) {
            warn(
                    "/paths",
                    "left out: a path of " + template.length() + " characters (expected: at most " + PATH_LENGTH_MAX
                            + ")");
            return;
        }
        String pointer = JsonPointer.of("paths", template);
        if (!template.startsWith("/")) {
            warn(pointer, "left out: a path that does not begin with /");
            return;
        }
        if (!line(template).equals(template)) {
            warn(pointer, "left out: a path with characters that are invisible, or that change the direction of text");
            return;
        }
        JsonNode item = document.resolve(raw);
        if (!item.isObject()) {
            warn(
                    pointer,
                    raw.has("$ref")
                            ? "left out: " + raw.path("$ref") + " is not in this document"
                            : "left out: not an object");
            return;
        }
        if (item.size() > FIELDS_MAX || item.path(MORE).size() > FIELDS_MAX) {
            warn(pointer, "left out: an object of more than " + FIELDS_MAX + " fields");
            return;
        }
        PathTemplate path;
        try {
            path = PathTemplate.of(base + template);
        } catch (InvalidValue e) {
            warn(pointer, "left out: " + e.getMessage());
            return;
        }
        path.notes().forEach(note -> warn(pointer, note));
        if (item.has("servers")) {
            warn(pointer + "/servers", "left out: all paths go to the server of the document");
        }
        Map<String, JsonNode> ordered = new TreeMap<>();
        item.properties().forEach(entry -> ordered.put(entry.getKey(), entry.getValue()));
        ordered.forEach((key, value) -> method(template, path.path(), item, key, value, pointer + JsonPointer.of(key)));
        more(template, path.path(), item.path(MORE), pointer + JsonPointer.of(MORE));
    }

    private void method(String template, String path, JsonNode item, String key, JsonNode value, String pointer) {
        String method = key.toLowerCase(Locale.ROOT);
        if (key.equals(ANY_METHOD)) {
            operation(template, path, "*", value, pointer);
        } else if (OTHER_FIELDS.contains(key) || key.startsWith("x-")) {
            return;
        } else if (!METHODS.contains(method)) {
            warn(pointer, "left out: no method that OpenAPI knows" + (key.equals(method) ? "" : ", in lower case"));
        } else if (!key.equals(method) && item.has(method)) {
            warn(pointer, "left out: " + method + " is there too");
        } else {
            if (!key.equals(method)) {
                warn(pointer, "taken for " + method + ": OpenAPI has methods in lower case");
            }
            operation(template, path, method.toUpperCase(Locale.ROOT), value, pointer);
        }
    }

    private void more(String template, String path, JsonNode more, String pointer) {
        Map<String, JsonNode> ordered = new TreeMap<>();
        more.properties().forEach(entry -> ordered.put(entry.getKey(), entry.getValue()));
        ordered.forEach((method, operation) -> {
            String own = pointer + JsonPointer.of(method);
            if (!METHOD.matcher(method).matches()) {
                warn(own, "left out: not a method of HTTP");
            } else if (METHODS.contains(method)) {
                warn(own, "left out: OpenAPI has this method as a field of the path");
            } else if (Methods.slip(method) != null) {
                warn(own, "left out: " + Methods.slip(method));
            } else {
                operation(template, path, method, operation, own);
            }
        });
    }

    private void warn(String pointer, String detail) {
        warnings.add(pointer, detail);
    }

    /** @param method {@code *} for all */
    private void operation(String template, String path, String method, JsonNode operation, String pointer) {
        if (!operation.isObject()) {
            warn(pointer, "left out: not an object");
            return;
        }
        if (operations.size() == OPERATIONS_MAX) {
            throw FailureException.invalid(
                    "/document/paths", Mismatch.of("", "at most " + OPERATIONS_MAX + " operations"));
        }
        String same = seen.putIfAbsent(method + " " + PathTemplate.shape(path), pointer);
        if (same != null) {
            warn(pointer, "left out: takes the same requests as " + same);
            return;
        }
        if (operation.has("servers")) {
            warn(pointer + "/servers", "left out: all operations go to the server of the document");
        }
        String verb = method.equals("*") ? "any" : Slugs.lower(method);
        String operationId = line(operation.path("operationId").asText(""));
        String own = operationId.isEmpty()
                ? verb + "-" + Slugs.lower(template)
                : Slugs.of(Warnings.cut(operationId, OPERATION_ID_LENGTH_MAX));
        String summary = name(operation.path("summary"));
        operations.add(new OpenApiOperation(
                id + "." + (own.isEmpty() ? verb : own),
                method + " " + template,
                pointer,
                method.equals("*") ? List.of() : List.of(method),
                path,
                summary == null ? name(operation.path("operationId")) : summary,
                text(operation.path("description"), DESCRIPTION_MAX),
                operationId,
                tags(operation)));
    }

    /** Returns the tags, separated by commas; nothing where that is longer than a label may be. */
    private static String tags(JsonNode operation) {
        StringBuilder tags = new StringBuilder();
        for (JsonNode tag : operation.path("tags")) {
            String text = line(tag.asText());
            String comma = tags.isEmpty() ? "" : ",";
            if (tags.length() + comma.length() + text.length() > TAGS_LENGTH_MAX) {
                return "";
            }
            tags.append(comma).append(text);
        }
        return tags.toString();
    }

    private static @Nullable String name(JsonNode node) {
        String text = text(node, NAME_MAX);
        String line = text == null ? "" : line(text);
        return line.isEmpty() ? null : line;
    }

    /** Returns {@code text} in one line, with single spaces between words, and without characters that nobody sees. */
    static String line(String text) {
        String seen = HIDDEN.matcher(text).replaceAll("");
        return SPACES.matcher(seen).replaceAll(" ").strip();
    }

    private static @Nullable String text(JsonNode node, int max) {
        // Many operations may refer to one long text. Its beginning is enough.
        String text =
                HIDDEN.matcher(Warnings.cut(node.asText(""), 4 * max).strip()).replaceAll("");
        int end =
                text.length() <= max ? text.length() : Character.isHighSurrogate(text.charAt(max - 1)) ? max - 1 : max;
        return text.isEmpty() ? null : text.substring(0, end);
    }
}
