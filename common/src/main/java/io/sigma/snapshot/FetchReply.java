package io.sigma.snapshot;

/**
 * A chunk of a snapshot.
 *
 * @param transferId names the transfer for the chunks that follow
 * @param full whether the body is the full state rather than a delta from the revision asked for
 * @param revision the revision that the gateway has after applying
 * @param stateHash the hash that it then must have, 64 hexadecimal digits
 * @param chunks how many there are; 0 when the gateway lacks nothing
 * @param chunk which one this is, from 0
 * @param data a slice of the compressed {@link SnapshotBody}, base64 in JSON; at most
 *     {@link SnapshotProtocol#CHUNK_BYTES} bytes
 */
@SuppressWarnings("ArrayRecordComponent")
public record FetchReply(
        String transferId, boolean full, long revision, String stateHash, int chunks, int chunk, byte[] data) {}
