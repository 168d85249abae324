package io.sigma.controlplane.api.request;

import io.sigma.controlplane.api.contract.ApiNames;
import io.vertx.core.buffer.Buffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The response of an operation.
 *
 * @param body a model record, JSON as bytes, or {@link Streamed}
 */
public record Answer(int status, Object body, Map<String, String> headers) {

    public Answer {
        headers = Map.copyOf(headers);
    }

    /** A body that is sent in parts, each when the one before has left. */
    @FunctionalInterface
    public interface Streamed {
        void to(Consumer<Buffer> sink);
    }

    /** Returns an answer without a body. */
    public static Answer empty(int status) {
        return new Answer(status, new byte[0], Map.of());
    }

    /** Returns the answer for what is now at {@code path}, below the API's. */
    public static Answer created(Object body, String path) {
        return new Answer(201, body, Map.of("Location", ApiNames.BASE_PATH + path));
    }

    /** Returns an answer with the status 200. */
    public static Answer ok(Object body) {
        return new Answer(200, body, Map.of());
    }

    /** Returns this with one more header field; a field of the same name is replaced. */
    public Answer with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new Answer(status, body, more);
    }

    /** Returns this with the entity tag {@code tag} in ETag; this itself where there is none. */
    public Answer tagged(@Nullable String tag) {
        return tag == null ? this : with("ETag", tag);
    }
}
