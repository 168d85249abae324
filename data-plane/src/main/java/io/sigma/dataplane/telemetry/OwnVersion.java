package io.sigma.dataplane.telemetry;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpVersion;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;

/**
 * Answers in HTTP/1.1 whatever version the client said (RFC 9110 §2.5): the server of Vert.x repeats that of the
 * request, even where there is no such version. Framing stays what the client understands. Stateless.
 *
 * <p>The control plane has the same class, {@code ResponseVersion}. The module {@code common} knows neither Vert.x nor
 * Netty, and a module for one handler would cost more than it saves.
 */
@ChannelHandler.Sharable
final class OwnVersion extends ChannelOutboundHandlerAdapter {

    private static final OwnVersion INSTANCE = new OwnVersion();

    private OwnVersion() {}

    /** Adds it to the connection of an HTTP/1 server; once is enough. */
    static void of(HttpConnection connection) {
        Channel channel = ((ConnectionBase) connection).channel();
        if (channel.pipeline().get(OwnVersion.class) == null) {
            channel.pipeline().addBefore("handler", "own-version", INSTANCE);
        }
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (message instanceof HttpResponse response
                && !response.protocolVersion().equals(HttpVersion.HTTP_1_1)) {
            response.setProtocolVersion(HttpVersion.HTTP_1_1);
        }
        context.write(message, promise);
    }
}
