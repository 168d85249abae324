package io.sigma.dataplane.engine.tls;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.sigma.dataplane.engine.tunnel.HalfClose;

/**
 * Closes a connection whose peer has ended TLS (close_notify, RFC 8446 §6.1), as one in plaintext is closed whose peer
 * has ended TCP. OpenSSL writes nothing from then on; the JDK does, which tunnels make use of. After this side has
 * ended it, whoever did so closes it in time. Keeps nothing of a connection.
 */
@ChannelHandler.Sharable
public final class TlsEnd extends ChannelInboundHandlerAdapter {

    private static final TlsEnd INSTANCE = new TlsEnd();

    private TlsEnd() {}

    /** Watches {@code pipeline}, if it is encrypted. */
    public static void watch(ChannelPipeline pipeline) {
        ChannelHandlerContext encryption = pipeline.context(SslHandler.class);
        if (encryption != null) {
            pipeline.addAfter(encryption.name(), null, INSTANCE);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext triggered, Object event) {
        triggered.fireUserEventTriggered(event);
        if (event instanceof SslCloseCompletionEvent) {
            if (HalfClose.isOutputEnded(triggered.channel())) {
                triggered.pipeline().addFirst(new Dropping());
            } else if (!HalfClose.isAllowed(triggered.channel())) {
                triggered.close();
            }
        }
    }

    /**
     * Drops what still arrives. OpenSSL may be done with a connection as soon as this side has ended it. A socket that
     * is closed with something unread is reset, and the last that was sent is lost (RFC 9112 §9.6).
     */
    private static final class Dropping extends ChannelInboundHandlerAdapter {

        private static final long BYTES_MAX = 1024 * 1024;

        private long dropped;

        @Override
        public void channelRead(ChannelHandlerContext reading, Object message) {
            if (message instanceof ByteBuf data) {
                dropped += data.readableBytes();
            }
            ReferenceCountUtil.release(message);
            if (dropped > BYTES_MAX) {
                reading.channel().config().setAutoRead(false);
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext read) {
            if (dropped <= BYTES_MAX && !read.channel().config().isAutoRead()) {
                read.read();
            }
        }
    }
}
