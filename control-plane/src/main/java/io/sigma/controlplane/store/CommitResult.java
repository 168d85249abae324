package io.sigma.controlplane.store;

import io.sigma.controlplane.store.history.EntityEdit;
import io.sigma.model.GatewayVote;
import io.sigma.snapshot.StateHash;
import java.util.List;

/**
 * The outcome of a write.
 *
 * @param revision the revision that holds it; the current one when nothing changed; that which it would have got when
 *     it was a dry run
 * @param edits its changes; empty when nothing had to change
 * @param votes the votes of gateways before the commit, ordered by id
 */
public record CommitResult(
        long revision, StateHash hash, List<EntityEdit> edits, Outcome outcome, List<GatewayVote> votes) {

    /** The outcome. */
    public enum Outcome {
        /** There is a new revision. */
        COMMITTED,
        /** Everything was so already. */
        UNCHANGED,
        /** The same request was committed before; this is what it did then. */
        REPEATED,
        /** Everything was tried, and undone. */
        DRY_RUN
    }

    public CommitResult {
        edits = List.copyOf(edits);
        votes = List.copyOf(votes);
    }

    /** Returns what no gateway was asked about. */
    CommitResult(long revision, StateHash hash, List<EntityEdit> edits, Outcome outcome) {
        this(revision, hash, edits, outcome, List.of());
    }

    /** Returns this with what gateways said. */
    CommitResult with(List<GatewayVote> said) {
        return new CommitResult(revision, hash, edits, outcome, said);
    }

    /** Returns whether the write changes anything. */
    public boolean changed() {
        return !edits.isEmpty();
    }

    /** Returns whether the database has what this tells of. */
    public boolean durable() {
        return outcome != Outcome.DRY_RUN;
    }
}
