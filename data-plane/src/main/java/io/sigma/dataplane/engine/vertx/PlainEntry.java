package io.sigma.dataplane.engine.vertx;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** What a connection begins with that was accepted by a plaintext listener: gives it to the listener of its loop. */
@ChannelHandler.Sharable
final class PlainEntry extends ChannelInboundHandlerAdapter {

    private final VertxEngine engine;
    private final String address;
    private final ChannelHandler vertx;

    /**
     * @param vertx makes the accepted connection one of Vert.x
     */
    PlainEntry(VertxEngine engine, String address, ChannelHandler vertx) {
        this.engine = engine;
        this.address = address;
        this.vertx = vertx;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        begin(added.channel());
        added.pipeline().remove(this);
    }

    /** Gives {@code accepted} to the listener of its loop. */
    void begin(Channel accepted) {
        PlainListener listener =
                engine.loopOf(accepted.eventLoop()).plainPorts().newest(address);
        if (listener == null) {
            accepted.close();
        } else {
            listener.accept(accepted, vertx);
        }
    }
}
