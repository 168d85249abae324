package io.sigma.dataplane.engine.stream;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * What a client sends before its bytes are passed on: while the first message of TLS is not complete, and while a node
 * is connected to, when the socket is not read. Confined to the event loop.
 */
final class EarlyBytes {

    /** What a first message may take with the headers of its records, also of very short ones. */
    private static final int HELLO_BYTES_MAX = 6 * ClientHello.BYTES_MAX;

    private @Nullable CompositeByteBuf held;
    private ClientHello.@Nullable Reader reader;
    private @Nullable ClientHello hello;

    /** Holds {@code data}, which it releases in the end. */
    void add(ByteBufAllocator allocator, ByteBuf data) {
        CompositeByteBuf all = held;
        if (all == null) {
            all = allocator.compositeBuffer(Integer.MAX_VALUE);
            held = all;
        }
        all.addComponent(true, data);
    }

    /**
     * Looks for the first message of TLS in what is held.
     *
     * @return whether it is complete
     * @throws ClientHello.Invalid when it will not be
     */
    boolean hasHello() throws ClientHello.Invalid {
        CompositeByteBuf all = held;
        if (all != null && hello == null) {
            if (reader == null) {
                reader = new ClientHello.Reader();
            }
            hello = reader.read(all);
            if (hello == null && all.readableBytes() > HELLO_BYTES_MAX) {
                throw new ClientHello.Invalid("it comes in too many records");
            }
        }
        if (hello != null) {
            reader = null;
        }
        return hello != null;
    }

    /** Returns the first message of TLS; null as long as none was found. */
    @Nullable
    ClientHello hello() {
        return hello;
    }

    /** Returns how much is held, in bytes. */
    long bytes() {
        return held == null ? 0 : held.readableBytes();
    }

    /** Returns what is held, for the caller to release; null for nothing. */
    @Nullable
    ByteBuf take() {
        ByteBuf all = held;
        held = null;
        return all;
    }

    /** Lets go of what is held. */
    void release() {
        ByteBuf all = take();
        if (all != null) {
            all.release();
        }
    }
}
