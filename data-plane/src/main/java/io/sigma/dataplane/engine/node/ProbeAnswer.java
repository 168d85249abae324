package io.sigma.dataplane.engine.node;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/**
 * A node's answer to a health check.
 *
 * @param body its first {@value #BODY_BYTES_MAX} bytes
 * @param grpcStatus of the trailers, else of the head; null for none
 */
record ProbeAnswer(int status, Buffer body, @Nullable String grpcStatus) {

    static final int BODY_BYTES_MAX = 64 * 1024;

    private static final String GRPC_STATUS = "grpc-status";

    /** Reads one. Confined to its event loop. */
    static final class Reader extends SimpleChannelInboundHandler<HttpObject> {

        private final Promise<ProbeAnswer> promise;
        private final Buffer body = Buffer.buffer();
        private @Nullable HttpResponse head;

        Reader(Promise<ProbeAnswer> promise) {
            this.promise = promise;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
            if (part.decoderResult().isFailure()) {
                promise.tryFail(part.decoderResult().cause());
                return;
            }
            if (part instanceof HttpResponse begun) {
                // Those before it are interim responses.
                head = begun.status().codeClass() == HttpStatusClass.INFORMATIONAL ? null : begun;
            }
            HttpResponse answer = head;
            if (answer != null && part instanceof HttpContent content) {
                ByteBuf data = content.content();
                int room = BODY_BYTES_MAX - body.length();
                byte[] octets = new byte[Math.min(room, data.readableBytes())];
                data.getBytes(data.readerIndex(), octets);
                body.appendBytes(octets);
                if (part instanceof LastHttpContent last) {
                    String status = last.trailingHeaders().get(GRPC_STATUS);
                    complete(answer, status == null ? answer.headers().get(GRPC_STATUS) : status);
                } else if (body.length() == BODY_BYTES_MAX) {
                    complete(answer, null);
                }
            }
        }

        private void complete(HttpResponse answer, @Nullable String grpcStatus) {
            promise.tryComplete(new ProbeAnswer(answer.status().code(), body, grpcStatus));
        }

        @Override
        public void channelInactive(ChannelHandlerContext gone) {
            promise.tryFail(new ClosedChannelException());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
            promise.tryFail(cause);
        }
    }

    /** Notes the end of a connection that has streams. */
    static final class Closing extends ChannelInboundHandlerAdapter {

        private final Promise<ProbeAnswer> promise;

        Closing(Promise<ProbeAnswer> promise) {
            this.promise = promise;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object frame) {
            // Of the connection itself, such as settings.
            ReferenceCountUtil.release(frame);
        }

        @Override
        public void channelInactive(ChannelHandlerContext gone) {
            promise.tryFail(new ClosedChannelException());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
            promise.tryFail(cause);
        }
    }
}
