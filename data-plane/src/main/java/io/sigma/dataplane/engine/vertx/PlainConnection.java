package io.sigma.dataplane.engine.vertx;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.sigma.dataplane.engine.http1.ClientLink;
import io.sigma.dataplane.engine.relay.Pieces;
import io.vertx.core.net.impl.ShutdownEvent;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A connection in plaintext: its first octets say whether the gateway speaks HTTP/1.1 on it, or Vert.x HTTP/2 (RFC 9113
 * §3.3). Confined to the event loop.
 */
final class PlainConnection extends ClientGuard implements ChannelFutureListener {

    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    /** How long one that is to end may say nothing. */
    private static final long FIRST_OCTETS_MILLIS = 1_000;

    private final PlainListener listener;
    private final Channel channel;
    private final long client;
    /** Makes it a connection of Vert.x; null when it is one, or must not become one. */
    private @Nullable ChannelHandler vertx;

    private @Nullable ClientLink link;
    private @Nullable ByteBuf held;
    private boolean handedOver;
    /** Null as long as its listener is open. */
    private @Nullable ShutdownEvent shutdown;

    /** Neighbours in the list of the listener. */
    @Nullable
    PlainConnection previous;

    @Nullable
    PlainConnection next;

    /**
     * @param client that it counts for
     * @param vertx makes it a connection of Vert.x; null when HTTP/2 is not spoken
     */
    PlainConnection(PlainListener listener, Channel channel, long client, @Nullable ChannelHandler vertx) {
        super(listener.loop().loop().connectionDeadlines(), listener.limits());
        this.listener = listener;
        this.channel = channel;
        this.client = client;
        this.vertx = vertx;
    }

    @Override
    public void channelRead(ChannelHandlerContext reading, Object message) {
        received();
        if (link != null || handedOver) {
            reading.fireChannelRead(message);
        } else {
            begin(reading, (ByteBuf) message);
        }
    }

    private void begin(ChannelHandlerContext reading, ByteBuf data) {
        ByteBuf before = held;
        // What is given away is not kept: it is released also when it fails.
        held = null;
        ByteBuf all = before == null ? data : Pieces.joined(channel.alloc(), before, data);
        ChannelHandler other = vertx;
        if (other == null || !isPreface(all)) {
            vertx = null;
            link = listener.link(channel, this);
            if (shutdown != null) {
                link.drain(shutdown);
            }
        } else if (all.readableBytes() >= PREFACE.length) {
            handedOver = true;
            listener.remove(this);
            listener.toVertx(channel, other);
        } else {
            held = all;
            return;
        }
        reading.fireChannelRead(all);
    }

    /** Returns whether what has arrived may still be the preface. */
    private static boolean isPreface(ByteBuf data) {
        int length = Math.min(data.readableBytes(), PREFACE.length);
        for (int i = 0; i < length; i++) {
            if (data.getByte(data.readerIndex() + i) != PREFACE[i]) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext removed) {
        super.handlerRemoved(removed);
        if (held != null) {
            held.release();
            held = null;
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
        if (link == null && !handedOver) {
            failed.close();
        } else {
            failed.fireExceptionCaught(cause);
        }
    }

    @Override
    @Nullable
    ClientLink link() {
        return link;
    }

    /** Makes the exchange that runs, or the next one that begins soon, the last one. */
    void shutdown(ShutdownEvent event) {
        shutdown = event;
        if (link != null) {
            link.drain(event);
        } else {
            // It has not said yet what it speaks.
            long millis = Math.min(event.timeUnit().toMillis(event.timeout()), FIRST_OCTETS_MILLIS);
            channel.eventLoop().schedule(this::closeIfSilent, millis, TimeUnit.MILLISECONDS);
        }
    }

    private void closeIfSilent() {
        if (link == null && !handedOver) {
            close();
        }
    }

    void close() {
        channel.close();
    }

    /** Returns the client that it counts for. */
    long client() {
        return client;
    }

    /** It is closed. */
    @Override
    public void operationComplete(ChannelFuture closed) {
        listener.closed(this);
    }
}
