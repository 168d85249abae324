package io.sigma.dataplane.engine.vertx;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;

/** Between what Netty counts and what Vert.x leaves to the garbage collector. Pure. */
final class Buffers {

    private Buffers() {}

    /** Returns the data of {@code piece}, which is released. */
    static Buffer of(ByteBuf piece) {
        // What came from Vert.x is on the heap and counted by nobody.
        boolean plain = piece.hasArray() && !isPooled(piece);
        if (plain) {
            return BufferInternal.buffer(piece);
        }
        byte[] copy = ByteBufUtil.getBytes(piece);
        piece.release();
        return Buffer.buffer(copy);
    }

    private static boolean isPooled(ByteBuf piece) {
        return piece.alloc().isDirectBufferPooled();
    }
}
