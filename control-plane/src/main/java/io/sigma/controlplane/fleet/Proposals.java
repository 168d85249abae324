package io.sigma.controlplane.fleet;

import io.sigma.controlplane.store.vote.Candidate;
import io.sigma.snapshot.Proposal;
import io.sigma.snapshot.SnapshotBody;
import io.sigma.snapshot.SnapshotProtocol;

/** Makes proposals. Pure. */
final class Proposals {

    private Proposals() {}

    /** Returns the body of a candidate. Takes the time of compression. */
    static byte[] body(Candidate candidate) {
        return new SnapshotBody(candidate.revision(), candidate.hash().hex(), candidate.changes()).compress();
    }

    static Proposal of(String id, Candidate candidate, String controlPlaneId, int timeoutMillis, byte[] compressed) {
        return of(
                id,
                candidate.baseRevision(),
                candidate.baseHash().hex(),
                candidate.revision(),
                candidate.hash().hex(),
                controlPlaneId,
                timeoutMillis,
                compressed);
    }

    static Proposal of(
            String id,
            long baseRevision,
            String baseHash,
            long revision,
            String stateHash,
            String controlPlaneId,
            int timeoutMillis,
            byte[] compressed) {
        return new Proposal(
                id,
                baseRevision,
                baseHash,
                revision,
                stateHash,
                controlPlaneId,
                timeoutMillis,
                Math.ceilDiv(compressed.length, SnapshotProtocol.CHUNK_BYTES),
                compressed.length <= Proposal.DATA_BYTES_MAX ? compressed : null,
                false);
    }
}
