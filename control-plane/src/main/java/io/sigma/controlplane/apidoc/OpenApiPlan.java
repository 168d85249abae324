package io.sigma.controlplane.apidoc;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.json.JsonPointer;
import io.sigma.model.FieldError;
import io.sigma.value.Mismatch;
import java.util.List;
import java.util.Map;

/**
 * The routes and settings that an OpenAPI document asks for. Immutable.
 *
 * @param id of the router, the proxy pass and the upstream
 * @param warnings the parts that the configuration cannot express, with pointers into the document
 */
public record OpenApiPlan(
        String id,
        String title,
        OpenApiOptions options,
        OpenApiServers servers,
        List<OpenApiOperation> operations,
        List<FieldError> warnings) {

    private static final int TEXT_LENGTH_MAX = 128;

    public OpenApiPlan {
        operations = List.copyOf(operations);
        warnings = List.copyOf(warnings);
    }

    /**
     * Reads a document. Takes a while for a large one: keep it off event loops.
     *
     * @param text JSON or YAML
     * @throws FailureException when it is no OpenAPI document of a known version, or has nothing to import
     */
    public static OpenApiPlan read(String text, OpenApiOptions options) {
        OpenApiDocument document = OpenApiDocument.parse(text);
        String title = document.root().path("info").path("title").asText("");
        String slug = Slugs.lower(title);
        String id = options.id() != null ? options.id() : slug.substring(0, Math.min(slug.length(), 40));
        if (id.isEmpty()) {
            throw FailureException.invalid(
                    "/id",
                    Mismatch.absent("an id, because "
                            + (title.isBlank()
                                    ? "the document has no title"
                                    : "its title has no character that an id may have")));
        }
        Warnings warnings = new Warnings();
        OpenApiServers servers = OpenApiServers.read(document, options, warnings);
        List<OpenApiOperation> operations = new OperationReader(document, id, servers.base(), warnings).read();
        if (operations.isEmpty()) {
            throw FailureException.invalid(
                    "/document/paths", Mismatch.of("no operation", "at least one operation that can be a route"));
        }
        security(document, warnings);
        if (document.root().has("webhooks")) {
            warnings.add("/webhooks", "left out: the API sends these requests itself");
        }
        return new OpenApiPlan(id, OperationReader.line(title), options, servers, operations, warnings.all());
    }

    /** Authentication depends on consumers and issuers that no document knows. */
    private static void security(OpenApiDocument document, Warnings warnings) {
        JsonNode schemes = document.root().path("components").path("securitySchemes");
        for (Map.Entry<String, JsonNode> entry : schemes.properties()) {
            if (warnings.isFull()) {
                return;
            }
            JsonNode scheme = document.resolve(entry.getValue());
            String type = scheme.path("type").asText("");
            String plugin = switch (type) {
                case "apiKey" -> "keyAuth with " + text(scheme, "in") + " \"" + text(scheme, "name") + "\"";
                case "http" -> scheme.path("scheme").asText("").equalsIgnoreCase("basic") ? "basicAuth" : "jwt";
                case "oauth2", "openIdConnect" -> "jwt";
                case "mutualTLS" -> "clientAuth of the proxy server";
                default -> "nothing";
            };
            warnings.add(
                    JsonPointer.of("components", "securitySchemes", entry.getKey()),
                    "not enforced by the gateway, which passes credentials on; " + plugin + " would do it");
        }
    }

    /** Many schemes may refer to one with long texts. */
    private static String text(JsonNode scheme, String field) {
        return Warnings.cut(scheme.path(field).asText(), TEXT_LENGTH_MAX);
    }
}
