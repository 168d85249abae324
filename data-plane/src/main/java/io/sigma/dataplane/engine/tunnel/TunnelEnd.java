package io.sigma.dataplane.engine.tunnel;

import io.netty.buffer.ByteBuf;

/**
 * A connection or a stream as a {@link Tunnel} uses it. Both protocols implement it for both sides. Confined to the
 * event loop.
 */
public interface TunnelEnd {

    /** The time that written bytes have to leave after the end, and that an answer has to arrive, in seconds. */
    int FLUSH_SECONDS = 5;

    /** Writes a piece, which it releases. */
    void write(ByteBuf data);

    /** Returns whether more should be written; the tunnel hears when that is so again. */
    boolean isWritable();

    /** Returns how much of what was written the peer has not received, as far as that can be asked, in bytes. */
    long undelivered();

    /** Reads on, or stops reading. */
    void read(boolean on);

    /** Returns whether {@link #endOutput} leaves the other direction as it is. */
    default boolean endsByHalves() {
        return true;
    }

    /**
     * Returns whether the peer may end its direction while it waits for an answer: browsers end their stream with the
     * close frame of a WebSocket.
     */
    default boolean endsAhead() {
        return false;
    }

    /** Tells the peer, behind what was written, that nothing follows. */
    void endOutput();

    /**
     * Ends both directions behind what was written, as long as the peer reads that.
     *
     * @param onClosed called once
     */
    void close(Runnable onClosed);

    /** Notes that so much more is held for it, in bytes. */
    default void grew(long bytes) {}
}
