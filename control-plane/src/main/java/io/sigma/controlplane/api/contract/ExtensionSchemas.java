package io.sigma.controlplane.api.contract;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sigma.check.Faults;
import io.sigma.json.Json;
import io.sigma.json.JsonPointer;
import io.sigma.model.FieldError;
import io.sigma.value.Tokens;
import io.vertx.core.json.JsonObject;
import io.vertx.json.schema.Draft;
import io.vertx.json.schema.JsonSchema;
import io.vertx.json.schema.JsonSchemaOptions;
import io.vertx.json.schema.OutputFormat;
import io.vertx.json.schema.Validator;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the configuration of plugins that are not part of Sigma against the JSON Schemas that their jars publish as
 * {@code META-INF/sigma/plugins/<name>.schema.json}. What has no schema on the class path is left to the gateways.
 * Thread-safe.
 */
final class ExtensionSchemas {

    private static final Logger LOG = LoggerFactory.getLogger(ExtensionSchemas.class);
    private static final String FOLDER = "META-INF/sigma/plugins/";
    private static final TypeReference<Map<String, Object>> MAP = new TypeReference<>() {};

    /** Belongs to Sigma; the plugin never sees it. */
    private static final String ENABLED = "enabled";

    private final ClassLoader jars;
    private final Map<String, Optional<BodySchema>> published = new ConcurrentHashMap<>();

    ExtensionSchemas(ClassLoader jars) {
        this.jars = jars;
    }

    /**
     * Returns what is wrong with the extensions of a resource that the contract allows, with pointers into
     * {@code body}.
     */
    List<FieldError> check(JsonNode body) {
        List<FieldError> errors = new ArrayList<>();
        body.path("plugins").path("extensions").properties().forEach(extension -> {
            String name = extension.getKey();
            BodySchema schema = schema(name);
            JsonNode configuration = extension.getValue();
            if (schema != null && configuration.path(ENABLED).asBoolean(true)) {
                String prefix = JsonPointer.of("plugins", "extensions", name);
                schema.check(bare(configuration))
                        .forEach(error -> errors.add(Faults.at(prefix + error.pointer(), error)));
            }
        });
        return errors;
    }

    private static JsonNode bare(JsonNode configuration) {
        JsonNode copy = configuration.deepCopy();
        if (copy instanceof ObjectNode object) {
            object.remove(ENABLED);
        }
        return copy;
    }

    private @Nullable BodySchema schema(String name) {
        Optional<BodySchema> known = published.get(name);
        if (known == null) {
            String path = FOLDER + name + ".schema.json";
            if (!Tokens.isToken(name) || jars.getResource(path) == null) {
                // Not remembered: names are anybody's choice, and would have no bound.
                return null;
            }
            known = published.computeIfAbsent(name, absent -> read(path));
        }
        return known.orElse(null);
    }

    private Optional<BodySchema> read(String path) {
        try (InputStream in = Objects.requireNonNull(jars.getResourceAsStream(path), path)) {
            JsonNode document = Json.mapper().readTree(in);
            checkReferences(document);
            JsonSchema schema = JsonSchema.of(new JsonObject(Json.mapper().convertValue(document, MAP)));
            Validator validator = Validator.create(
                    schema,
                    new JsonSchemaOptions()
                            .setBaseUri("https://sigma.invalid/" + path)
                            .setDraft(Draft.DRAFT202012)
                            .setOutputFormat(OutputFormat.Basic));
            return Optional.of(new BodySchema(validator, document, new SchemaText(document)));
        } catch (IOException | RuntimeException e) {
            LOG.warn("{} is not a usable JSON Schema, so only gateways check values: {}", path, e.toString());
            return Optional.empty();
        }
    }

    private static void checkReferences(JsonNode schema) {
        for (JsonNode reference : schema.findValues("$ref")) {
            if (!reference.asText().startsWith("#/")) {
                throw new IllegalArgumentException("$ref: " + reference + " (expected: a place in the schema itself)");
            }
        }
    }
}
