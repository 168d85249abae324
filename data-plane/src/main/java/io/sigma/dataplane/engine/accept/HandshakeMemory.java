package io.sigma.dataplane.engine.accept;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.sigma.dataplane.loop.HeldMemory;
import org.jspecify.annotations.Nullable;

/**
 * Counts what a TLS handshake needs, or the header of the PROXY protocol, as held for the client, until a protocol
 * begins on the connection. Confined to the event loop.
 */
final class HandshakeMemory extends ChannelInboundHandlerAdapter {

    /** Memory of the TLS engine of a handshake with its buffers, in bytes. */
    private static final int HANDSHAKE_BYTES = 32 * 1024;
    /** The largest number of bytes that a client may send before the handshake is complete. The longest chain fits. */
    private static final int RECEIVED_BYTES_MAX = 256 * 1024;

    private final Channel channel;
    private final HeldMemory memory;
    private final HeldMemory.Holder holder;
    private long received;
    private boolean over;

    /**
     * @param owner whom what is held counts for; null when others share it
     */
    HandshakeMemory(Channel channel, HeldMemory memory, @Nullable Object owner) {
        this.channel = channel;
        this.memory = memory;
        this.holder = new HeldMemory.Holder() {
            @Override
            protected long held() {
                return over || !channel.isOpen() ? 0 : HANDSHAKE_BYTES + received;
            }

            @Override
            protected long taken() {
                return 0;
            }

            @Override
            protected @Nullable Object owner() {
                return owner;
            }

            @Override
            protected void end() {
                channel.unsafe().close(channel.voidPromise());
            }
        };
    }

    /** A protocol begins on the connection. */
    void end() {
        over = true;
        channel.pipeline().remove(this);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        memory.grew(holder, HANDSHAKE_BYTES);
    }

    @Override
    public void channelRead(ChannelHandlerContext reading, Object message) {
        if (message instanceof ByteBuf data) {
            received += data.readableBytes();
            memory.grew(holder, data.readableBytes());
        }
        reading.fireChannelRead(message);
        if (received > RECEIVED_BYTES_MAX) {
            channel.close();
        }
    }
}
