package io.sigma.controlplane.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.model.FieldError;
import java.util.ArrayList;
import java.util.List;

/**
 * What an OpenAPI document asks for. Immutable.
 *
 * @param id of the router, the proxy pass and the upstream
 * @param warnings what cannot be said as configuration, with pointers into the document
 */
public record OpenApiPlan(
        String id,
        String title,
        OpenApiOptions options,
        OpenApiServers servers,
        List<OpenApiOperation> operations,
        List<FieldError> warnings) {

    private static final int WARNINGS_MAX = 1000;

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
            throw FailureException.invalid("/id", "absent (expected: an id, as the document has no title)");
        }
        List<FieldError> warnings = new ArrayList<>();
        OpenApiServers servers = OpenApiServers.read(document, options, warnings);
        List<OpenApiOperation> operations = new OperationReader(document, id, servers.base(), warnings).read();
        if (operations.isEmpty()) {
            throw FailureException.invalid(
                    "/document/paths", "no operation (expected: at least one that can be a route)");
        }
        security(document, warnings);
        if (document.root().has("webhooks")) {
            warnings.add(new FieldError("/webhooks", "left out: they are requests of the API, not to it"));
        }
        return new OpenApiPlan(
                id, title, options, servers, operations, warnings.subList(0, Math.min(warnings.size(), WARNINGS_MAX)));
    }

    /** Who may come in depends on consumers and issuers that no document knows. */
    private static void security(OpenApiDocument document, List<FieldError> warnings) {
        JsonNode schemes = document.root().path("components").path("securitySchemes");
        schemes.properties().forEach(entry -> {
            JsonNode scheme = document.resolve(entry.getValue());
            String type = scheme.path("type").asText("");
            String plugin = switch (type) {
                case "apiKey" ->
                    "keyAuth with " + scheme.path("in").asText() + " \""
                            + scheme.path("name").asText() + "\"";
                case "http" -> scheme.path("scheme").asText("").equalsIgnoreCase("basic") ? "basicAuth" : "jwt";
                case "oauth2", "openIdConnect" -> "jwt";
                case "mutualTLS" -> "clientAuth of the proxy server";
                default -> "nothing";
            };
            warnings.add(new FieldError(
                    "/components/securitySchemes/"
                            + entry.getKey().replace("~", "~0").replace("/", "~1"),
                    "not enforced by the gateway, which passes credentials on; " + plugin + " would do it"));
        });
    }
}
