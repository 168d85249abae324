package io.sigma.dataplane.engine.uring;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringBufferRingConfig;
import io.netty.channel.uring.IoUringChannelOption;
import io.netty.channel.uring.IoUringIoHandlerConfig;
import io.netty.util.internal.PlatformDependent;
import io.vertx.core.impl.transports.IoUringTransport;
import io.vertx.core.net.ClientOptionsBase;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.transport.Transport;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * io_uring with a ring of buffers that the kernel fills: one request to read serves a connection as long as it is open,
 * where otherwise each read is asked for by itself, and a connection that waits holds no buffer. Measured in ADR 16.
 * Immutable.
 */
public final class TunedIoUring implements Transport {

    static final short GROUP = 1;
    /**
     * Buffers of an event loop, all there from the beginning; each that was filled is replaced by another one at once.
     */
    private static final short BUFFERS = 64;

    /**
     * Large for bodies, and no power of two, so that the first octets of all buffers fall into different sets of the
     * caches.
     */
    private static final int BUFFER_BYTES = 64 * 1024 + 4 * 1024 + 64;

    /**
     * Completions that fit until they are looked at; ten thousand connections that close at once overflow Netty's
     * 4,096.
     */
    static final int COMPLETIONS = 16 * 1024;

    /** Returns the transport; null when this machine has no io_uring. */
    public static @Nullable Transport ifAvailable() {
        boolean available = Transport.IO_URING != null && Transport.IO_URING.available();
        return available ? new TunedIoUring() : null;
    }

    private TunedIoUring() {}

    @Override
    public String name() {
        return "io_uring";
    }

    @Override
    public boolean available() {
        return true;
    }

    @Override
    public @Nullable Throwable unavailabilityCause() {
        return null;
    }

    @Override
    public io.vertx.core.spi.transport.Transport implementation() {
        return new Tuned();
    }

    /**
     * Has sockets that {@code bootstrap} binds accept without Netty's channels, where connections read through a ring
     * and nothing is to be set on each of them.
     *
     * @param accepted called with each connection, on its event loop
     * @param refuse resets what waits at the socket, when the process has no descriptor left for it; returns whether
     *     nothing waits any more
     * @return false where Netty accepts
     */
    public static boolean accept(ServerBootstrap bootstrap, Consumer<Channel> accepted, Predicate<Channel> refuse) {
        Map<ChannelOption<?>, Object> options = bootstrap.config().childOptions();
        if (RingChannel.isAvailable()
                && options.keySet()
                        .equals(Set.of(IoUringChannelOption.IO_URING_BUFFER_GROUP_ID, ChannelOption.ALLOCATOR))) {
            var allocator = (ByteBufAllocator) options.get(ChannelOption.ALLOCATOR);
            RingAcceptor.install(bootstrap, GROUP, Objects.requireNonNull(allocator), accepted, refuse);
            return true;
        }
        return false;
    }

    /** Returns whether {@code transport} is this one, and sockets can accept in the way of {@link #accept}. */
    public static boolean takesSockets(io.vertx.core.spi.transport.Transport transport) {
        return transport instanceof Tuned tuned && tuned.rings && RingChannel.isAvailable();
    }

    /** Returns what makes the channel of a socket that another process has bound; {@link #accept} is for these, too. */
    public static ChannelFactory<ServerChannel> inherited(int fd) {
        return () -> new InheritedSocket(fd);
    }

    private static final class Tuned extends IoUringTransport {

        /** Since Linux 5.19; before it everything else works as well. */
        private final boolean rings = IoUring.isRegisterBufferRingSupported() && PausedReads.areKept();

        @Override
        public IoHandlerFactory ioHandlerFactory() {
            IoUringIoHandlerConfig config = new IoUringIoHandlerConfig();
            if (rings) {
                config.setCqSize(COMPLETIONS);
                config.setBufferRingConfig(IoUringBufferRingConfig.builder()
                        .bufferGroupId(GROUP)
                        .bufferRingSize(BUFFERS)
                        .batchSize(BUFFERS)
                        .incremental(false)
                        .allocator(RecycledBuffers.of(
                                BUFFER_BYTES,
                                Runtime.getRuntime().availableProcessors(),
                                PlatformDependent.maxDirectMemory()))
                        .build());
            }
            return RingHandler.factory(config);
        }

        /** Connections to nodes. */
        @Override
        public ChannelFactory<? extends Channel> channelFactory(boolean domainSocket) {
            return rings && !domainSocket && RingChannel.isAvailable()
                    ? () -> new RingChannel(GROUP)
                    : super.channelFactory(domainSocket);
        }

        @Override
        public void configure(NetServerOptions options, boolean domainSocket, ServerBootstrap bootstrap) {
            super.configure(options, domainSocket, bootstrap);
            if (rings) {
                bootstrap.childOption(IoUringChannelOption.IO_URING_BUFFER_GROUP_ID, GROUP);
            }
        }

        @Override
        public void configure(
                ClientOptionsBase options, int connectTimeout, boolean domainSocket, Bootstrap bootstrap) {
            super.configure(options, connectTimeout, domainSocket, bootstrap);
            if (rings) {
                bootstrap.option(IoUringChannelOption.IO_URING_BUFFER_GROUP_ID, GROUP);
            }
        }
    }
}
