package io.sigma.dataplane.engine.tunnel;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.TimeUnit;

/**
 * Closes a connection in steps. What the peer still sends is read and dropped from now on. Once everything that was
 * written is sent, the peer is told that nothing follows, and has time to end its direction, too. A socket that is
 * closed with something unread is reset, and the peer loses what it has not read yet (RFC 9112 §9.6). Time and bytes
 * have a bound. As the first handler of the pipeline, it keeps everybody else from what arrives. Confined to the event
 * loop.
 */
public final class LingeringClose extends ChannelInboundHandlerAdapter {

    /** The time for the peer to end its direction, in milliseconds. */
    public static final long MILLIS = 2_000;

    /** The bytes that the peer may still send. */
    public static final long BYTES_MAX = 1024 * 1024;

    private final Channel channel;
    private long dropped;
    /** True if the peer has ended its direction. */
    private boolean ended;
    /** True if this side has ended its direction. */
    private boolean told;

    private LingeringClose(Channel channel) {
        this.channel = channel;
    }

    /** Begins to close {@code channel}. To be called once, on its event loop. */
    public static LingeringClose begin(Channel channel) {
        LingeringClose begun = new LingeringClose(channel);
        begun.ended = !channel.isActive() || (channel instanceof DuplexChannel duplex && duplex.isInputShutdown());
        if (!begun.ended) {
            channel.pipeline().addFirst(begun);
            channel.config().setAutoRead(true);
        }
        return begun;
    }

    /** Everything that was written is sent. */
    public void sent() {
        if (ended || dropped > BYTES_MAX || !channel.isActive()) {
            channel.close();
            return;
        }
        told = true;
        endOutput(channel);
        var late = channel.eventLoop().schedule(() -> channel.close(), MILLIS, TimeUnit.MILLISECONDS);
        channel.closeFuture().addListener(closed -> late.cancel(false));
    }

    private static void endOutput(Channel channel) {
        ChannelHandlerContext encryption = channel.pipeline().context(SslHandler.class);
        HalfClose.output(channel);
        if (encryption != null) {
            // Past the encryption: the peer gets close_notify (RFC 8446 §6.1), and then the end of TCP.
            encryption.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(written -> shutdown(channel));
        }
    }

    private static void shutdown(Channel channel) {
        if (channel instanceof DuplexChannel duplex && channel.isActive() && !duplex.isOutputShutdown()) {
            duplex.shutdownOutput();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext reading, Object message) {
        if (message instanceof ByteBuf data) {
            dropped += data.readableBytes();
        }
        ReferenceCountUtil.release(message);
        if (dropped <= BYTES_MAX) {
            return;
        }
        if (told) {
            reading.close();
        } else {
            channel.config().setAutoRead(false);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext read) {
        // Nobody else waits for it.
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext triggered, Object event) {
        if (event instanceof ChannelInputShutdownEvent || event instanceof ChannelInputShutdownReadComplete) {
            ended = true;
            if (told) {
                triggered.close();
            }
        } else {
            triggered.fireUserEventTriggered(event);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
        failed.close();
    }
}
