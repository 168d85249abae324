package io.sigma.dataplane.engine.node;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.sigma.dataplane.engine.tls.NodeTls;
import io.sigma.model.NodeProxyProtocol;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.net.NetClientOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/**
 * A health check over a connection that may begin with a PROXY header, which the clients of Vert.x cannot send before
 * TLS. Confined to the event loop of its context.
 */
final class HeadedProbe {

    private static final int CONNECT_MILLIS_MAX = 60_000;
    private static final NetClientOptions OPTIONS = new NetClientOptions().setTcpNoDelay(true);

    /**
     * The TLS of a connection.
     *
     * @param name that is asked for and checked
     */
    record Encryption(SslContext context, String name, int port, boolean verify) {}

    private final ContextInternal context;
    private final @Nullable NodeProxyProtocol version;
    private @Nullable Channel channel;
    private boolean over;

    /**
     * @param version of the header; null for none
     */
    HeadedProbe(ContextInternal context, @Nullable NodeProxyProtocol version) {
        this.context = context;
        this.version = version;
    }

    /** Opens the connection, and sends the header if there is one. */
    Future<Channel> open(InetSocketAddress address) {
        Promise<Channel> promise = context.promise();
        Bootstrap bootstrap = new Bootstrap()
                .group(context.nettyEventLoop())
                .channelFactory(context.owner().transport().channelFactory(false))
                .disableResolver()
                .option(ChannelOption.ALLOCATOR, ByteBufAllocator.DEFAULT)
                .handler(NoHandler.INSTANCE);
        context.owner().transport().configure(OPTIONS, CONNECT_MILLIS_MAX, false, bootstrap);
        ChannelFuture connecting = bootstrap.connect(address);
        channel = connecting.channel();
        if (over) {
            end();
        }
        connecting.addListener(connected -> {
            if (connected.isSuccess()) {
                Channel opened = connecting.channel();
                if (version != null) {
                    opened.writeAndFlush(ProxyHeaderBytes.of(version, null, opened.alloc()));
                }
                promise.tryComplete(opened);
            } else {
                promise.tryFail(connected.cause());
            }
        });
        return promise.future();
    }

    /** Closes the connection: the check is over. */
    void end() {
        over = true;
        if (channel != null) {
            channel.close();
        }
    }

    /**
     * Sends {@code request} and returns the answer.
     *
     * @param encryption null for plaintext
     * @param request is released
     */
    Future<ProbeAnswer> ask(
            InetSocketAddress address, @Nullable Encryption encryption, boolean http2, FullHttpRequest request) {
        Promise<ProbeAnswer> promise = context.promise();
        open(address)
                .compose(opened ->
                        encryption == null ? context.succeededFuture(opened) : encrypt(opened, encryption, http2))
                .onComplete(ready -> send(ready, http2, encryption != null, request, promise), cause -> {
                    request.release();
                    promise.tryFail(cause);
                });
        return promise.future();
    }

    /**
     * Opens the connection.
     *
     * @param encryption null for plaintext
     */
    Future<Channel> open(InetSocketAddress address, @Nullable Encryption encryption) {
        return open(address)
                .compose(opened ->
                        encryption == null ? context.succeededFuture(opened) : encrypt(opened, encryption, false));
    }

    private Future<Channel> encrypt(Channel opened, Encryption encryption, boolean http2) {
        Promise<Channel> promise = context.promise();
        SslHandler handler = NodeTls.handler(
                encryption.context(), opened, encryption.name(), encryption.port(), encryption.verify());
        opened.pipeline().addLast(handler).addLast(new ChannelInboundHandlerAdapter() {
            @Override
            public void userEventTriggered(ChannelHandlerContext triggered, Object event) {
                if (!(event instanceof SslHandshakeCompletionEvent handshake)) {
                    triggered.fireUserEventTriggered(event);
                } else if (!handshake.isSuccess()) {
                    promise.tryFail(handshake.cause());
                } else if (http2 && !ApplicationProtocolNames.HTTP_2.equals(handler.applicationProtocol())) {
                    promise.tryFail(new IOException("the node does not speak HTTP/2"));
                } else {
                    triggered.pipeline().remove(this);
                    promise.tryComplete(opened);
                }
            }

            @Override
            public void channelInactive(ChannelHandlerContext gone) {
                promise.tryFail(new ClosedChannelException());
            }

            @Override
            public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
                // The handshake fails, which ends the check.
            }
        });
        return promise.future();
    }

    private static void send(
            Channel ready, boolean http2, boolean tls, FullHttpRequest request, Promise<ProbeAnswer> promise) {
        ProbeAnswer.Reader reader = new ProbeAnswer.Reader(promise);
        if (!http2) {
            ready.pipeline().addLast(new HttpClientCodec()).addLast(reader);
            write(ready, request, promise);
            return;
        }
        ready.pipeline()
                .addLast(Http2FrameCodecBuilder.forClient().build())
                .addLast(new Http2MultiplexHandler(NoHandler.INSTANCE))
                .addLast(new ProbeAnswer.Closing(promise));
        new Http2StreamChannelBootstrap(ready)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel stream) {
                        stream.pipeline()
                                .addLast(new Http2StreamFrameToHttpObjectCodec(false, tls))
                                .addLast(reader);
                    }
                })
                .open()
                .addListener((io.netty.util.concurrent.Future<Channel> opened) -> {
                    if (opened.isSuccess()) {
                        write(opened.getNow(), request, promise);
                    } else {
                        request.release();
                        promise.tryFail(opened.cause());
                    }
                });
    }

    private static void write(Channel out, FullHttpRequest request, Promise<ProbeAnswer> promise) {
        out.writeAndFlush(request).addListener(sent -> {
            if (!sent.isSuccess()) {
                promise.tryFail(sent.cause());
            }
        });
    }
}
