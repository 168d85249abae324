package io.sigma.dataplane.engine.body;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * Keeps received pieces of bytes for a while: as they are, or copied together. Holders of pieces call it. Thread-safe.
 */
public final class Pieces {

    /** A piece that is shorter is copied rather than held, in bytes. */
    public static final int SMALL_BYTES = 16 * 1024;

    private Pieces() {}

    /**
     * Returns how much memory holding {@code piece} holds, in bytes: a transport reads into buffers that it fills in
     * part.
     */
    public static int memory(ByteBuf piece) {
        ByteBuf root = piece;
        for (ByteBuf inner = root.unwrap(); inner != null; inner = root.unwrap()) {
            root = inner;
        }
        return root.capacity();
    }

    /** Returns whether {@code piece} is large, and at least half of the memory that holding it holds. */
    public static boolean isWorthHolding(ByteBuf piece) {
        int length = piece.readableBytes();
        return length >= SMALL_BYTES && 2L * length >= memory(piece);
    }

    /**
     * Returns {@code piece}, or a copy of it in its stead when holding it would hold much more than its bytes. It is
     * released also when there is no memory for the copy.
     */
    public static ByteBuf compact(ByteBuf piece) {
        if (isWorthHolding(piece)) {
            return piece;
        }
        try {
            int length = piece.readableBytes();
            return piece.alloc().directBuffer(length, length).writeBytes(piece);
        } finally {
            piece.release();
        }
    }

    /**
     * Returns {@code before} and {@code data} in one buffer; both are released, also when there is no memory for that.
     */
    public static ByteBuf joined(ByteBufAllocator buffers, ByteBuf before, ByteBuf data) {
        try {
            return buffers.buffer(before.readableBytes() + data.readableBytes())
                    .writeBytes(before)
                    .writeBytes(data);
        } finally {
            before.release();
            data.release();
        }
    }
}
