package io.sigma.controlplane.fleet;

import io.sigma.controlplane.store.history.RevisionLog;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.FetchReply;
import io.sigma.snapshot.FetchRequest;
import io.sigma.snapshot.Snapshot;
import io.sigma.snapshot.SnapshotBody;
import io.sigma.snapshot.StateHash;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.eventbus.Message;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Objects;

/**
 * Answers what a gateway lacks: nothing, the changes since its revision, or the full state. Confined to one event loop;
 * bodies are built off it.
 */
final class FetchConsumer implements Handler<Message<JsonObject>> {

    static final int INVALID = 400;
    static final int GONE = 410;
    static final int FAILED = 500;

    private final RevisionLog log;
    private final Transfers transfers;

    FetchConsumer(RevisionLog log, Transfers transfers) {
        this.log = log;
        this.transfers = transfers;
    }

    @Override
    public void handle(Message<JsonObject> message) {
        try {
            FetchRequest request = FleetJson.read(message.body(), FetchRequest.class);
            if (request.transferId() == null) {
                begin(request).onComplete(done -> {
                    if (done.succeeded()) {
                        message.reply(FleetJson.of(done.result()));
                    } else {
                        message.fail(FAILED, String.valueOf(done.cause().getMessage()));
                    }
                });
                return;
            }
            SnapshotTransfer transfer = transfers.find(request.transferId());
            if (transfer == null) {
                message.fail(GONE, "transferId: " + request.transferId() + " (expected: a recent one; begin again)");
            } else {
                message.reply(FleetJson.of(transfer.reply(request.chunk())));
            }
        } catch (IllegalArgumentException | NullPointerException e) {
            message.fail(INVALID, "fetch: " + e.getMessage());
        }
    }

    private Future<FetchReply> begin(FetchRequest request) {
        Snapshot newest = log.current();
        StateHash has = StateHash.parse(request.stateHash());
        boolean current = request.revision() == newest.revision() && has.equals(newest.hash());
        // A gateway that is ahead heard of a write sooner than this control plane.
        if (current || request.revision() > newest.revision()) {
            return Future.succeededFuture(
                    new FetchReply("", false, newest.revision(), newest.hash().hex(), 0, 0, new byte[0]));
        }
        List<EntityChange> changes =
                request.revision() == 0 ? null : log.changesSince(request.revision(), has, newest.revision());
        String hash = newest.hash().hex();
        Future<SnapshotTransfer> transfer = changes == null
                ? transfers.get(
                        new Transfers.Key(0, "", newest.revision(), hash),
                        true,
                        () -> SnapshotBody.full(newest).compress())
                : transfers.get(
                        new Transfers.Key(request.revision(), request.stateHash(), newest.revision(), hash),
                        false,
                        () -> new SnapshotBody(newest.revision(), hash, Objects.requireNonNull(changes)).compress());
        return transfer.map(ready -> ready.reply(0));
    }
}
