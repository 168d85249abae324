package io.sigma.snapshot;

import org.jspecify.annotations.Nullable;

/**
 * The change that a control plane is about to commit: gateways that serve its base compile it and vote.
 *
 * @param id names it in votes, and in fetches of its chunks
 * @param baseRevision the revision that it is a delta from
 * @param stateHash of the state that it leads to, 64 hexadecimal digits
 * @param timeoutMillis how long votes are waited for
 * @param chunks how many chunks the compressed {@link SnapshotBody} has
 * @param data the compressed body when it is small; null when it has to be fetched, or when {@code withdrawn}
 * @param withdrawn whether it will not be committed, so that nothing of it needs to be kept
 */
@SuppressWarnings("ArrayRecordComponent")
public record Proposal(
        String id,
        long baseRevision,
        String baseHash,
        long revision,
        String stateHash,
        String controlPlaneId,
        int timeoutMillis,
        int chunks,
        byte @Nullable [] data,
        boolean withdrawn) {

    /** Largest compressed body that travels with the proposal itself. */
    public static final int DATA_BYTES_MAX = 64 * 1024;

    /** Returns the word that the proposal of that id will not be committed. */
    public static Proposal withdrawal(String id, String controlPlaneId) {
        return new Proposal(id, 0, "", 0, "", controlPlaneId, 0, 0, null, true);
    }
}
