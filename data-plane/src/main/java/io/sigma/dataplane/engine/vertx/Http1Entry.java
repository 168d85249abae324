package io.sigma.dataplane.engine.vertx;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import io.vertx.core.http.HttpServerOptions;

/**
 * Sits behind what tells HTTP/2 with prior knowledge from HTTP/1, and puts {@link RequestDecoder} in the place of
 * Vert.x's decoder and {@link Http1Guard} before its switch from
 * the one to the other: RFC 9113 §3.1 has withdrawn it, and it would open a connection of HTTP/2 that {@link Http2Guard} does not
 * watch. Confined to the event loop.
 */
final class Http1Entry extends ChannelInboundHandlerAdapter {

    private static final String SWITCH = "h2c";

    private final HttpServerOptions options;
    private final boolean nativeHttp1;

    /**
     * @param nativeHttp1 whether the gateway's own codec takes the place of that of Vert.x
     */
    Http1Entry(HttpServerOptions options, boolean nativeHttp1) {
        this.options = options;
        this.nativeHttp1 = nativeHttp1;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (nativeHttp1 && context.pipeline().get(SWITCH) != null) {
            // Vert.x makes its connection, which hands over to ours, when the first request is decoded; no octet of it
            // may be decoded by Vert.x, so it is shown another one, which goes nowhere.
            context.pipeline()
                    .context("httpEncoder")
                    .fireChannelRead(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/"));
        } else if (context.pipeline().get(VertxListener.HTTP1_DECODER) != null) {
            RequestDecoder.install(context.pipeline(), options);
            context.pipeline().addAfter(VertxListener.HTTP1_DECODER, Http1Guard.NAME, Http1Guard.INSTANCE);
        }
        context.fireChannelRead(message);
        context.pipeline().remove(this);
    }
}
