package io.sigma.dataplane.takeover;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * The revision that a process serves, if control planes configure it.
 *
 * @param hash the state hash, 64 hexadecimal digits
 */
public record Serving(long revision, String hash) {

    private static final String REVISION = "revision";
    private static final String HASH = "hash";

    /** Returns what {@code body} says; null when it names none. */
    static @Nullable Serving of(JsonNode body) {
        return body.path(REVISION).isIntegralNumber()
                ? new Serving(body.path(REVISION).longValue(), body.path(HASH).asText())
                : null;
    }

    void put(ObjectNode body) {
        body.put(REVISION, revision).put(HASH, hash);
    }
}
