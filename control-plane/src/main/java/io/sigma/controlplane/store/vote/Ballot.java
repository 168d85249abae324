package io.sigma.controlplane.store.vote;

/** Asks gateways about a write before it commits. */
@FunctionalInterface
public interface Ballot {

    /** Asks nobody. */
    Ballot NONE = candidate -> Poll.NONE;

    /** Begins to ask; does not wait. Called inside the transaction of the write, on a virtual thread. */
    Poll open(Candidate candidate);
}
