package io.sigma.dataplane.engine.http1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.sigma.dataplane.exchange.Exchange;
import java.util.concurrent.TimeUnit;

/**
 * Two connections that are one after a protocol switch: what one side sends is written to the other, and a side that does not
 * read stops the other from sending. Confined to the event loop.
 */
final class Tunnel {

    /** How long what was written before the end may take to leave. */
    private static final long FLUSH_SECONDS = 5;

    private final ClientLink client;
    private final NodeLink node;
    private final Exchange exchange;
    private final Runnable onClosed;
    private boolean closed;

    Tunnel(ClientLink client, NodeLink node, Exchange exchange, Runnable onClosed) {
        this.client = client;
        this.node = node;
        this.exchange = exchange;
        this.onClosed = onClosed;
    }

    /** Passes on what the client sent, and releases it. */
    void fromClient(ByteBuf data) {
        if (closed) {
            data.release();
            return;
        }
        int length = data.readableBytes();
        exchange.received(length);
        node.output().write(data);
        boolean writable = node.output().isWritable();
        client.read(writable);
        if (!writable) {
            client.grew(length);
        }
    }

    /** Passes on what the node sent, and releases it. */
    void fromNode(ByteBuf data) {
        if (closed) {
            data.release();
            return;
        }
        exchange.sent(data.readableBytes());
        client.output().write(data);
        node.read(client.output().isWritable());
    }

    void clientWritable() {
        node.read(client.output().isWritable());
    }

    void nodeWritable() {
        client.read(node.output().isWritable());
    }

    /** Either side's end ends both; what was written before is sent first, as long as somebody reads it. */
    void close() {
        if (closed) {
            return;
        }
        closed = true;
        Channel clientChannel = client.context().channel();
        Channel nodeChannel = node.context().channel();
        flushAndClose(client.output(), clientChannel);
        flushAndClose(node.output(), nodeChannel);
        clientChannel
                .closeFuture()
                .addListener(ignored -> nodeChannel.closeFuture().addListener(done -> onClosed.run()));
    }

    private static void flushAndClose(Output output, Channel channel) {
        output.flushNow();
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        var late = channel.eventLoop().schedule(() -> channel.close(), FLUSH_SECONDS, TimeUnit.SECONDS);
        channel.closeFuture().addListener(ignored -> late.cancel(false));
    }
}
