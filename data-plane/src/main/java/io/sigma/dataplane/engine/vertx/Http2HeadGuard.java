package io.sigma.dataplane.engine.vertx;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2Headers;
import io.sigma.value.Tokens;

/**
 * Sits between the HTTP/2 decoder and Vert.x, which ends the whole connection, and all requests on it, over a method that is no
 * token: here only its stream ends (RFC 9113 §8.1.1). Confined to the event loop.
 */
final class Http2HeadGuard extends Http2FrameListenerDecorator {

    private Http2HeadGuard(Http2FrameListener listener) {
        super(listener);
    }

    /** Watches a connection before its first frame, if it speaks HTTP/2. */
    static void guard(Channel channel) {
        Http2ConnectionHandler handler = channel.pipeline().get(Http2ConnectionHandler.class);
        if (handler != null) {
            Http2ConnectionDecoder decoder = handler.decoder();
            decoder.frameListener(new Http2HeadGuard(decoder.frameListener()));
        }
    }

    @Override
    public void onHeadersRead(ChannelHandlerContext context, int stream, Http2Headers head, int padding, boolean end)
            throws Http2Exception {
        check(stream, head);
        listener.onHeadersRead(context, stream, head, padding, end);
    }

    @Override
    public void onHeadersRead(
            ChannelHandlerContext context,
            int stream,
            Http2Headers head,
            int dependency,
            short weight,
            boolean exclusive,
            int padding,
            boolean end)
            throws Http2Exception {
        check(stream, head);
        listener.onHeadersRead(context, stream, head, dependency, weight, exclusive, padding, end);
    }

    private static void check(int stream, Http2Headers head) throws Http2Exception {
        CharSequence method = head.method();
        if (method != null && !Tokens.isToken(method.toString())) {
            throw Http2Exception.streamError(stream, Http2Error.PROTOCOL_ERROR, "the method is no token");
        }
    }
}
