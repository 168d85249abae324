package io.sigma.dataplane.engine.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2Headers;

/**
 * Frames of HTTP/2, with heads as the gateway decodes them: the same whole and in pieces; what is well-formed is safe
 * to send on.
 */
public final class FrameFuzz {

    private static final int HEAD_MAX = 1000;
    private static final EmbeddedChannel CHANNEL = new EmbeddedChannel(new ChannelInboundHandlerAdapter());

    private FrameFuzz() {}

    /** Tries {@code data}; called by Jazzer. */
    public static void fuzzerTestOneInput(byte[] data) {
        String atOnce = read(data, data.length);
        String pieces = read(data, 1);
        if (!atOnce.equals(pieces)) {
            throw new AssertionError("byte by byte: " + pieces + " (expected: " + atOnce + ")");
        }
    }

    private static String read(byte[] data, int piece) {
        StringBuilder seen = new StringBuilder();
        var reader = new DefaultHttp2FrameReader(new Heads());
        ChannelHandlerContext context = CHANNEL.pipeline().firstContext();
        ByteBuf held = Unpooled.buffer();
        try {
            for (int at = 0; at < data.length; at += piece) {
                held.writeBytes(data, at, Math.min(piece, data.length - at));
                reader.readFrame(context, held, new Seen(seen));
            }
        } catch (Http2Exception e) {
            seen.append(e.error());
        } finally {
            held.release();
            reader.close();
        }
        return seen.toString();
    }

    private static final class Heads extends DefaultHttp2HeadersDecoder {

        Heads() {
            super(true, HEAD_MAX);
        }

        @Override
        protected Http2Headers newHeaders() {
            return new DecodedHead(false, null);
        }
    }

    private static final class Seen extends Http2FrameAdapter {

        private final StringBuilder seen;

        Seen(StringBuilder seen) {
            this.seen = seen;
        }

        @Override
        public int onDataRead(ChannelHandlerContext context, int stream, ByteBuf data, int padding, boolean end) {
            seen.append("data ")
                    .append(stream)
                    .append(' ')
                    .append(data.readableBytes())
                    .append('\n');
            return data.readableBytes() + padding;
        }

        @Override
        public void onHeadersRead(
                ChannelHandlerContext context, int stream, Http2Headers headers, int padding, boolean end) {
            DecodedHead head = (DecodedHead) headers;
            boolean good = new RequestHeads().isWellFormed(head);
            seen.append("head ").append(stream).append(' ').append(good).append('\n');
            head.fields().forEach((name, value) -> {
                seen.append(name).append(": ").append(value).append('\n');
                safe(name);
                safe(value);
                if (name.isEmpty() || name.indexOf(' ') >= 0 || name.indexOf(':') >= 0) {
                    throw new AssertionError("a name that is no token: " + name);
                }
            });
            if (good) {
                safe(String.valueOf(head.pathText()));
                safe(String.valueOf(head.methodText()));
                safe(String.valueOf(head.authorityText()));
            }
        }

        @Override
        public void onHeadersRead(
                ChannelHandlerContext context,
                int stream,
                Http2Headers headers,
                int dependency,
                short weight,
                boolean exclusive,
                int padding,
                boolean end) {
            onHeadersRead(context, stream, headers, padding, end);
        }

        /** What is forwarded on HTTP/1.1 must not end a line. */
        private static void safe(String text) {
            if (text.chars().anyMatch(c -> c == '\r' || c == '\n' || c == 0)) {
                throw new AssertionError("a line end within a text: " + text);
            }
        }
    }
}
