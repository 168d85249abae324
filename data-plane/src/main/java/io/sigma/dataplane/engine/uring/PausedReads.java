package io.sigma.dataplane.engine.uring;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.uring.IoUringBufferRingExhaustedEvent;
import io.netty.channel.uring.IoUringSocketChannel;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a connection that is not to be read from being read when the ring of buffers runs out. Netty 4.2 asks for all
 * that such a connection will ever receive again then, and does not look whether anybody wants it: what a fast sender
 * sends to a slow receiver would pile up here without end. The connection is taken off the ring instead, and read piece
 * by piece from then on. Keeps nothing of a connection.
 */
@ChannelHandler.Sharable
public final class PausedReads extends ChannelInboundHandlerAdapter {

    private static final PausedReads INSTANCE = new PausedReads();
    /** The ring that a channel reads through; Netty has no other way to take it from one. */
    private static final @Nullable VarHandle RING = ring();

    private PausedReads() {}

    /** Returns whether connections can be taken off a ring. Without that none must read through one. */
    static boolean areKept() {
        return RING != null;
    }

    /** Watches {@code pipeline}, if it may read through a ring. To be called on its event loop. */
    public static void watch(ChannelPipeline pipeline) {
        if (pipeline.channel() instanceof IoUringSocketChannel) {
            pipeline.addFirst(INSTANCE);
        }
    }

    /**
     * Takes {@code event}, for handlers that are there anyway. A read ends when the ring has run out of buffers, and is
     * submitted again when the event has been taken.
     *
     * @return whether it said that the ring has run out, which concerns nobody else
     */
    public static boolean heard(Channel channel, Object event) {
        if (!(event instanceof IoUringBufferRingExhaustedEvent)) {
            return false;
        }
        if (RING != null && !channel.config().isAutoRead()) {
            RING.set(channel, null);
        }
        return true;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext triggered, Object event) {
        if (!heard(triggered.channel(), event)) {
            triggered.fireUserEventTriggered(event);
        }
    }

    private static @Nullable VarHandle ring() {
        Class<?> declaring = IoUringSocketChannel.class.getSuperclass();
        try {
            MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(declaring, MethodHandles.lookup());
            Class<?> type = declaring.getDeclaredField("bufferRing").getType();
            return lookup.findVarHandle(declaring, "bufferRing", type);
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }
}
