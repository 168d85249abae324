package io.sigma.dataplane.link;

import io.sigma.json.Json;
import io.vertx.core.json.JsonObject;

/** The records of the snapshot protocol as bodies of event-bus messages. Pure. */
final class BusJson {

    private BusJson() {}

    static JsonObject of(Object message) {
        return new JsonObject(Json.text(message));
    }

    /** @throws IllegalArgumentException when {@code body} is no {@code type} */
    static <T> T read(JsonObject body, Class<T> type) {
        return Json.read(body.encode(), type);
    }
}
