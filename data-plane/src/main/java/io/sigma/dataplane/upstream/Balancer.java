package io.sigma.dataplane.upstream;

/** Chooses the next node. Confined to its event loop. */
interface Balancer {

    /** Returns the index of the next node that {@code eligible} accepts, -1 when there is none. */
    int next(Eligible eligible);

    /** Whether a node may be chosen now. */
    interface Eligible {
        boolean test(int node);
    }
}
