package io.sigma.dataplane.engine.vertx;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.util.ReferenceCountUtil;

/**
 * Sits between the HTTP/1 decoder and Vert.x, and reports a body that turns out to be malformed, over which Vert.x would
 * close the connection without an answer. Confined to the event loop.
 */
final class BodyGuard extends ChannelInboundHandlerAdapter {

    private final ClientConnection connection;

    BodyGuard(ClientConnection connection) {
        this.connection = connection;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest) {
            connection.requestDecoded();
        } else if (message instanceof HttpContent content
                && content.decoderResult().isFailure()) {
            ReferenceCountUtil.release(content);
            connection.bodyMalformed();
            return;
        }
        context.fireChannelRead(message);
    }
}
