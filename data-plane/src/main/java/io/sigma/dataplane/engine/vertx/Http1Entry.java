package io.sigma.dataplane.engine.vertx;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.vertx.core.http.HttpServerOptions;

/**
 * Sits behind what tells HTTP/2 with prior knowledge from HTTP/1, and puts {@link RequestDecoder} in the place of
 * Vert.x's decoder and {@link Http1Guard} before its switch from
 * the one to the other: RFC 9113 §3.1 has withdrawn it, and it would open a connection of HTTP/2 that {@link Http2Guard} does not
 * watch. Confined to the event loop.
 */
final class Http1Entry extends ChannelInboundHandlerAdapter {

    private final HttpServerOptions options;

    Http1Entry(HttpServerOptions options) {
        this.options = options;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (context.pipeline().get(VertxListener.HTTP1_DECODER) != null) {
            RequestDecoder.install(context.pipeline(), options);
            context.pipeline().addAfter(VertxListener.HTTP1_DECODER, Http1Guard.NAME, Http1Guard.INSTANCE);
        }
        context.fireChannelRead(message);
        context.pipeline().remove(this);
    }
}
