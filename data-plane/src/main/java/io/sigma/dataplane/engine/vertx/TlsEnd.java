package io.sigma.dataplane.engine.vertx;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;

/**
 * Closes a connection whose peer has ended TLS (close_notify, RFC 8446 §6.1), as one in plaintext is closed whose peer has ended
 * TCP. OpenSSL writes nothing from then on, the JDK would. Keeps nothing of a connection.
 */
@ChannelHandler.Sharable
final class TlsEnd extends ChannelInboundHandlerAdapter {

    private static final TlsEnd INSTANCE = new TlsEnd();

    private TlsEnd() {}

    /** Watches {@code pipeline}, if it is encrypted. */
    static void watch(ChannelPipeline pipeline) {
        ChannelHandlerContext encryption = pipeline.context(SslHandler.class);
        if (encryption != null) {
            pipeline.addAfter(encryption.name(), null, INSTANCE);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext triggered, Object event) {
        triggered.fireUserEventTriggered(event);
        if (event instanceof SslCloseCompletionEvent) {
            triggered.close();
        }
    }
}
