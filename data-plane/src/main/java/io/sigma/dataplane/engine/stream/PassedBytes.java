package io.sigma.dataplane.engine.stream;

import io.sigma.dataplane.exchange.ByteCounter;

/** Counts the bytes that a connection passes in both directions. Confined to the event loop. */
final class PassedBytes implements ByteCounter {

    private long in;
    private long out;

    /** Returns how many bytes of the client were passed on. */
    long in() {
        return in;
    }

    /** Returns how many bytes of the node were passed on. */
    long out() {
        return out;
    }

    @Override
    public void received(long bytes) {
        in += bytes;
    }

    @Override
    public void sent(long bytes) {
        out += bytes;
    }
}
