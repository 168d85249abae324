package io.sigma.dataplane.engine.http1;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.ChannelOutputShutdownEvent;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import io.sigma.dataplane.engine.uring.PipedBytes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The last handler in the pipeline of a connection to a node: passes to the {@link NodeLink} all that happens. Confined
 * to the event loop.
 */
final class NodeLinkHandler extends ChannelInboundHandlerAdapter {

    private final Http1Loop loop;
    private @Nullable NodeLink link;

    NodeLinkHandler(Http1Loop loop) {
        this.loop = loop;
    }

    NodeLink link() {
        return Objects.requireNonNull(link);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        link = new NodeLink(added, loop);
    }

    @Override
    public void channelRead(ChannelHandlerContext reading, Object message) {
        if (message instanceof ByteBuf data) {
            link().onRead(data);
        } else if (message instanceof PipedBytes piece) {
            link().onPiped(piece);
        } else {
            ReferenceCountUtil.release(message);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext read) {
        // Output leaves at the end of the loop iteration.
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext changed) {
        link().onWritabilityChanged();
    }

    @Override
    public void channelInactive(ChannelHandlerContext gone) {
        link().onClosed();
        gone.fireChannelInactive();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext triggered, Object event) {
        if (event instanceof SslCloseCompletionEvent end && end.isSuccess()) {
            link().onTlsEnded();
        }
        if (event instanceof ChannelOutputShutdownEvent) {
            link().onOutputLost();
        } else if (event instanceof ChannelInputShutdownEvent
                || (event instanceof SslCloseCompletionEvent && link().isTunnel())) {
            link().onInputEnded();
        }
        triggered.fireUserEventTriggered(event);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext failed, Throwable reason) {
        link().onException(reason);
    }
}
