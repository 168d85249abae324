package io.sigma.dataplane.engine.accept;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.InternetProtocolFamily;
import io.vertx.core.datagram.DatagramSocketOptions;
import io.vertx.core.net.ClientOptionsBase;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.transport.Transport;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/** Does what another transport does. Thread-safe. */
abstract class DelegatingTransport implements Transport {

    private final Transport real;

    DelegatingTransport(Transport real) {
        this.real = real;
    }

    /** Returns what does the work of {@code transport}: sockets are of its kind. */
    static Transport real(Transport transport) {
        return transport instanceof DelegatingTransport delegating ? real(delegating.real) : transport;
    }

    @Override
    public boolean supportsDomainSockets() {
        return real.supportsDomainSockets();
    }

    @Override
    public boolean supportFileRegion() {
        return real.supportFileRegion();
    }

    @Override
    public boolean isAvailable() {
        return real.isAvailable();
    }

    @Override
    public @Nullable Throwable unavailabilityCause() {
        return real.unavailabilityCause();
    }

    @Override
    public java.net.SocketAddress convert(SocketAddress address) {
        return real.convert(address);
    }

    @Override
    public SocketAddress convert(java.net.SocketAddress address) {
        return real.convert(address);
    }

    @Override
    public IoHandlerFactory ioHandlerFactory() {
        return real.ioHandlerFactory();
    }

    @Override
    public EventLoopGroup eventLoopGroup(int type, int threads, ThreadFactory factory, int ioRatio) {
        return real.eventLoopGroup(type, threads, factory, ioRatio);
    }

    @Override
    public DatagramChannel datagramChannel() {
        return real.datagramChannel();
    }

    @Override
    @SuppressWarnings("deprecation") // The interface has it.
    public DatagramChannel datagramChannel(InternetProtocolFamily family) {
        return real.datagramChannel(family);
    }

    @Override
    public ChannelFactory<? extends Channel> channelFactory(boolean domainSocket) {
        return real.channelFactory(domainSocket);
    }

    @Override
    public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
        return real.serverChannelFactory(domainSocket);
    }

    @Override
    public void configure(DatagramChannel channel, DatagramSocketOptions options) {
        real.configure(channel, options);
    }

    @Override
    public void configure(ClientOptionsBase options, int connectTimeout, boolean domainSocket, Bootstrap bootstrap) {
        real.configure(options, connectTimeout, domainSocket, bootstrap);
    }

    @Override
    public void configure(NetServerOptions options, boolean domainSocket, ServerBootstrap bootstrap) {
        real.configure(options, domainSocket, bootstrap);
    }
}
