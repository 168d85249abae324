package io.sigma.dataplane.engine.stream;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import io.sigma.dataplane.engine.http1.Http1Loop;
import io.sigma.dataplane.engine.http1.RawEnd;
import io.sigma.dataplane.engine.tunnel.Tunnel;
import io.sigma.dataplane.engine.uring.PausedReads;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The connection to the node, as the last handler of its pipeline. Confined to the event loop. */
final class NodeSide extends ChannelInboundHandlerAdapter {

    private final StreamConnection owner;
    private final Http1Loop loop;
    private @Nullable RawEnd end;
    private @Nullable ChannelHandlerContext context;

    NodeSide(StreamConnection owner, Http1Loop loop) {
        this.owner = owner;
        this.loop = loop;
    }

    /** Returns what bytes are passed to. */
    RawEnd end() {
        return Objects.requireNonNull(end);
    }

    Channel channel() {
        return Objects.requireNonNull(context).channel();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
        end = RawEnd.of(added, loop);
    }

    @Override
    public void channelRead(ChannelHandlerContext reading, Object message) {
        if (message instanceof ByteBuf data) {
            owner.fromNode(data);
        } else {
            ReferenceCountUtil.release(message);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext changed) {
        Tunnel tunnel = owner.tunnel();
        if (tunnel != null && changed.channel().isWritable()) {
            tunnel.nodeWritable();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext triggered, Object event) {
        Tunnel tunnel = owner.tunnel();
        if (tunnel != null
                && (event instanceof ChannelInputShutdownEvent || event instanceof SslCloseCompletionEvent)) {
            tunnel.nodeEnded();
        } else if (!PausedReads.heard(triggered.channel(), event)) {
            triggered.fireUserEventTriggered(event);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
        failed.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext gone) {
        end().gone();
        owner.nodeGone();
    }
}
