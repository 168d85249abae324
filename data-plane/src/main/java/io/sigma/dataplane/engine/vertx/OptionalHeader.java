package io.sigma.dataplane.engine.vertx;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Lets a connection begin with or without a header of the PROXY protocol: where there is none, or the peer may not send one,
 * it puts one that says nothing, which leaves the address that of the peer. What an untrusted peer sends is then read as
 * HTTP or TLS, whatever it begins with. Confined to the event loop.
 */
final class OptionalHeader extends ByteToMessageDecoder {

    private static final ByteBuf NOTHING_SAID =
            Unpooled.unreleasableBuffer(Unpooled.copiedBuffer("PROXY UNKNOWN\r\n", StandardCharsets.US_ASCII));

    /** No method of HTTP and no record of TLS begins so. */
    private static final byte[] VERSION_1 = "PROXY ".getBytes(StandardCharsets.US_ASCII);

    private static final byte[] VERSION_2 = {13, 10, 13, 10, 0, 13, 10, 'Q', 'U', 'I', 'T', 10};

    private final boolean trusted;

    /**
     * @param trusted whether the peer may say where the connection came from
     */
    OptionalHeader(boolean trusted) {
        this.trusted = trusted;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        if (!trusted && context.channel().isActive()) {
            // What it is to be read by is added after this one.
            context.executor().execute(() -> beginBare(context));
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        context.fireChannelActive();
        if (!trusted) {
            beginBare(context);
        }
    }

    private void beginBare(ChannelHandlerContext context) {
        if (!context.isRemoved()) {
            begin(context, true);
        }
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (!trusted) {
            begin(context, true);
            return;
        }
        boolean first = beginsLike(in, VERSION_1);
        boolean second = beginsLike(in, VERSION_2);
        if (!first && !second) {
            begin(context, true);
        } else if (in.readableBytes() >= (first ? VERSION_1 : VERSION_2).length) {
            begin(context, false);
        }
    }

    /** Returns whether as much as there is of {@code prefix} is right. */
    private static boolean beginsLike(ByteBuf in, byte[] prefix) {
        int length = Math.min(prefix.length, in.readableBytes());
        for (int i = 0; i < length; i++) {
            if (in.getByte(in.readerIndex() + i) != prefix[i]) {
                return false;
            }
        }
        return true;
    }

    /** Passes on what has arrived, which follows when this handler is removed. */
    private void begin(ChannelHandlerContext context, boolean bare) {
        if (bare) {
            context.fireChannelRead(NOTHING_SAID.duplicate());
        }
        context.pipeline().remove(this);
    }
}
