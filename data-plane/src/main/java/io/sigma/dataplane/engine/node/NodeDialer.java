package io.sigma.dataplane.engine.node;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.sigma.dataplane.engine.framed.FramedLoop;
import io.sigma.dataplane.engine.framed.FramedNodeLink;
import io.sigma.dataplane.engine.http1.Http1Loop;
import io.sigma.dataplane.engine.http1.NodeLink;
import io.sigma.dataplane.engine.http2.node.Http2NodeLink;
import io.sigma.dataplane.engine.tls.NodeTls;
import io.sigma.dataplane.engine.tls.TlsEnd;
import io.sigma.dataplane.engine.uring.LateTimer;
import io.sigma.dataplane.engine.uring.PausedReads;
import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.upstream.Connector;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.dataplane.upstream.NotHttp2;
import io.sigma.dataplane.upstream.PooledConnection;
import io.sigma.dataplane.upstream.pool.SocketBudget;
import io.sigma.dataplane.upstream.proxied.ProxiedClient;
import io.sigma.model.NodeProtocol;
import io.vertx.core.Future;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.spi.transport.Transport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens connections to nodes: the socket, TLS where it is wanted, then HTTP/1.1 or HTTP/2. The pools of upstreams call
 * it. Thread-safe.
 */
public final class NodeDialer {

    /** Longest that an attempt runs on after the request that caused it has stopped waiting. */
    private static final int CONNECT_MILLIS_MAX = 60_000;

    /** The time for an answer in HTTP/2 of a node that may speak only HTTP/1.1, in milliseconds. */
    private static final int TRIAL_MILLIS = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(NodeDialer.class);

    private final Transport transport;
    private final NodeTls tls;
    private final Destinations destinations;
    private final SocketBudget sockets;
    private final List<Http1Loop> loops;
    private final List<FramedLoop> framed;
    private final UntrustedNodes untrusted = new UntrustedNodes();
    private final Dialing standard = new Dialing(this, null, false, null);
    private volatile boolean closed;
    /** Connections, and what is on its way to be one. */
    private final ChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);

    /**
     * @param sockets the budget of connections
     * @param framed by the index of their event loop, as {@code loops}
     */
    public NodeDialer(
            Transport transport,
            NodeTls tls,
            Destinations destinations,
            SocketBudget sockets,
            List<Http1Loop> loops,
            List<FramedLoop> framed) {
        this.framed = List.copyOf(framed);
        this.transport = transport;
        this.tls = tls;
        this.destinations = destinations;
        this.sockets = sockets;
        this.loops = List.copyOf(loops);
    }

    boolean hasRoomInAdvance() {
        return sockets.hasRoomInAdvance();
    }

    /** Returns what opens connections as the configuration says. */
    public Connector connector() {
        return standard;
    }

    /**
     * Opens a connection over which no HTTP is spoken, on {@code loop}, on which one of both is called.
     *
     * @param encrypts whether TLS is spoken to a node whose URL says so; nothing is agreed on by ALPN
     * @param client that a PROXY header describes
     * @param onConnected takes the connection, which is open
     */
    public void open(
            NodeEndpoint endpoint,
            Loop loop,
            boolean encrypts,
            ProxiedClient client,
            Consumer<Channel> onConnected,
            Consumer<Throwable> onFailed) {
        NodeEndpoint.Key key = endpoint.key();
        Dialing dialing = new Dialing(this, List.of(), false, client);
        Attempt attempt = new Attempt(dialing, key, loops.get(loop.index()), NodeDialer::unexpected, onFailed);
        attempt.raw = onConnected;
        attempt.encrypts = encrypts && key.tls();
        attempt.begin();
    }

    /** Returns the address of a node, on any thread; fails when the guard refuses it. */
    public Future<InetSocketAddress> addressOf(NodeEndpoint node) {
        return destinations.of(node.key().url().host(), node.key().port());
    }

    void dial(
            Dialing dialing,
            NodeEndpoint endpoint,
            Loop loop,
            Consumer<PooledConnection> onConnected,
            Consumer<Throwable> onFailed) {
        Attempt attempt = new Attempt(dialing, endpoint.key(), loops.get(loop.index()), onConnected, onFailed);
        attempt.framed = dialing.framed() == null ? null : framed.get(loop.index());
        attempt.begin();
    }

    private static void unexpected(PooledConnection connection) {
        throw new IllegalStateException("no HTTP is spoken: " + connection);
    }

    /** Closes all connections and what is on its way to be one; whoever wants another one is refused. */
    public void close() {
        closed = true;
        channels.close();
    }

    /** A connection that is being opened. Confined to the event loop. */
    private final class Attempt {

        private final Dialing dialing;
        private final NodeEndpoint.Key key;
        private final Http1Loop loop;
        private final Consumer<PooledConnection> onConnected;
        private final Consumer<Throwable> onFailed;
        /** Takes a connection over which no HTTP is spoken; null for HTTP. */
        private @Nullable Consumer<Channel> raw;

        /** Speaks the framed protocol on the connection. Null for HTTP. */
        private @Nullable FramedLoop framed;

        private boolean encrypts;
        private boolean over;

        Attempt(
                Dialing dialing,
                NodeEndpoint.Key key,
                Http1Loop loop,
                Consumer<PooledConnection> onConnected,
                Consumer<Throwable> onFailed) {
            this.dialing = dialing;
            this.key = key;
            this.loop = loop;
            this.onConnected = onConnected;
            this.onFailed = onFailed;
            this.encrypts = key.tls();
        }

        private void later(Runnable task) {
            try {
                loop.eventLoop().execute(task);
            } catch (RejectedExecutionException e) {
                LOG.debug("The event loop has ended, so no connection to {} opens", key.url(), e);
            }
        }

        void begin() {
            if (!encrypts) {
                locate(null);
                return;
            }
            try {
                tls.context(key.clientTls(), dialing.names(key.protocol()))
                        .whenComplete((context, cause) -> onLoop(() -> {
                            if (cause == null) {
                                locate(context);
                            } else {
                                fail(cause);
                            }
                        }));
            } catch (IllegalStateException e) {
                later(() -> fail(e));
            }
        }

        private void onLoop(Runnable task) {
            if (loop.eventLoop().inEventLoop()) {
                task.run();
            } else {
                later(task);
            }
        }

        private void locate(@Nullable SslContext context) {
            destinations
                    .of(key.url().host(), key.port())
                    .onComplete(
                            address -> onLoop(() -> connect(address, context)),
                            // The caller is not ready for an answer yet.
                            cause -> later(() -> fail(cause)));
        }

        private void connect(InetSocketAddress address, @Nullable SslContext context) {
            if (closed) {
                later(() -> fail(new ClosedChannelException()));
                return;
            }
            if (!sockets.tryNode()) {
                later(() -> fail(new SocketBudget.Exhausted()));
                return;
            }
            ChannelFuture connecting = bootstrap().connect(address);
            Channel channel = connecting.channel();
            if (!connecting.isDone()) {
                channels.add(channel);
            }
            // Where no channel could be made, as without descriptors, this is called on no event loop.
            connecting.addListener(connected -> {
                if (!connected.isSuccess()) {
                    sockets.closed();
                    later(() -> fail(connected.cause()));
                    return;
                }
                channel.closeFuture().addListener(closed -> sockets.closed());
                begin(channel, context);
            });
        }

        private Bootstrap bootstrap() {
            Bootstrap bootstrap = new Bootstrap()
                    .group(loop.eventLoop())
                    .channelFactory(transport.channelFactory(false))
                    .disableResolver()
                    .option(ChannelOption.ALLOCATOR, ByteBufAllocator.DEFAULT)
                    .handler(NoHandler.INSTANCE);
            transport.configure(OPTIONS, CONNECT_MILLIS_MAX, false, bootstrap);
            return bootstrap;
        }

        private void begin(Channel channel, @Nullable SslContext context) {
            if (!channel.isActive()) {
                fail(new ClosedChannelException());
                return;
            }
            PausedReads.watch(channel.pipeline());
            if (key.proxyProtocol() != null) {
                // At once: readers of version 1 expect it whole in the first segment.
                channel.writeAndFlush(ProxyHeaderBytes.of(key.proxyProtocol(), dialing.client(), channel.alloc()));
            }
            if (dialing.trial()) {
                tryHttp2(channel);
            } else if (context == null) {
                speak(channel, key.protocol() == NodeProtocol.HTTP2);
            } else {
                encrypt(channel, context);
            }
        }

        private void encrypt(Channel channel, SslContext context) {
            SslHandler encryption = NodeTls.handler(
                    context,
                    channel,
                    NodeTls.peerName(key),
                    key.port(),
                    key.clientTls().verify());
            channel.pipeline().addLast(encryption).addLast(new ChannelInboundHandlerAdapter() {
                @Override
                public void userEventTriggered(ChannelHandlerContext triggered, Object event) {
                    if (!(event instanceof SslHandshakeCompletionEvent handshake)) {
                        triggered.fireUserEventTriggered(event);
                    } else if (handshake.isSuccess()) {
                        TlsEnd.watch(triggered.pipeline());
                        agreed(channel, encryption.applicationProtocol());
                        triggered.pipeline().remove(this);
                    } else {
                        untrusted.handshakeFailed(
                                key.url().text() + " (" + NodeTls.peerName(key) + ")", handshake.cause());
                        fail(handshake.cause());
                        channel.close();
                    }
                }

                @Override
                public void channelInactive(ChannelHandlerContext gone) {
                    fail(new ClosedChannelException());
                }

                @Override
                public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
                    // The handshake fails, which ends the connection.
                }
            });
        }

        private void agreed(Channel channel, @Nullable String protocol) {
            boolean http2 = ApplicationProtocolNames.HTTP_2.equals(protocol);
            boolean isHttp = raw == null && framed == null;
            if (isHttp && key.protocol() == NodeProtocol.HTTP2 && !http2) {
                fail(new IOException("the node does not speak HTTP/2"));
                channel.close();
            } else {
                speak(channel, http2);
            }
        }

        private void speak(Channel channel, boolean http2) {
            Consumer<Channel> taker = raw;
            if (taker != null) {
                over = true;
                taker.accept(channel);
                return;
            }
            ChannelPipeline pipeline = channel.pipeline();
            PooledConnection made;
            FramedLoop frames = framed;
            try {
                made = frames != null
                        ? FramedNodeLink.install(
                                channel,
                                Objects.requireNonNull(dialing.framed()),
                                frames,
                                key.pool().streamsMax())
                        : http2 ? http2(channel) : NodeLink.install(pipeline, loop);
            } catch (RuntimeException | Error e) {
                channel.close();
                fail(e);
                return;
            }
            succeed(made);
        }

        private Http2NodeLink http2(Channel channel) {
            return Http2NodeLink.install(
                    channel.pipeline(), loop.flusher(), key.pool().streamsMax(), key.tls());
        }

        /** Speaks HTTP/2, and waits for the node to do so, too: no request is to fail on a node that does not. */
        private void tryHttp2(Channel channel) {
            Http2NodeLink link;
            try {
                link = http2(channel);
            } catch (RuntimeException | Error e) {
                channel.close();
                fail(e);
                return;
            }
            LateTimer late = LateTimer.start(loop.eventLoop(), TRIAL_MILLIS, () -> {
                fail(new NotHttp2(false));
                channel.close();
            });
            link.whenSettled(() -> {
                late.cancel();
                if (link.isSettled()) {
                    succeed(link);
                } else {
                    fail(new NotHttp2(link.isAnswered()));
                }
            });
        }

        private void succeed(PooledConnection made) {
            if (!over) {
                over = true;
                onConnected.accept(made);
            }
        }

        private void fail(Throwable cause) {
            if (!over) {
                over = true;
                onFailed.accept(cause);
            }
        }
    }

    private static final NetClientOptions OPTIONS = new NetClientOptions().setTcpNoDelay(true);
}
