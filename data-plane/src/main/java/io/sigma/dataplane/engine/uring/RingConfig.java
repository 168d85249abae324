package io.sigma.dataplane.engine.uring;

import io.netty.channel.ChannelException;
import io.netty.channel.ChannelOption;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.DefaultMessageSizeEstimator;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MessageSizeEstimator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.unix.Socket;
import io.netty.channel.uring.IoUringChannelOption;
import java.io.IOException;
import java.util.Set;

/**
 * The settings of a connection. An option that a socket has already, or inherits from the one that listens, is not set
 * again.
 */
final class RingConfig extends DefaultChannelConfig {

    /** Nobody allocates what the kernel fills; Netty wants one. */
    private static final RecvByteBufAllocator UNUSED = new FixedRecvByteBufAllocator(1);

    private static final MessageSizeEstimator.Handle OTHERS = DefaultMessageSizeEstimator.DEFAULT.newHandle();
    private static final MessageSizeEstimator.Handle SIZES =
            message -> message instanceof PipedBytes piece ? piece.length() : OTHERS.size(message);
    private static final MessageSizeEstimator ESTIMATOR = () -> SIZES;

    /** Options that are ignored: a ring connection always has them, or its socket does not support them. */
    private static final Set<ChannelOption<?>> GIVEN = Set.of(
            IoUringChannelOption.IO_URING_BUFFER_GROUP_ID,
            IoUringChannelOption.TCP_USER_TIMEOUT,
            IoUringChannelOption.TCP_QUICKACK,
            IoUringChannelOption.TCP_CORK);

    private final RingChannel connection;
    private boolean halfClosure;

    RingConfig(RingChannel connection) {
        super(connection, UNUSED);
        this.connection = connection;
    }

    @Override
    public MessageSizeEstimator getMessageSizeEstimator() {
        return ESTIMATOR;
    }

    /** Returns whether a connection goes on whose peer sends nothing more. */
    boolean allowsHalfClosure() {
        return halfClosure;
    }

    @Override
    public <T> boolean setOption(ChannelOption<T> option, T value) {
        if (option.equals(ChannelOption.ALLOW_HALF_CLOSURE)) {
            halfClosure = value.equals(true);
            return true;
        }
        if (GIVEN.contains(option)) {
            return isGiven(option, value);
        }
        if (!isOfSocket(option)) {
            return super.setOption(option, value);
        }
        validate(option, value);
        if (connection.isOpen()) {
            try {
                set(connection.socket(), option, value);
            } catch (IOException e) {
                throw new ChannelException(e);
            }
        }
        return true;
    }

    /** Returns whether {@code value} is what is done without being asked for. */
    private static boolean isGiven(ChannelOption<?> option, Object value) {
        return option.equals(IoUringChannelOption.IO_URING_BUFFER_GROUP_ID) || value.equals(0) || value.equals(false);
    }

    private static boolean isOfSocket(ChannelOption<?> option) {
        return option.equals(ChannelOption.SO_LINGER)
                || option.equals(ChannelOption.TCP_NODELAY)
                || option.equals(ChannelOption.SO_KEEPALIVE)
                || option.equals(ChannelOption.SO_REUSEADDR);
    }

    private static void set(Socket socket, ChannelOption<?> option, Object value) throws IOException {
        if (option.equals(ChannelOption.SO_LINGER)) {
            socket.setSoLinger((Integer) value);
        } else if (value.equals(false)) {
            return; // A new socket has none of them.
        } else if (option.equals(ChannelOption.TCP_NODELAY)) {
            socket.setTcpNoDelay(true);
        } else if (option.equals(ChannelOption.SO_KEEPALIVE)) {
            socket.setKeepAlive(true);
        } else {
            socket.setReuseAddress(true);
        }
    }

    @Override
    protected void autoReadCleared() {
        connection.pause();
    }
}
