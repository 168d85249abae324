package io.sigma.dataplane.engine.vertx;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.InternetProtocolFamily;
import io.vertx.core.datagram.DatagramSocketOptions;
import io.vertx.core.net.ClientOptionsBase;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.spi.transport.Transport;
import java.net.SocketAddress;
import java.util.concurrent.ThreadFactory;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A transport like another one that lets somebody see accepted connections first, and does not set on each of them what a
 * socket is set to anyway: that is a system call each. Immutable.
 */
final class AcceptingTransport implements Transport {

    private final Transport delegate;
    private final UnaryOperator<ChannelHandler> entry;
    private final boolean ownLoop;

    /**
     * @param ownLoop whether the event loop of a connection is the one that accepts it
     */
    AcceptingTransport(Transport delegate, UnaryOperator<ChannelHandler> entry, boolean ownLoop) {
        this.delegate = delegate;
        this.entry = entry;
        this.ownLoop = ownLoop;
    }

    @Override
    public void configure(NetServerOptions options, boolean domainSocket, ServerBootstrap bootstrap) {
        delegate.configure(options, domainSocket, bootstrap);
        bootstrap.config().childOptions().forEach((option, value) -> {
            if (isStandard(option, value)) {
                bootstrap.childOption(option, null);
            }
        });
        ChannelHandler begun = entry.apply(bootstrap.config().childHandler());
        bootstrap.childHandler(begun);
        if (ownLoop && begun instanceof PlainEntry plain) {
            TunedIoUring.accept(bootstrap, plain::begin);
        }
    }

    /** Returns whether a socket, or Netty, has that value for itself. */
    private static boolean isStandard(ChannelOption<?> option, Object value) {
        return value.equals(option.equals(ChannelOption.TCP_NODELAY)) || value.equals(0);
    }

    @Override
    public boolean supportsDomainSockets() {
        return delegate.supportsDomainSockets();
    }

    @Override
    public boolean supportFileRegion() {
        return delegate.supportFileRegion();
    }

    @Override
    public boolean isAvailable() {
        return delegate.isAvailable();
    }

    @Override
    public Throwable unavailabilityCause() {
        return delegate.unavailabilityCause();
    }

    @Override
    public SocketAddress convert(io.vertx.core.net.SocketAddress address) {
        return delegate.convert(address);
    }

    @Override
    public io.vertx.core.net.@Nullable SocketAddress convert(SocketAddress address) {
        return delegate.convert(address);
    }

    @Override
    public IoHandlerFactory ioHandlerFactory() {
        return delegate.ioHandlerFactory();
    }

    @Override
    public EventLoopGroup eventLoopGroup(int type, int threads, ThreadFactory factory, int ioRatio) {
        return delegate.eventLoopGroup(type, threads, factory, ioRatio);
    }

    @Override
    public DatagramChannel datagramChannel() {
        return delegate.datagramChannel();
    }

    @Override
    @SuppressWarnings("deprecation") // The type is that of the interface.
    public DatagramChannel datagramChannel(InternetProtocolFamily family) {
        return delegate.datagramChannel(family);
    }

    @Override
    public ChannelFactory<? extends Channel> channelFactory(boolean domainSocket) {
        return delegate.channelFactory(domainSocket);
    }

    @Override
    public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
        return delegate.serverChannelFactory(domainSocket);
    }

    @Override
    public void configure(DatagramChannel channel, DatagramSocketOptions options) {
        delegate.configure(channel, options);
    }

    @Override
    public void configure(ClientOptionsBase options, int connectTimeout, boolean domainSocket, Bootstrap bootstrap) {
        delegate.configure(options, connectTimeout, domainSocket, bootstrap);
    }
}
