package io.sigma.dataplane.engine.vertx;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandler;
import io.sigma.dataplane.engine.ServerBinding;
import io.sigma.dataplane.engine.http2.Http2Link;
import io.sigma.dataplane.loop.HeldMemory;
import io.sigma.model.ProxyServer;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.impl.Http1xOrH2CHandler;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.internal.VertxWrapper;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.core.net.impl.NetServerImpl;
import io.vertx.core.net.impl.NetServerInternal;
import io.vertx.core.net.impl.NetSocketImpl;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A Vert.x whose servers count and guard connections from when they are accepted. Without it the gateway would hear of a
 * connection with its first request only, and those that never send one could not be bounded.
 */
final class GuardedVertx extends VertxWrapper {

    private static final String SSL = "ssl";

    private final VertxEngine engine;
    private final ServerBinding binding;
    private final VertxLoop loop;
    private final ServerOptions options;
    private final Function<Channel, ServerOptions> optionsOf;
    private final @Nullable String plainAddress;
    private final @Nullable Function<ConnectionBase, Http2Link> links;

    /**
     * @param options of the server of this loop
     * @param optionsOf returns those of the server that an accepted connection is for; called on its event loop
     * @param plainAddress where HTTP/1.1 is spoken without Vert.x, by the {@link PlainListener} of that address; null for nowhere
     * @param links makes what speaks HTTP/2 on a connection; null to leave that to Vert.x
     */
    GuardedVertx(
            VertxEngine engine,
            ServerBinding binding,
            VertxLoop loop,
            ServerOptions options,
            Function<Channel, ServerOptions> optionsOf,
            @Nullable String plainAddress,
            @Nullable Function<ConnectionBase, Http2Link> links) {
        super(engine.vertx());
        this.links = links;
        this.engine = engine;
        this.plainAddress = plainAddress;
        this.binding = binding;
        this.loop = loop;
        this.options = options;
        this.optionsOf = optionsOf;
    }

    @Override
    public NetServerInternal createNetServer(NetServerOptions copy) {
        options.listens(copy);
        boolean ownSocket = copy.isReusePort();
        VertxLoop acceptor = ownSocket || engine.loops().size() == 1 ? loop : null;
        VertxInternal accepting = new AcceptingVertx(delegate, this::entry, acceptor, ownSocket);
        return new GuardedServer(accepting, copy);
    }

    private final class GuardedServer extends NetServerImpl {

        GuardedServer(VertxInternal vertx, NetServerOptions options) {
            super(vertx, options);
        }

        @Override
        public synchronized NetServerInternal connectHandler(Handler<NetSocket> handler) {
            return super.connectHandler(socket -> {
                Channel channel = ((NetSocketImpl) socket).channel();
                ProxyServer source = options.follow();
                ClientGuard guard = channel.pipeline().get(ClientGuard.class);
                if (guard == null) {
                    guard = guard(channel.pipeline());
                    BeforeHttp.end(channel.pipeline());
                }
                String name = channel.pipeline().context(guard).name();
                channel.pipeline()
                        .addAfter(name, null, new Http2Guard(source.http2().only()));
                Function<ConnectionBase, Http2Link> http2 = links;
                if (http2 != null && isHttp2(channel)) {
                    http2.apply((NetSocketImpl) socket).install(channel.pipeline());
                    return;
                }
                handler.handle(socket);
                RequestDecoder.install(channel.pipeline(), options.http());
                ChannelHandlerContext detector = channel.pipeline().context(Http1xOrH2CHandler.class);
                if (detector != null) {
                    if (http2 != null) {
                        Http2Entry entry = new Http2Entry(() -> http2.apply((NetSocketImpl) socket));
                        channel.pipeline().addBefore(detector.name(), null, entry);
                    }
                    channel.pipeline()
                            .addAfter(detector.name(), null, new Http1Entry(options.http(), engine.nativeHttp1()));
                }
            });
        }
    }

    /** Returns whether HTTP/2 was agreed on in the handshake. */
    private static boolean isHttp2(Channel channel) {
        SslHandler encryption = channel.pipeline().get(SslHandler.class);
        return encryption != null && HttpVersion.HTTP_2.alpnName().equals(encryption.applicationProtocol());
    }

    /** Returns what an accepted connection begins with. */
    private ChannelHandler entry(ChannelHandler vertx) {
        if (plainAddress != null) {
            return new PlainEntry(engine, plainAddress, vertx);
        }
        return new ChannelInitializer<Channel>() {
            @Override
            protected void initChannel(Channel accepted) {
                ServerOptions its = optionsOf.apply(accepted);
                HeldMemory memory = engine.loopOf(accepted.eventLoop()).loop().memory();
                its.accept(accepted, vertx, its.follow().proxyProtocol(), memory);
            }
        };
    }

    private ClientGuard guard(ChannelPipeline pipeline) {
        ClientGuard guard = new ClientGuard(loop.loop().connectionDeadlines(), binding::limits);
        if (pipeline.get(SSL) == null) {
            pipeline.addFirst(guard);
        } else {
            pipeline.addAfter(SSL, null, guard);
            TlsEnd.watch(pipeline);
            SessionTickets.send(pipeline.get(SslHandler.class).engine());
            pipeline.context(guard).flush();
        }
        return guard;
    }
}
