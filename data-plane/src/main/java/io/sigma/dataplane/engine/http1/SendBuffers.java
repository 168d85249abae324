package io.sigma.dataplane.engine.http1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledUnsafeDirectByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Buffers for what leaves in a moment, used again when it has left: whoever took one releases it, and a buffer that
 * nobody holds is free. Bounded by {@value #SLOTS} buffers of {@value #BYTES} octets, and {@value #LARGE_SLOTS} of
 * {@value #LARGE_BYTES} for connections on which much leaves at once. When all tried are in use, because clients do not
 * read, others are allocated. Confined to one event loop.
 */
final class SendBuffers {

    static final int BYTES = 4096;
    static final int LARGE_BYTES = 32 * 1024;
    private static final int SLOTS = 128;
    private static final int LARGE_SLOTS = 16;
    private static final int TRIES = 4;

    /** Without leak detection: they live as long as the loop. */
    private final ByteBufAllocator own = new UnpooledByteBufAllocator(true, true);

    private final Slots small = new Slots(SLOTS, BYTES);
    private final Slots large = new Slots(LARGE_SLOTS, LARGE_BYTES);

    /** Frees the buffers, each when nobody holds it any more. */
    void close() {
        small.close();
        large.close();
    }

    /** Returns an empty buffer with room for {@code bytes}, to be released. */
    ByteBuf take(int bytes, ByteBufAllocator others) {
        if (bytes > BYTES) {
            return others.directBuffer(bytes);
        }
        ByteBuf free = small.take();
        return free == null ? others.directBuffer(BYTES) : free;
    }

    /**
     * Returns a larger buffer that has the content of {@code full}, at the same indices, and room for {@code bytes}
     * more; {@code full} is released then. Returns null when there is none.
     */
    @Nullable
    ByteBuf larger(ByteBuf full, int bytes) {
        if (full.writerIndex() + bytes > LARGE_BYTES) {
            return null;
        }
        ByteBuf free = large.take();
        if (free != null) {
            free.writeBytes(full, 0, full.writerIndex()).readerIndex(full.readerIndex());
            full.release();
        }
        return free;
    }

    private ByteBuf buffer(int bytes) {
        ByteBuf plain = own.directBuffer(bytes, bytes);
        if (plain instanceof UnpooledUnsafeDirectByteBuf) {
            plain.release();
            return new Counted(own, bytes);
        }
        return plain;
    }

    /** Buffers of one size, made when they are needed. */
    private final class Slots {

        private final @Nullable ByteBuf[] slots;
        private final int bytes;
        private int next;

        Slots(int count, int bytes) {
            this.slots = new @Nullable ByteBuf[count];
            this.bytes = bytes;
        }

        void close() {
            for (int i = 0; i < slots.length; i++) {
                ByteBuf known = slots[i];
                slots[i] = null;
                if (known instanceof Counted counted) {
                    counted.end();
                } else if (known != null) {
                    known.release();
                }
            }
        }

        /** Returns an empty buffer; null when all that were tried are in use. */
        @Nullable
        ByteBuf take() {
            for (int i = 0; i < TRIES; i++) {
                int slot = next;
                next = next + 1 & slots.length - 1;
                ByteBuf known = slots[slot];
                if (known == null) {
                    known = buffer(bytes);
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
            return null;
        }
    }

    /**
     * Counts the hold of whoever took it without an atomic operation, beside that of the loop; where Netty may use
     * Unsafe.
     */
    private static final class Counted extends UnpooledUnsafeDirectByteBuf {

        private boolean taken;

        Counted(ByteBufAllocator own, int bytes) {
            super(own, bytes, bytes);
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
