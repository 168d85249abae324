package io.sigma.controlplane.api.contract;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.resource.ContractCheck;
import io.sigma.model.FieldError;
import io.sigma.model.Kind;
import io.sigma.model.Role;
import io.sigma.snapshot.ResourceType;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.json.schema.Validator;
import io.vertx.openapi.contract.MediaType;
import io.vertx.openapi.contract.OpenAPIContract;
import io.vertx.openapi.contract.Operation;
import io.vertx.openapi.contract.Parameter;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The contract, ready to route by and to check against. Immutable; any thread. */
public final class Contract implements ContractCheck {

    private static final String JSON = "application/json";

    private final OpenAPIContract openApi;
    private final SchemaText text;
    private final ExtensionSchemas extensions = new ExtensionSchemas(Contract.class.getClassLoader());
    private final Map<Kind, BodySchema> bodies = new EnumMap<>(Kind.class);
    private final BodySchema batch;
    private final Map<String, Map<Parameter, Validator>> parameters = new HashMap<>();

    /** By operation, of those whose body is no resource. */
    private final Map<String, BodySchema> others = new HashMap<>();

    /** By operation; empty for an operation that needs no credentials. */
    private final Map<String, Optional<Role>> roles = new HashMap<>();

    private Contract(OpenAPIContract openApi, JsonNode document) {
        this.openApi = openApi;
        this.text = new SchemaText(document);
        for (ResourceType<?> type : ResourceType.ALL) {
            String model = type.model().getSimpleName();
            bodies.put(type.kind(), body("put" + model, document.at("/components/schemas/" + model)));
        }
        this.batch = body(ApiNames.BATCH, document.at("/components/schemas/Batch"));
        for (Operation operation : openApi.operations()) {
            Map<Parameter, Validator> ofOperation = new HashMap<>();
            operation
                    .getParameters()
                    .forEach(parameter -> ofOperation.put(
                            parameter, openApi.getSchemaRepository().validator(parameter.getSchema())));
            parameters.put(operation.getOperationId(), ofOperation);
        }
        document.path("paths")
                .forEach(path -> path.forEach(operation -> {
                    String id = operation.path("operationId").asText("");
                    String role = operation.path("x-role").asText("");
                    JsonNode schema = operation
                            .path("requestBody")
                            .path("content")
                            .path(JSON)
                            .path("schema");
                    if (schema.has("$ref")) {
                        others.put(id, body(id, text.resolve(schema)));
                    }
                    if (!id.isEmpty() && !role.isEmpty()) {
                        roles.put(id, role.equals("none") ? Optional.empty() : Optional.of(role(role)));
                    }
                }));
    }

    private static Role role(String name) {
        return Role.valueOf(name.toUpperCase(Locale.ROOT));
    }

    private BodySchema body(String operationId, JsonNode schema) {
        MediaType body = operation(operationId).getRequestBody().getContent().get(JSON);
        Validator validator = openApi.getSchemaRepository()
                .validator(Objects.requireNonNull(body, operationId).getSchema());
        return new BodySchema(validator, schema, text);
    }

    /** Returns what checks the body of a batch, but for the bodies in it. */
    public BodySchema batch() {
        return batch;
    }

    /** Returns the contract of the class path. */
    public static Future<Contract> load(Vertx vertx) {
        return vertx.executeBlocking(ContractDocument::read)
                .compose(document -> OpenAPIContract.from(vertx, ContractDocument.loadable(document))
                        .map(openApi -> new Contract(openApi, document)));
    }

    /** Returns the operations and their paths, for routing. */
    public OpenAPIContract openApi() {
        return openApi;
    }

    private Operation operation(String id) {
        return Objects.requireNonNull(openApi.operation(id), id);
    }

    @Override
    public List<FieldError> check(ResourceType<?> type, JsonNode body) {
        List<FieldError> errors =
                Objects.requireNonNull(bodies.get(type.kind())).check(body);
        return errors.isEmpty() ? extensions.check(body) : errors;
    }

    /** Returns what is wrong with the body of an operation that writes no resource, each with its pointer into it. */
    public List<FieldError> check(String operation, JsonNode body) {
        return Objects.requireNonNull(others.get(operation)).check(body);
    }

    /** Returns the parameters of an operation, each with what checks its value. */
    public Map<Parameter, Validator> parameters(Operation operation) {
        return Objects.requireNonNull(parameters.get(operation.getOperationId()));
    }

    /** Returns the least role that may ask for an operation, {@code x-role}; empty when it needs no credentials. */
    public Optional<Role> role(Operation operation) {
        // Nobody forgets a role and opens an operation by it.
        return roles.getOrDefault(operation.getOperationId(), Optional.of(Role.ADMIN));
    }

    /** Returns what puts the expectations of a schema into words. */
    public SchemaText text() {
        return text;
    }
}
