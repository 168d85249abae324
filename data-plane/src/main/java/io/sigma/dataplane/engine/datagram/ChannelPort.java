package io.sigma.dataplane.engine.datagram;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.unix.Errors;
import io.netty.channel.unix.UnixChannel;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.PortUnreachableException;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A port that is a channel of Netty, as its last handler. Datagrams leave at the end of the loop iteration, with one
 * call where the transport can. Confined to the event loop.
 */
final class ChannelPort extends ChannelInboundHandlerAdapter implements Port {

    private static final Logger LOG = LoggerFactory.getLogger(ChannelPort.class);

    /** Errors of Linux for an unreachable peer: ENETUNREACH, ECONNREFUSED, EHOSTUNREACH. */
    private static final Set<Integer> UNREACHABLE = Set.of(-101, -111, -113);

    private final DatagramLoop loop;
    private final Taker taker;
    private final boolean connected;
    private final Runnable flush = this::flush;
    private @Nullable Channel channel;
    private boolean dirty;

    /**
     * @param connected whether it has one peer
     */
    ChannelPort(DatagramLoop loop, Taker taker, boolean connected) {
        this.loop = loop;
        this.taker = taker;
        this.connected = connected;
    }

    boolean isForClients() {
        return !connected;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        channel = added.channel();
    }

    private Channel channel() {
        return Objects.requireNonNull(channel);
    }

    @Override
    public void channelRead(ChannelHandlerContext reading, Object message) {
        if (!(message instanceof DatagramPacket packet)) {
            ReferenceCountUtil.release(message);
            return;
        }
        try {
            ByteBuf content = packet.content();
            int length = content.readableBytes();
            ByteBuf data = reading.alloc().directBuffer(length, Math.max(1, length));
            data.writeBytes(content, content.readerIndex(), length);
            taker.received(data, packet.sender());
        } finally {
            packet.release();
        }
    }

    @Override
    public boolean send(ByteBuf data, @Nullable InetSocketAddress to) {
        Channel open = channel();
        if (!open.isWritable()) {
            flush();
            if (!open.isWritable()) {
                data.release();
                return false;
            }
        }
        open.write(to == null ? data : new DatagramPacket(data, to), open.voidPromise());
        if (!dirty) {
            dirty = true;
            loop.loop().scheduler().afterTurn(flush);
        }
        return true;
    }

    private void flush() {
        dirty = false;
        channel().flush();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
        if (connected ? isUnreachable(cause) : cause instanceof IOException) {
            taker.failed(cause);
        } else if (cause instanceof IOException) {
            LOG.debug("A datagram could not be sent or received", cause);
        } else {
            LOG.error("A datagram could not be handled", cause);
        }
    }

    static boolean isUnreachable(Throwable cause) {
        return cause instanceof PortUnreachableException
                || cause instanceof NoRouteToHostException
                || (cause instanceof Errors.NativeIoException failure && UNREACHABLE.contains(failure.expectedErr()));
    }

    @Override
    public void pause() {
        channel().config().setAutoRead(false);
    }

    @Override
    public int descriptor() {
        return channel() instanceof UnixChannel socket && channel().isActive()
                ? socket.fd().intValue()
                : -1;
    }

    @Override
    public void close() {
        if (dirty) {
            flush();
        }
        channel().close();
    }
}
