package io.sigma.controlplane.api.request;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.sigma.controlplane.api.contract.Contract;
import io.sigma.controlplane.api.contract.SchemaText;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.json.Json;
import io.sigma.value.ResourceId;
import io.vertx.core.MultiMap;
import io.vertx.ext.web.RoutingContext;
import io.vertx.json.schema.Validator;
import io.vertx.openapi.contract.Location;
import io.vertx.openapi.contract.Operation;
import io.vertx.openapi.contract.Parameter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a request, checked against the contract. Values are those that the HTTP library decoded, once.
 * Immutable.
 */
public record Parameters(Map<String, String> values) {

    private static final int LIMIT_DEFAULT = 100;

    public Parameters {
        values = Map.copyOf(values);
    }

    /** @throws FailureException with {@link Failure.BadRequest} for an unknown or invalid parameter */
    public static Parameters read(Contract contract, Operation operation, RoutingContext context) {
        Map<String, String> values = new HashMap<>();
        contract.parameters(operation).forEach((parameter, validator) -> {
            String value = value(parameter, context);
            if (value != null) {
                check(contract, parameter, validator, value);
                values.put(
                        parameter.getName(), parameter.getIn() == Location.PATH ? ResourceId.ofSegment(value) : value);
            }
        });
        refuseUnknown(operation, context.queryParams());
        for (Parameter parameter : operation.getParameters()) {
            if (parameter.getIn() == Location.QUERY
                    && parameter.isRequired()
                    && !values.containsKey(parameter.getName())) {
                throw refused("no " + parameter.getName() + " (expected: one)");
            }
        }
        return new Parameters(values);
    }

    private static @Nullable String value(Parameter parameter, RoutingContext context) {
        String name = parameter.getName();
        return switch (parameter.getIn()) {
            case PATH -> context.pathParam(name);
            case HEADER -> context.request().getHeader(name);
            case QUERY -> single(name, context.queryParams().getAll(name));
            case COOKIE -> null;
        };
    }

    private static @Nullable String single(String name, List<String> all) {
        if (all.size() > 1) {
            throw refused(name + ": " + all.size() + " times (expected: once)");
        }
        return all.isEmpty() ? null : all.getFirst();
    }

    private static void check(Contract contract, Parameter parameter, Validator validator, String value) {
        JsonNode schema = Json.read(String.valueOf(parameter.getSchema()), JsonNode.class);
        boolean valid = switch (schema.path("type").asText()) {
            case "integer" ->
                isNumber(value) && validator.validate(Long.parseLong(value)).getValid();
            case "boolean" -> value.equals("true") || value.equals("false");
            default -> isPrintable(value) && validator.validate(value).getValid();
        };
        if (!valid) {
            String shown = SchemaText.shown(TextNode.valueOf(value));
            throw refused(parameter.getName() + ": " + shown + " (expected: "
                    + contract.text().expectation(schema) + ")");
        }
    }

    private static boolean isNumber(String value) {
        return value.matches("-?[0-9]{1,18}");
    }

    /** Returns whether {@code value} has no control characters and only whole surrogate pairs. */
    private static boolean isPrintable(String value) {
        return value.codePoints()
                .allMatch(c ->
                        !Character.isISOControl(c) && (c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE));
    }

    private static void refuseUnknown(Operation operation, MultiMap query) {
        Set<String> known = operation.getParameters().stream()
                .filter(parameter -> parameter.getIn() == Location.QUERY)
                .map(Parameter::getName)
                .collect(Collectors.toSet());
        for (String name : query.names()) {
            if (!known.contains(name)) {
                String expected = known.isEmpty()
                        ? "none"
                        : "one of " + String.join(", ", known.stream().sorted().toList());
                throw refused("unknown parameter \"" + name + "\" (expected: " + expected + ")");
            }
        }
    }

    private static FailureException refused(String detail) {
        return new FailureException(new Failure.BadRequest(detail));
    }

    /** Returns the value of a parameter; null when the request does not have it. */
    public @Nullable String get(String name) {
        return values.get(name);
    }

    /** Returns a parameter that the contract requires. */
    public String required(String name) {
        return Objects.requireNonNull(values.get(name), name);
    }

    /** Returns how many items a page shall have. */
    public int limit() {
        return integer("limit", LIMIT_DEFAULT);
    }

    /** Returns the value of a parameter that the contract knows as an integer. */
    public int integer(String name, int defaultValue) {
        String value = values.get(name);
        return value == null ? defaultValue : Integer.parseInt(value);
    }
}
