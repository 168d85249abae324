package io.sigma.controlplane.fleet;

import io.sigma.json.Json;
import io.sigma.snapshot.FetchReply;
import io.vertx.core.json.JsonObject;
import java.util.Base64;

/** The messages of the snapshot protocol as bodies on the event bus. */
final class BusJson {

    private BusJson() {}

    /** @throws IllegalArgumentException when {@code body} is no {@code type} */
    static <T> T read(JsonObject body, Class<T> type) {
        return Json.read(body.encode(), type);
    }

    static JsonObject of(Record message) {
        return new JsonObject(Json.text(message));
    }

    /** As {@link #of(Record)}, without encoding the chunk twice. */
    static JsonObject of(FetchReply reply) {
        return new JsonObject()
                .put("transferId", reply.transferId())
                .put("full", reply.full())
                .put("revision", reply.revision())
                .put("stateHash", reply.stateHash())
                .put("chunks", reply.chunks())
                .put("chunk", reply.chunk())
                .put("data", Base64.getEncoder().encodeToString(reply.data()));
    }
}
