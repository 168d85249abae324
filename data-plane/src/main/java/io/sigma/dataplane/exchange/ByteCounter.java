package io.sigma.dataplane.exchange;

/** Counts what passes between a client and a node. Confined to the event loop. */
public interface ByteCounter {

    /** Counts bytes that the client sent. */
    void received(long bytes);

    /** Counts bytes that the client is sent. */
    void sent(long bytes);
}
