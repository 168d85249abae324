package io.sigma.snapshot;

import io.sigma.model.RouteTest;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a request, asked of one gateway.
 *
 * @param id of the question; only who knows it can answer
 * @param gatewayId who is asked
 * @param revision that the answer is about; 0 for the one that the gateway serves
 * @param baseRevision that {@code changes} start from, which the gateway must serve; 0 where there are none
 * @param baseHash of that revision
 * @param changes a compressed {@link SnapshotBody} that leads from there to what is tried, base64 in JSON; null for
 *     none; at most {@link SnapshotProtocol#CHUNK_BYTES} bytes
 */
@SuppressWarnings("ArrayRecordComponent")
public record RouteQuestion(
        String id,
        String gatewayId,
        RouteTest test,
        long revision,
        long baseRevision,
        String baseHash,
        byte @Nullable [] changes) {}
