package io.sigma.dataplane.engine.relay;

import io.netty.buffer.ByteBuf;

/** Pieces of what arrived that are kept for a while. Pure. */
public final class Pieces {

    /** A transport may read into buffers of four times as much; a piece of this size is worth holding one. */
    public static final int SMALL_BYTES = 16 * 1024;

    private Pieces() {}

    /** Returns {@code piece}, or a copy of a small one in its stead, which would hold all of a large buffer. */
    public static ByteBuf compact(ByteBuf piece) {
        int length = piece.readableBytes();
        if (length >= SMALL_BYTES) {
            return piece;
        }
        ByteBuf copy = piece.alloc().directBuffer(length, length);
        copy.writeBytes(piece);
        piece.release();
        return copy;
    }
}
