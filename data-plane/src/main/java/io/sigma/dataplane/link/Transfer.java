package io.sigma.dataplane.link;

import io.sigma.snapshot.FetchReply;
import io.sigma.snapshot.FetchRequest;
import io.sigma.snapshot.Snapshot;
import io.sigma.snapshot.SnapshotProtocol;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.ByteArrayOutputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Fetches one snapshot, chunk by chunk. Confined to the context of its {@link SnapshotClient}. */
final class Transfer {

    private static final int CHUNKS_MAX = SnapshotProtocol.SNAPSHOT_BYTES_MAX / SnapshotProtocol.CHUNK_BYTES;

    /**
     * A fetched snapshot or delta.
     *
     * @param compressed a compressed {@link io.sigma.snapshot.SnapshotBody}
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Fetched(boolean full, long revision, String stateHash, byte[] compressed) {}

    private final ControlLink link;
    private final String gatewayId;
    private final Snapshot base;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final Promise<Optional<Fetched>> done = Promise.promise();

    private Transfer(ControlLink link, String gatewayId, Snapshot base) {
        this.link = link;
        this.gatewayId = gatewayId;
        this.base = base;
    }

    /**
     * Returns what leads from {@code base} to the newest revision; nothing when that is {@code base}. Fails when the
     * link fails or a chunk is not the one asked for.
     */
    static Future<Optional<Fetched>> start(ControlLink link, String gatewayId, Snapshot base) {
        Transfer transfer = new Transfer(link, gatewayId, base);
        transfer.request(null, 0);
        return transfer.done.future();
    }

    /** Returns the chunks of a transfer whose id and size are known, as one. Fails as {@link #start} does. */
    static Future<byte[]> chunks(ControlLink link, String gatewayId, Snapshot base, String transferId, int count) {
        if (count < 1 || count > CHUNKS_MAX) {
            return Future.failedFuture("chunks: " + count + " (expected: 1.." + CHUNKS_MAX + ")");
        }
        Transfer transfer = new Transfer(link, gatewayId, base);
        transfer.request(transferId, 0);
        return transfer.done.future().map(fetched -> fetched.orElseThrow().compressed());
    }

    private void request(@Nullable String transferId, int chunk) {
        FetchRequest request =
                new FetchRequest(gatewayId, base.revision(), base.hash().hex(), transferId, chunk);
        // Mapped, so that what a reply leads to fails the transfer, whatever it is: somebody waits for its end.
        link.request(SnapshotProtocol.FETCH, request, FetchReply.class)
                .map(reply -> {
                    onReply(reply, chunk);
                    return null;
                })
                .onFailure(done::tryFail);
    }

    private void onReply(FetchReply reply, int asked) {
        if (reply.chunks() == 0) {
            done.tryComplete(Optional.empty());
            return;
        }
        if (reply.chunk() != asked || reply.chunks() > CHUNKS_MAX || asked >= reply.chunks()) {
            done.tryFail("chunk " + reply.chunk() + " of " + reply.chunks() + " (expected: chunk " + asked
                    + " of at most " + CHUNKS_MAX + ")");
            return;
        }
        bytes.writeBytes(reply.data());
        if (asked + 1 < reply.chunks()) {
            request(reply.transferId(), asked + 1);
        } else {
            done.tryComplete(
                    Optional.of(new Fetched(reply.full(), reply.revision(), reply.stateHash(), bytes.toByteArray())));
        }
    }
}
