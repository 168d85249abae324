package io.sigma.dataplane.loop;

/**
 * Reads the objects that an event of a connection needs before the event is handled. With thousands of connections few
 * of their objects are in the processor's caches when the next event comes, and each followed reference waits for
 * memory. When the objects at one distance are read for several connections in turn, the processor waits for all of
 * them at once (docs/adr/0046).
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
