package io.sigma.dataplane.engine.accept;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ServerChannel;
import io.sigma.dataplane.upstream.pool.RefusedWithoutDescriptor;
import io.vertx.core.impl.transports.NioTransport;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.transport.Transport;
import org.jspecify.annotations.Nullable;

/**
 * A transport of Vert.x whose ports reset new clients when the process has no descriptor left. Otherwise these clients
 * would wait without an answer. Each port keeps one descriptor for that. Thread-safe.
 */
public final class RefusingTransport implements Transport {

    private final Transport real;

    private RefusingTransport(Transport real) {
        this.real = real;
    }

    /** Returns {@code real} with ports that reset clients in want of a descriptor. */
    public static Transport of(Transport real) {
        return new RefusingTransport(real);
    }

    @Override
    public String name() {
        return real.name();
    }

    @Override
    public boolean available() {
        return real.available();
    }

    @Override
    public @Nullable Throwable unavailabilityCause() {
        return real.unavailabilityCause();
    }

    @Override
    public io.vertx.core.spi.transport.Transport implementation() {
        io.vertx.core.spi.transport.Transport made = real.implementation();
        // Vert.x knows NIO by its class.
        return made instanceof NioTransport ? new Nio() : new Native(made);
    }

    private static void guard(ServerBootstrap bootstrap, RefusedWithoutDescriptor refused) {
        bootstrap.handler(new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel listening) {
                ReserveDescriptor reserve = new ReserveDescriptor(refused);
                listening.closeFuture().addListener(closed -> reserve.close());
                listening.pipeline().addLast(new Refusing(reserve));
            }
        });
    }

    private static final class Nio extends NioTransport {

        private final RefusedWithoutDescriptor refused = new RefusedWithoutDescriptor();

        @Override
        public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
            return domainSocket ? super.serverChannelFactory(true) : ListeningNioChannel::new;
        }

        @Override
        public void configure(NetServerOptions options, boolean domainSocket, ServerBootstrap bootstrap) {
            super.configure(options, domainSocket, bootstrap);
            if (!domainSocket) {
                guard(bootstrap, refused);
            }
        }
    }

    private static final class Native extends DelegatingTransport {

        private final RefusedWithoutDescriptor refused = new RefusedWithoutDescriptor();

        Native(io.vertx.core.spi.transport.Transport real) {
            super(real);
        }

        @Override
        public void configure(NetServerOptions options, boolean domainSocket, ServerBootstrap bootstrap) {
            super.configure(options, domainSocket, bootstrap);
            if (!domainSocket) {
                guard(bootstrap, refused);
            }
        }
    }
}
