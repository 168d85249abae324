package io.sigma.dataplane.loop;

/**
 * What an event of a connection leads to, read before it is handled. Of thousands of connections little is in the
 * processor's caches when the next event comes, and each reference that is followed waits for memory. When what lies at
 * one distance is read for several connections in turn, the processor waits for all of it at once (docs/adr/0046).
 */
public interface Prefetched {

    /** References from a connection to the farthest object that is worth reading. */
    int FARTHEST = 7;

    /**
     * Reads something of each object that is {@code distance} references away.
     *
     * @param distance 0 is the object itself
     * @return what depends on all that was read, so that the compiler leaves nothing out; it means nothing
     */
    default int prefetch(int distance) {
        return 0;
    }
}
