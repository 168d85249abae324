package io.sigma.controlplane.port;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;

/**
 * Closes a connection on which more requests wait for their answers than anybody sends ahead (RFC 9112 §9.3.2). The
 * HTTP library has a bound too, beyond which it throws for each. Confined to the connection's event loop.
 */
final class PipelineLimit extends ChannelDuplexHandler {

    static final int REQUESTS_MAX = 100;

    /** The name that Vert.x gives the last handler of the codec. */
    private static final String CODEC = "httpEncoder";

    private int waiting;
    private boolean closed;

    /** Returns whether {@code pipeline} counts requests from now on: not before it speaks HTTP. */
    static boolean addTo(ChannelPipeline pipeline) {
        if (pipeline.context(CODEC) == null) {
            return false;
        }
        pipeline.addAfter(CODEC, null, new PipelineLimit());
        return true;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest && ++waiting > REQUESTS_MAX && !closed) {
            closed = true;
            context.close();
        }
        if (closed) {
            ReferenceCountUtil.release(message);
        } else {
            context.fireChannelRead(message);
        }
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        boolean interim =
                message instanceof HttpResponse head && head.status().codeClass() == HttpStatusClass.INFORMATIONAL;
        if (message instanceof LastHttpContent && !interim) {
            waiting--;
        }
        context.write(message, promise);
    }
}
