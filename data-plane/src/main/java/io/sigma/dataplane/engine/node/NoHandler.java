package io.sigma.dataplane.engine.node;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** What a connection to a node begins with; the rest follows when it is open. Stateless. */
@ChannelHandler.Sharable
final class NoHandler extends ChannelInboundHandlerAdapter {

    static final NoHandler INSTANCE = new NoHandler();

    private NoHandler() {}

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        added.pipeline().remove(this);
    }
}
