package io.sigma.dataplane.engine.vertx;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.CombinedChannelDuplexHandler;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestEncoder;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * HTTP/1 towards a node, one request at a time. Stricter than the codec of Vert.x: folded lines and transfer codings other
 * than {@code chunked} are refused, interim responses that mean nothing here are dropped, and what a node sends without
 * being asked is never taken for a response. Confined to the event loop.
 */
final class NodeCodec extends CombinedChannelDuplexHandler<HttpResponseDecoder, HttpRequestEncoder> {

    private static final String VERTX_NAME = "codec";

    private final Decoder decoder;

    private NodeCodec(HttpDecoderConfig config) {
        decoder = new Decoder(config);
        init(decoder, new Encoder());
    }

    /** Puts it in the place of the codec of Vert.x. */
    static NodeCodec install(Channel channel, int headBytesMax, int chunkBytesMax) {
        NodeCodec codec = new NodeCodec(new HttpDecoderConfig()
                .setMaxInitialLineLength(headBytesMax)
                .setMaxHeaderSize(headBytesMax)
                .setMaxChunkSize(chunkBytesMax));
        channel.pipeline().replace(VERTX_NAME, VERTX_NAME, codec);
        return codec;
    }

    /** Returns whether the last response was read to its end and nothing follows it, so that the next can be told apart. */
    boolean isClean() {
        return decoder.isClean();
    }

    /** The node answered in a way that is no HTTP, or is not understood. */
    private static final class BadResponse extends RuntimeException {
        private static final long serialVersionUID = 1L;

        BadResponse(String reason) {
            super(reason, null, false, false);
        }
    }

    private final class Encoder extends HttpRequestEncoder {

        @Override
        protected void encode(ChannelHandlerContext context, Object message, List<Object> out) throws Exception {
            if (message instanceof HttpRequest request) {
                decoder.expect(request.method());
            }
            super.encode(context, message, out);
        }
    }

    private static final class Decoder extends HttpResponseDecoder {

        private @Nullable HttpMethod asked;
        private boolean inFields;
        private boolean inBody;
        /** Whether the final response has begun. */
        private boolean answered;
        /** Whether what is decoded belongs to a response that is dropped. */
        private boolean interim;

        private boolean broken;
        private boolean tunnel;

        Decoder(HttpDecoderConfig config) {
            super(config);
        }

        void expect(HttpMethod method) {
            asked = method;
        }

        boolean isClean() {
            return asked == null && !broken && !tunnel && actualReadableBytes() == 0;
        }

        @Override
        protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) throws Exception {
            if (tunnel) {
                super.decode(context, in, out);
            } else if (broken) {
                in.skipBytes(in.readableBytes());
            } else if (asked == null) {
                broken = true;
                in.skipBytes(in.readableBytes());
                context.close();
            } else if (!inBody && HeadLines.isFolded(in, inFields)) {
                in.skipBytes(in.readableBytes());
                HttpMessage invalid = createInvalidMessage();
                refuse(invalid, new HeadLines.Folded());
                out.add(invalid);
            } else {
                int before = out.size();
                super.decode(context, in, out);
                note(out, before);
            }
        }

        private void note(List<Object> out, int before) {
            for (int i = before; i < out.size(); i++) {
                Object decoded = out.get(i);
                if (decoded instanceof HttpResponse response) {
                    begin(response);
                }
                if (decoded instanceof LastHttpContent) {
                    end();
                }
                if (interim) {
                    ReferenceCountUtil.release(out.remove(i--));
                    interim = !(decoded instanceof LastHttpContent);
                }
            }
        }

        private void begin(HttpResponse response) {
            inBody = true;
            int status = response.status().code();
            if (response.decoderResult().isFailure()) {
                broken = true;
            } else if (status == 101) {
                tunnel = true;
            } else if (status < 200) {
                interim = status != 100 && status != 103;
            } else if (!isContentAlwaysEmpty(response) && hasOtherCoding(response)) {
                refuse(response, new BadResponse("transfer-encoding"));
            } else {
                answered = true;
            }
        }

        private void end() {
            inBody = false;
            inFields = false;
            if (answered) {
                answered = false;
                asked = null;
            }
        }

        private void refuse(HttpMessage message, RuntimeException cause) {
            broken = true;
            message.setDecoderResult(DecoderResult.failure(cause));
        }

        private static boolean hasOtherCoding(HttpResponse response) {
            List<String> codings = response.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING);
            return !codings.isEmpty()
                    && (codings.size() > 1 || !codings.getFirst().strip().equalsIgnoreCase("chunked"));
        }

        @Override
        protected HttpMessage createMessage(String[] initialLine) {
            inFields = true;
            return super.createMessage(initialLine);
        }

        @Override
        protected boolean isContentAlwaysEmpty(HttpMessage message) {
            boolean isFinal = message instanceof HttpResponse response
                    && response.status().code() >= 200;
            return (isFinal && HttpMethod.HEAD.equals(asked)) || super.isContentAlwaysEmpty(message);
        }

        @Override
        protected void decodeLast(ChannelHandlerContext context, ByteBuf in, List<Object> out) throws Exception {
            if (!broken) {
                super.decodeLast(context, in, out);
            }
            // A body that ends with the connection is complete now, the connection is not to be used again.
            broken = true;
        }
    }
}
