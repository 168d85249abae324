package io.sigma.dataplane.engine.http1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Buffers for what leaves in a moment, used again when it has left: whoever took one gives its hold up, and a buffer that
 * nobody else holds is free. Bounded by {@value #SLOTS} buffers of {@value #BYTES} octets; when all tried are in use, because
 * clients do not read, others are allocated. Confined to one event loop.
 */
final class SendBuffers {

    static final int BYTES = 4096;
    private static final int SLOTS = 128;
    private static final int TRIES = 4;

    /** Without leak detection: they live as long as the loop. */
    private final ByteBufAllocator own = new UnpooledByteBufAllocator(true, true);

    private final @Nullable ByteBuf[] slots = new @Nullable ByteBuf[SLOTS];
    private int next;

    /** Frees the buffers, each when nobody holds it any more. */
    void close() {
        for (int i = 0; i < SLOTS; i++) {
            ByteBuf known = slots[i];
            slots[i] = null;
            if (known != null) {
                known.release();
            }
        }
    }

    /** Returns an empty buffer with room for {@code bytes}, to be released. */
    ByteBuf take(int bytes, ByteBufAllocator others) {
        if (bytes > BYTES) {
            return others.directBuffer(bytes);
        }
        for (int i = 0; i < TRIES; i++) {
            int slot = next;
            next = next + 1 & SLOTS - 1;
            ByteBuf known = slots[slot];
            if (known == null) {
                known = own.directBuffer(BYTES, BYTES);
                slots[slot] = known;
            }
            if (known.refCnt() == 1) {
                return known.clear().retain();
            }
        }
        return others.directBuffer(BYTES);
    }
}
