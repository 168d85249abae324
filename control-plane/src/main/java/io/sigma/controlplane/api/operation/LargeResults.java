package io.sigma.controlplane.api.operation;

import io.sigma.controlplane.api.request.Answer;
import io.sigma.json.Json;
import io.vertx.core.Vertx;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers whose bodies may be large. A worker makes them, so that other requests go on meanwhile. Waits on the virtual
 * thread of the request.
 */
record LargeResults(Vertx vertx) {

    /**
     * Returns the answer with what {@code result} makes, as JSON.
     *
     * @param tag the entity tag; null for none
     */
    Answer answer(Supplier<?> result, @Nullable String tag) {
        byte[] body = vertx.executeBlocking(() -> Json.bytes(result.get())).await();
        return Answer.ok(body).tagged(tag);
    }
}
