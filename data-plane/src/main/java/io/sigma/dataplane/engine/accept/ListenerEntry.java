package io.sigma.dataplane.engine.accept;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import java.util.List;
import java.util.Map;

/**
 * The first handler of an accepted connection: gives the connection to the newest listener of its address. Stateless.
 */
@ChannelHandler.Sharable
final class ListenerEntry extends ChannelInboundHandlerAdapter {

    private final String address;
    private final List<TrafficLoop> loops;

    /**
     * @param loops each connection belongs to one of them
     */
    ListenerEntry(String address, List<TrafficLoop> loops) {
        this.address = address;
        this.loops = loops;
    }

    /**
     * Has {@code bootstrap} give each connection to the next loop, where the event loop that accepts is not to have
     * all.
     *
     * @param refusing handles what accepting fails with
     */
    void distribute(ServerBootstrap bootstrap, Refusing refusing) {
        bootstrap.handler(new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel listening) {
                listening
                        .pipeline()
                        .addLast(refusing, new Distributor(bootstrap.config().childOptions()));
            }
        });
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // A loop is a thread.
    public void handlerAdded(ChannelHandlerContext added) {
        for (TrafficLoop loop : loops) {
            if (loop.context().nettyEventLoop() == added.channel().eventLoop()) {
                begin(loop, added.channel());
                break;
            }
        }
        added.pipeline().remove(this);
    }

    /** Gives {@code accepted}, a connection of {@code loop}, to its listener. */
    void begin(TrafficLoop loop, Channel accepted) {
        LoopListener listener = loop.listeners().newest(address);
        if (listener == null) {
            accepted.close();
        } else {
            listener.accept(accepted);
        }
    }

    /** Confined to the event loop that accepts. */
    private final class Distributor extends ChannelInboundHandlerAdapter {

        private final Map<ChannelOption<?>, Object> options;
        private int next;

        Distributor(Map<ChannelOption<?>, Object> options) {
            this.options = options;
        }

        @Override
        public void channelRead(ChannelHandlerContext accepting, Object message) {
            Channel accepted = (Channel) message;
            accepted.config().setOptions(options);
            accepted.pipeline().addLast(ListenerEntry.this);
            next = (next + 1) % loops.size();
            loops.get(next).context().nettyEventLoop().register(accepted).addListener(registered -> {
                if (!registered.isSuccess()) {
                    accepted.unsafe().closeForcibly();
                }
            });
        }
    }
}
