package io.sigma.controlplane.port;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.sigma.limit.AddressBlock;
import io.sigma.limit.ConnectionTable;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.HttpServerImpl;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.internal.VertxWrapper;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.core.net.impl.NetServerImpl;
import io.vertx.core.net.impl.NetServerInternal;
import io.vertx.core.spi.transport.Transport;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds the connections of a server from when they are accepted, and the time that a head takes. Vert.x tells of a
 * connection after its TLS handshake only, and waits for heads without an end. Thread-safe.
 */
public final class GuardedPort {

    private static final Logger LOG = LoggerFactory.getLogger(GuardedPort.class);

    private static final long LOG_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final PortLimits limits;
    private final ConnectionTable<Channel> connections;
    private final AtomicLong ended = new AtomicLong();

    // Confined to the acceptor.
    private long unsaid;
    private long saidAt = System.nanoTime() - LOG_NANOS;

    public GuardedPort(PortLimits limits) {
        this.limits = limits;
        this.connections = new ConnectionTable<>(limits.connectionsMax(), limits.ofAddressMax());
    }

    /** Returns a server whose connections are bounded. Called on the context that it runs on. */
    public HttpServer server(Vertx vertx, HttpServerOptions options) {
        return new HttpServerImpl(new AcceptingVertx((VertxInternal) vertx), options)
                .connectionHandler(ResponseVersion::of);
    }

    /** Notes that the head of a request is complete. */
    public void begun(HttpConnection connection) {
        HeadDeadline deadline = channel(connection).pipeline().get(HeadDeadline.class);
        if (deadline != null) {
            deadline.begun();
        }
    }

    /** Notes that it is known who asks: the connection does not make room for others until {@link #ended}. */
    public void known(HttpConnection connection) {
        connections.begun(channel(connection));
    }

    /** Notes that a request is answered. */
    public void ended(HttpConnection connection) {
        Channel channel = channel(connection);
        connections.ended(channel);
        HeadDeadline deadline = channel.pipeline().get(HeadDeadline.class);
        if (deadline != null) {
            deadline.ended();
        }
    }

    /** Stops counting a connection, and gives it any time: somebody else does. */
    public void release(HttpConnection connection) {
        begun(connection);
        connections.closed(channel(connection));
    }

    /** Returns how many connections are open. */
    public int size() {
        return connections.size();
    }

    /** Returns how many connections were closed for want of room. */
    public long closedForRoom() {
        return ended.get();
    }

    private static Channel channel(HttpConnection connection) {
        return ((ConnectionBase) connection).channel();
    }

    private void accepted(ChannelHandlerContext acceptor, Channel channel) {
        InetAddress address = channel.remoteAddress() instanceof InetSocketAddress peer && peer.getAddress() != null
                ? peer.getAddress()
                : null;
        boolean shared = address != null && limits.shared().contains(address);
        String block = address == null ? "" : AddressBlock.of(address);
        Channel victim = connections.opened(block, channel, shared);
        if (victim != null) {
            tell(block);
        }
        if (channel.equals(victim)) {
            // It has no event loop yet, on which it could be closed in order.
            channel.unsafe().closeForcibly();
            return;
        }
        if (victim != null) {
            // Past the handler of Vert.x, which would first write what the peer does not read.
            victim.pipeline().firstContext().close();
        }
        channel.pipeline().addLast(new HeadDeadline(limits.head(), limits.idle(), connections::closed));
        acceptor.fireChannelRead(channel);
    }

    private void tell(String block) {
        ended.incrementAndGet();
        unsaid++;
        long now = System.nanoTime();
        if (now - saidAt >= LOG_NANOS) {
            LOG.warn(
                    "The {} has no room: {} connections were closed for others since the last message; {} are open, the"
                            + " newest from {}",
                    limits.name(),
                    unsaid,
                    connections.size(),
                    block);
            saidAt = now;
            unsaid = 0;
        }
    }

    private final class Acceptor extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext context, Object accepted) {
            accepted(context, (Channel) accepted);
        }
    }

    /** A Vert.x whose servers show each connection first. */
    private final class AcceptingVertx extends VertxWrapper {

        private final Transport transport;

        AcceptingVertx(VertxInternal delegate) {
            super(delegate);
            Transport real = delegate.transport();
            transport = (Transport) Proxy.newProxyInstance(
                    GuardedPort.class.getClassLoader(),
                    new Class<?>[] {Transport.class},
                    (proxy, method, arguments) -> configured(real, method, arguments));
        }

        @Override
        public Transport transport() {
            return transport;
        }

        @Override
        public NetServerInternal createNetServer(NetServerOptions options) {
            return new NetServerImpl(this, options);
        }
    }

    /** Lets this port see each connection, after what the transport has at its ports. */
    private void add(ServerBootstrap bootstrap) {
        ChannelHandler before = bootstrap.config().handler();
        bootstrap.handler(new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel listening) {
                if (before != null) {
                    listening.pipeline().addLast(before);
                }
                listening.pipeline().addLast(new Acceptor());
            }
        });
    }

    private @Nullable Object configured(Transport real, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            Object result = method.invoke(real, arguments);
            if (arguments != null
                    && arguments.length == 3
                    && arguments[2] instanceof ServerBootstrap bootstrap
                    && method.getName().equals("configure")) {
                add(bootstrap);
            }
            return result;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
