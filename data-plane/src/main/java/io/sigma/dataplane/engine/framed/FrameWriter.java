package io.sigma.dataplane.engine.framed;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.sigma.dataplane.engine.http1.RawEnd;

/** Writes frames. Confined to the event loop. */
final class FrameWriter {

    private FrameWriter() {}

    /** Writes {@code frame}, which it releases; its parts go as they are. */
    static void write(RawEnd end, ByteBuf frame) {
        if (!(frame instanceof CompositeByteBuf joined)) {
            end.write(frame);
            return;
        }
        try {
            for (ByteBuf part : joined) {
                end.write(part.retain());
            }
        } finally {
            joined.release();
        }
    }
}
