package io.sigma.dataplane.engine.vertx;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Sits behind what tells HTTP/2 with prior knowledge from HTTP/1, and puts {@link Http1Guard} before Vert.x's switch from
 * the one to the other: RFC 9113 §3.1 has withdrawn it, and it would open a connection of HTTP/2 that {@link Http2Guard} does not
 * watch. Confined to the event loop.
 */
final class Http1Entry extends ChannelInboundHandlerAdapter {

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (context.pipeline().get("httpDecoder") != null) {
            context.pipeline().addAfter("httpDecoder", Http1Guard.NAME, Http1Guard.INSTANCE);
        }
        context.fireChannelRead(message);
        context.pipeline().remove(this);
    }
}
