package io.sigma.snapshot;

import io.sigma.model.RouteTest;
import org.jspecify.annotations.Nullable;

/**
 * A question to one gateway: about the route of a request, or about its open connections.
 *
 * @param id random: only a gateway that knows it can answer
 * @param test the request; null when the question is about connections
 * @param revision that the answer is about; 0 for the one that the gateway serves
 * @param baseRevision that {@code changes} start from, which the gateway must serve; 0 where there are none
 * @param baseHash the state hash of {@code baseRevision}; empty where there are no changes
 * @param changes a compressed {@link SnapshotBody} that leads from there to what is tried, base64 in JSON; null for
 *     none; at most {@link SnapshotProtocol#CHUNK_BYTES} bytes
 * @param connections the filter of connections; null when the question is about a request
 */
@SuppressWarnings("ArrayRecordComponent")
public record RouteQuestion(
        String id,
        String gatewayId,
        @Nullable RouteTest test,
        long revision,
        long baseRevision,
        String baseHash,
        byte @Nullable [] changes,
        @Nullable ConnectionQuestion connections) {

    /** Returns the question what becomes of a request. */
    public static RouteQuestion of(
            String id,
            String gatewayId,
            RouteTest test,
            long revision,
            long baseRevision,
            String baseHash,
            byte @Nullable [] changes) {
        return new RouteQuestion(id, gatewayId, test, revision, baseRevision, baseHash, changes, null);
    }

    /** Returns a question about connections. */
    public static RouteQuestion of(String id, String gatewayId, ConnectionQuestion connections) {
        return new RouteQuestion(id, gatewayId, null, 0, 0, "", null, connections);
    }
}
