package io.sigma.dataplane.engine.datagram;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the ports of one event loop receive datagrams, before each is copied to a buffer of its own length: one buffer
 * for all of them. Confined to the event loop.
 */
final class Scratch {

    /** The largest datagram and one byte, so that a truncated datagram is recognised. */
    static final int SLOT_BYTES = Port.BYTES_MAX + 1;

    private final int bytes;
    private @Nullable ByteBuf buffer;

    /**
     * @param slots how many datagrams one call may receive
     */
    Scratch(int slots) {
        this.bytes = slots * SLOT_BYTES;
    }

    /** Returns an empty buffer, which the caller releases. */
    private ByteBuf take(ByteBufAllocator allocator) {
        ByteBuf shared = buffer;
        if (shared == null) {
            shared = allocator.directBuffer(bytes, bytes);
            buffer = shared;
        }
        // A port that receives at any time keeps one for that.
        return shared.refCnt() > 1
                ? allocator.directBuffer(bytes, bytes)
                : shared.retain().clear();
    }

    void free() {
        if (buffer != null) {
            buffer.release();
            buffer = null;
        }
    }

    /**
     * Returns what gives these buffers to a channel.
     *
     * @param calls how many calls follow each other before others have their turn
     */
    RecvByteBufAllocator receiver(int calls) {
        return new Receiver(calls);
    }

    private final class Receiver extends DefaultMaxMessagesRecvByteBufAllocator {

        private final int calls;

        Receiver(int calls) {
            this.calls = calls;
        }

        @Override
        @SuppressWarnings("deprecation") // The interface has it.
        public Handle newHandle() {
            return new MaxMessageHandle() {
                private int called;

                @Override
                public void reset(ChannelConfig config) {
                    super.reset(config);
                    called = 0;
                }

                @Override
                public ByteBuf allocate(ByteBufAllocator allocator) {
                    called++;
                    return take(allocator);
                }

                @Override
                public boolean continueReading(UncheckedBooleanSupplier mayHaveMore) {
                    return called < calls && super.continueReading(mayHaveMore);
                }

                @Override
                public int guess() {
                    return bytes;
                }
            };
        }
    }
}
