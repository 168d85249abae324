package io.sigma.dataplane.engine.node;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** The first handler of a connection to a node. The other handlers follow when the connection is open. Stateless. */
@ChannelHandler.Sharable
final class NoHandler extends ChannelInboundHandlerAdapter {

    static final NoHandler INSTANCE = new NoHandler();

    private NoHandler() {}

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        added.pipeline().remove(this);
    }
}
