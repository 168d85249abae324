package io.sigma.controlplane.fleet;

import io.sigma.json.Json;
import io.sigma.snapshot.FetchReply;
import io.sigma.snapshot.Proposal;
import io.vertx.core.json.JsonObject;
import java.util.Base64;

/** The messages of the snapshot protocol as bodies on the event bus. */
final class FleetJson {

    private FleetJson() {}

    /** @throws IllegalArgumentException when {@code body} is no {@code type} */
    static <T> T read(JsonObject body, Class<T> type) {
        return Json.read(body.encode(), type);
    }

    static JsonObject of(Record message) {
        return new JsonObject(Json.text(message));
    }

    /** As {@link #of(Record)}, without encoding the body twice. */
    static JsonObject of(Proposal proposal) {
        JsonObject json = new JsonObject()
                .put("id", proposal.id())
                .put("baseRevision", proposal.baseRevision())
                .put("baseHash", proposal.baseHash())
                .put("revision", proposal.revision())
                .put("stateHash", proposal.stateHash())
                .put("controlPlaneId", proposal.controlPlaneId())
                .put("timeoutMillis", proposal.timeoutMillis())
                .put("chunks", proposal.chunks())
                .put("withdrawn", proposal.withdrawn());
        byte[] data = proposal.data();
        return data == null ? json : json.put("data", Base64.getEncoder().encodeToString(data));
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
