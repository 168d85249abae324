package io.sigma.controlplane.fleet;

import io.sigma.snapshot.FetchReply;
import io.sigma.snapshot.SnapshotProtocol;
import java.util.Arrays;

/**
 * A snapshot body that is ready to be sent, in chunks, to every gateway that asks for it.
 *
 * @param compressed the {@link io.sigma.snapshot.SnapshotBody}; never changed
 */
@SuppressWarnings("ArrayRecordComponent")
record SnapshotTransfer(String id, boolean full, long revision, String stateHash, byte[] compressed) {

    int chunks() {
        return Math.ceilDiv(compressed.length, SnapshotProtocol.CHUNK_BYTES);
    }

    /** @throws IllegalArgumentException when there is no such chunk */
    FetchReply reply(int chunk) {
        if (chunk < 0 || chunk >= chunks()) {
            throw new IllegalArgumentException("chunk: " + chunk + " (expected: 0.." + (chunks() - 1) + ")");
        }
        int from = chunk * SnapshotProtocol.CHUNK_BYTES;
        int to = Math.min(compressed.length, from + SnapshotProtocol.CHUNK_BYTES);
        return new FetchReply(id, full, revision, stateHash, chunks(), chunk, Arrays.copyOfRange(compressed, from, to));
    }
}
