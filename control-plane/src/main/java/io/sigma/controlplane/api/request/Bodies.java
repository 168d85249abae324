package io.sigma.controlplane.api.request;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.json.Json;
import io.sigma.json.ParserMessage;
import io.sigma.json.TreeTooLarge;
import io.sigma.json.Yaml;
import java.io.IOException;

/** Reads bodies. Thread-safe. */
public final class Bodies {

    private Bodies() {}

    /**
     * Returns what a body says.
     *
     * @param share of the memory for all trees
     * @throws FailureException with {@link Failure.BadRequest} that says where it is malformed; with
     *     {@link Failure.TooManyValues} or {@link Failure.Unavailable} when there is no memory for it
     */
    public static JsonNode parse(byte[] bytes, boolean yaml, TreeBudget.Share share) {
        try {
            JsonNode body = yaml ? Yaml.read(bytes, share) : Json.read(bytes, share);
            if (body.isMissingNode()) {
                throw new FailureException(new Failure.BadRequest("The body is empty (expected: a mapping)."));
            }
            return body;
        } catch (TreeTooLarge e) {
            throw new FailureException(
                    share.isMost()
                            ? new Failure.TooManyValues()
                            : new Failure.Unavailable("Too many values of request bodies are in memory at once."));
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
