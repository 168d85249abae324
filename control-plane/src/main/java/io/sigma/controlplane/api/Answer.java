package io.sigma.controlplane.api;

import io.vertx.core.buffer.Buffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What is sent back.
 *
 * @param body a model record, JSON as bytes, or {@link Streamed}
 */
record Answer(int status, Object body, Map<String, String> headers) {

    Answer {
        headers = Map.copyOf(headers);
    }

    /** A body that is sent in parts, each when the one before has left. */
    @FunctionalInterface
    interface Streamed {
        void to(Consumer<Buffer> sink);
    }

    /** Returns an answer without a body. */
    static Answer empty(int status) {
        return new Answer(status, new byte[0], Map.of());
    }

    /** Returns the answer for what is now at {@code path}, below the API's. */
    static Answer created(Object body, String path) {
        return new Answer(201, body, Map.of("Location", ApiNames.BASE_PATH + path));
    }

    static Answer ok(Object body) {
        return new Answer(200, body, Map.of());
    }

    Answer with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new Answer(status, body, more);
    }
}
