package io.sigma.dataplane.engine.framed;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;

/** Bytes of buffers that a test owns. */
final class TakenBytes {

    private TakenBytes() {}

    /** Returns what can be read of {@code buffer}, and releases it. */
    static byte[] of(ByteBuf buffer) {
        try {
            return ByteBufUtil.getBytes(buffer);
        } finally {
            buffer.release();
        }
    }
}
