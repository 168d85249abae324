package io.sigma.dataplane.engine.vertx;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufHolder;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Sits before Vert.x and copies what was read into memory that need not be released. Vert.x does the same later, but drops
 * what a paused connection still holds when it is closed. Stateless.
 */
@Sharable
final class UnpooledCopy extends ChannelInboundHandlerAdapter {

    private static final UnpooledCopy INSTANCE = new UnpooledCopy();

    private UnpooledCopy() {}

    /** Adds it to {@code channel}, right before the handler of Vert.x. */
    static void guard(Channel channel) {
        channel.pipeline().addBefore("handler", null, INSTANCE);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        context.fireChannelRead(
                switch (message) {
                    case ByteBuf buffer -> copy(buffer);
                    case ByteBufHolder holder
                    when holder.content().isReadable() -> holder.replace(copy(holder.content()));
                    default -> message;
                });
    }

    private static ByteBuf copy(ByteBuf pooled) {
        try {
            return pooled.isReadable() ? Unpooled.copiedBuffer(pooled) : Unpooled.EMPTY_BUFFER;
        } finally {
            pooled.release();
        }
    }
}
