package io.sigma.dataplane.engine.http1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.handler.ssl.SslHandler;
import io.sigma.dataplane.engine.tunnel.HalfClose;
import io.sigma.dataplane.engine.tunnel.LingeringClose;
import io.sigma.dataplane.engine.tunnel.TunnelEnd;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A connection on which bytes are passed, as after a protocol switch (RFC 9110 §7.8). Confined to its event loop. */
public class RawEnd implements TunnelEnd {

    private final Output output;
    private final Channel channel;
    /** The last write before the end of the output; null before that. */
    private @Nullable ChannelFuture last;

    private boolean resets;

    RawEnd(Output output, Channel channel) {
        this.output = output;
        this.channel = channel;
        HalfClose.allow(channel);
    }

    /**
     * Returns a connection that was never one of HTTP.
     *
     * @param context of the last handler of its pipeline
     */
    public static RawEnd of(ChannelHandlerContext context, Http1Loop loop) {
        Output output = new Output(context, loop, () -> {
            // Nobody waits for a piece to be sent.
        });
        if (context.pipeline().get(SslHandler.class) == null) {
            output.sendPastHandlers();
        }
        return new RawEnd(output, context.channel());
    }

    /** Returns how much of what was written is held here until the peer reads, in bytes. */
    public final long held() {
        return output.held();
    }

    /** Returns how much the peer has taken so far, in bytes. */
    public final long taken() {
        return output.taken();
    }

    /** Lets go of what was not sent: the connection is gone. */
    public final void gone() {
        output.close();
    }

    @Override
    public final boolean endsByHalves() {
        return HalfClose.isAllowed(channel);
    }

    @Override
    public final void write(ByteBuf data) {
        output.write(data);
    }

    @Override
    public final boolean isWritable() {
        return output.isWritable();
    }

    @Override
    public final long undelivered() {
        return output.undelivered();
    }

    @Override
    public final void read(boolean on) {
        if (channel.config().isAutoRead() != on) {
            channel.config().setAutoRead(on);
        }
    }

    /** Returns whether this side has ended the output itself. */
    final boolean isOutputEnded() {
        return last != null;
    }

    @Override
    public final void endOutput() {
        ChannelFuture written = flushed();
        last = written;
        written.addListener(done -> {
            if (done.isSuccess()) {
                HalfClose.output(channel);
            }
        });
    }

    private ChannelFuture flushed() {
        output.flushNow();
        return channel.writeAndFlush(Unpooled.EMPTY_BUFFER);
    }

    @Override
    public final void close(Runnable onClosed) {
        ChannelFuture written = last == null ? flushed() : last;
        LingeringClose closing = resets ? null : LingeringClose.begin(channel);
        written.addListener(done -> {
            if (done.isSuccess() && closing != null) {
                closing.sent();
            } else {
                channel.close();
            }
        });
        var late = channel.eventLoop().schedule(() -> channel.close(), FLUSH_SECONDS, TimeUnit.SECONDS);
        written.addListener(done -> late.cancel(false));
        channel.closeFuture().addListener(closed -> onClosed.run());
    }

    /** Has the end be a reset: the peer is to know that something is missing. */
    public final void resetAtClose() {
        resets = true;
        if (channel.isOpen()) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
        }
    }
}
