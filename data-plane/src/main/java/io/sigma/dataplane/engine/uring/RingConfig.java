package io.sigma.dataplane.engine.uring;

import io.netty.channel.ChannelException;
import io.netty.channel.ChannelOption;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.unix.Socket;
import java.io.IOException;

/** The settings of a connection. What a socket inherits from the one that listens is not set again. */
final class RingConfig extends DefaultChannelConfig {

    /** Nobody allocates what the kernel fills; Netty wants one. */
    private static final RecvByteBufAllocator UNUSED = new FixedRecvByteBufAllocator(1);

    private final RingChannel connection;

    RingConfig(RingChannel connection) {
        super(connection, UNUSED);
        this.connection = connection;
    }

    @Override
    public <T> boolean setOption(ChannelOption<T> option, T value) {
        if (!ChannelOption.SO_LINGER.equals(option)) {
            return super.setOption(option, value);
        }
        validate(option, value);
        if (connection.isOpen()) {
            try {
                new Socket(connection.fd()).setSoLinger((Integer) value);
            } catch (IOException e) {
                throw new ChannelException(e);
            }
        }
        return true;
    }

    @Override
    protected void autoReadCleared() {
        connection.pause();
    }
}
