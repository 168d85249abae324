package io.sigma.dataplane.engine.http1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledUnsafeDirectByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Buffers for what leaves in a moment, used again when it has left: whoever took one releases it, and a buffer that
 * nobody holds is free. Bounded by {@value #SLOTS} buffers of {@value #BYTES} octets; when all tried are in use,
 * because clients do not read, others are allocated. Confined to one event loop.
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
            if (known instanceof Counted counted) {
                counted.end();
            } else if (known != null) {
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
                known = buffer();
                slots[slot] = known;
            }
            if (known instanceof Counted counted) {
                if (counted.take()) {
                    return counted.clear();
                }
            } else if (known.refCnt() == 1) {
                return known.clear().retain();
            }
        }
        return others.directBuffer(BYTES);
    }

    private ByteBuf buffer() {
        ByteBuf plain = own.directBuffer(BYTES, BYTES);
        if (plain instanceof UnpooledUnsafeDirectByteBuf) {
            plain.release();
            return new Counted(own);
        }
        return plain;
    }

    /**
     * Counts the hold of whoever took it without an atomic operation, beside that of the loop; where Netty may use
     * Unsafe.
     */
    private static final class Counted extends UnpooledUnsafeDirectByteBuf {

        private boolean taken;

        Counted(ByteBufAllocator own) {
            super(own, BYTES, BYTES);
        }

        boolean take() {
            if (taken || refCnt() > 1) {
                return false;
            }
            taken = true;
            return true;
        }

        /** The sender and the owner may release it in either order. */
        @Override
        public boolean release() {
            if (taken && refCnt() == 1) {
                taken = false;
                return false;
            }
            return super.release();
        }

        /** The loop gives up its hold; whoever still has one frees it. */
        void end() {
            if (taken) {
                taken = false;
            } else {
                super.release();
            }
        }
    }
}
