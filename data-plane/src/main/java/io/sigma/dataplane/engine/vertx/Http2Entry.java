package io.sigma.dataplane.engine.vertx;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.sigma.dataplane.engine.http2.Http2Link;
import io.vertx.core.http.impl.Http1xOrH2CHandler;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sits before what Vert.x tells HTTP/2 with prior knowledge from HTTP/1 by, and lets our own HTTP/2 take over a connection that
 * begins with its preface (RFC 9113 §3.4); Vert.x sees nothing of it. Confined to the event loop.
 */
final class Http2Entry extends ChannelInboundHandlerAdapter {

    private static final byte[] PREFACE = Http1xOrH2CHandler.HTTP_2_PREFACE.getBytes(StandardCharsets.US_ASCII);

    private final Supplier<Http2Link> links;
    private @Nullable ByteBuf begun;

    /**
     * @param links makes the handler of a connection that speaks HTTP/2
     */
    Http2Entry(Supplier<Http2Link> links) {
        this.links = links;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (!(message instanceof ByteBuf data)) {
            context.fireChannelRead(message);
            return;
        }
        ByteBuf before = begun;
        ByteBuf all = before == null ? data : Unpooled.wrappedBuffer(before, data);
        begun = null;
        int length = Math.min(all.readableBytes(), PREFACE.length);
        for (int i = 0; i < length; i++) {
            if (all.getByte(all.readerIndex() + i) != PREFACE[i]) {
                pass(context, all);
                return;
            }
        }
        if (length == PREFACE.length) {
            takeOver(context.pipeline());
            pass(context, all);
        } else {
            begun = all;
        }
    }

    private void takeOver(ChannelPipeline pipeline) {
        pipeline.remove(Http1xOrH2CHandler.class);
        pipeline.remove(Http1Entry.class);
        links.get().install(pipeline);
    }

    private void pass(ChannelHandlerContext context, ByteBuf all) {
        context.fireChannelRead(all);
        context.pipeline().remove(this);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        ByteBuf rest = begun;
        begun = null;
        if (rest != null) {
            rest.release();
        }
        context.fireChannelInactive();
    }
}
