package io.sigma.controlplane.api.request;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.json.Json;
import io.sigma.json.ParserMessage;
import io.sigma.json.Yaml;
import java.io.IOException;

/** Reads bodies. Pure. */
public final class Bodies {

    private Bodies() {}

    /** @throws FailureException with {@link Failure.BadRequest} that says where it is malformed */
    public static JsonNode parse(byte[] bytes, boolean yaml) {
        try {
            JsonNode body = yaml ? Yaml.read(bytes) : Json.mapper().readTree(bytes);
            if (body.isMissingNode()) {
                throw new FailureException(new Failure.BadRequest("The body is empty (expected: a mapping)."));
            }
            return body;
        } catch (JsonProcessingException e) {
            String where = e.getLocation() == null
                    ? ""
                    : " at line " + e.getLocation().getLineNr() + ", column "
                            + e.getLocation().getColumnNr();
            String format = yaml ? "YAML" : "JSON";
            throw new FailureException(
                    new Failure.BadRequest("The body is malformed " + format + where + ": " + ParserMessage.of(e)));
        } catch (IOException e) {
            throw new IllegalStateException("bytes in memory can be read", e);
        }
    }
}
