package io.sigma.dataplane.upstream.balance;

/** Chooses the next node of a tier. Confined to its event loop. */
public interface Balancer {

    /** Returns the index of the next node that {@code eligible} accepts, -1 when there is none. */
    int next(Eligible eligible);

    /** Decides if a node may be chosen now. */
    interface Eligible {
        boolean test(int node);

        /** Returns the time by {@link System#nanoTime()}. */
        default long now() {
            return System.nanoTime();
        }

        /** Returns the hash of the request's key; 0 when it has none. */
        default long hash() {
            return 0;
        }
    }
}
