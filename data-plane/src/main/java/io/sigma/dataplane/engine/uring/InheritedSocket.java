package io.sigma.dataplane.engine.uring;

import io.netty.channel.AbstractServerChannel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelOption;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.EventLoop;
import io.netty.channel.IoEventLoop;
import io.netty.channel.unix.FileDescriptor;
import io.netty.channel.unix.Socket;
import io.netty.channel.unix.UnixChannel;
import io.netty.util.NetUtil;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A socket that listens already, because another process made it. Netty's own channel of io_uring cannot be given one.
 * {@link RingAcceptor} accepts from it. Confined to the event loop, except what Netty lets any thread ask.
 */
final class InheritedSocket extends AbstractServerChannel implements UnixChannel {

    private final Socket socket;
    private final ChannelConfig config = new Kept();
    private volatile boolean open = true;

    /**
     * @param fd which does not block; closed with the channel
     */
    InheritedSocket(int fd) {
        this.socket = new Socket(fd);
    }

    /** The process that made the socket has set its options. */
    private final class Kept extends DefaultChannelConfig {

        Kept() {
            super(InheritedSocket.this);
        }

        @Override
        public <T> boolean setOption(ChannelOption<T> option, T value) {
            if (!super.setOption(option, value)) {
                validate(option, value);
            }
            return true;
        }

        @Override
        public @Nullable <T> T getOption(ChannelOption<T> option) {
            if (option.equals(ChannelOption.SO_BACKLOG)) {
                @SuppressWarnings("unchecked")
                T most = (T) Integer.valueOf(NetUtil.SOMAXCONN);
                return most;
            }
            return super.getOption(option);
        }

        @Override
        public Map<ChannelOption<?>, Object> getOptions() {
            return getOptions(super.getOptions(), ChannelOption.SO_BACKLOG);
        }
    }

    @Override
    public FileDescriptor fd() {
        return socket;
    }

    @Override
    public ChannelConfig config() {
        return config;
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public boolean isActive() {
        return open;
    }

    @Override
    protected boolean isCompatible(EventLoop loop) {
        return loop instanceof IoEventLoop;
    }

    @Override
    protected @Nullable SocketAddress localAddress0() {
        return socket.localAddress();
    }

    @Override
    protected void doBind(SocketAddress address) {
        throw new UnsupportedOperationException("it is bound");
    }

    /** It is read by {@link RingAcceptor} alone. */
    @Override
    protected void doBeginRead() {}

    @Override
    protected void doClose() throws IOException {
        open = false;
        socket.close();
    }
}
