package io.sigma.controlplane.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.json.Json;
import io.sigma.json.Yaml;
import java.io.IOException;
import java.util.List;

/** Reads bodies. Pure. */
final class Bodies {

    private Bodies() {}

    /** @throws FailureException with {@link Failure.BadRequest} that says where it is malformed */
    static JsonNode parse(byte[] bytes, boolean yaml) {
        try {
            JsonNode body = yaml ? Yaml.read(bytes) : Json.mapper().readTree(bytes);
            if (body.isMissingNode()) {
                throw new FailureException(new Failure.BadRequest("The body says nothing (expected: a mapping)."));
            }
            return body;
        } catch (JsonProcessingException e) {
            String where = e.getLocation() == null
                    ? ""
                    : " at line " + e.getLocation().getLineNr() + ", column "
                            + e.getLocation().getColumnNr();
            String format = yaml ? "YAML" : "JSON";
            throw new FailureException(
                    new Failure.BadRequest("The body is malformed " + format + where + ": " + reason(e)));
        } catch (IOException e) {
            throw new IllegalStateException("bytes in memory can be read", e);
        }
    }

    /** Returns the parser's message without what it says of its source. */
    private static String reason(JsonProcessingException e) {
        String message = e.getOriginalMessage();
        for (String source : List.of("(start marker at ", " in 'reader', line ")) {
            int at = message.indexOf(source);
            message = at < 0 ? message : message.substring(0, at).stripTrailing();
        }
        return message;
    }
}
