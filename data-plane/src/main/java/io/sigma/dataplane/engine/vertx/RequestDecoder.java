package io.sigma.dataplane.engine.vertx;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpConstants;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.LastHttpContent;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.VertxHttpRequestDecoder;
import java.util.List;

/**
 * The decoder of Vert.x, which takes what RFC 9112 lets a server take, made as strict as the gateway is: folded lines,
 * white space around the request line and more than one space within it are refused. Confined to the event loop.
 */
final class RequestDecoder extends VertxHttpRequestDecoder {

    /** The head did not become complete in time. */
    static final class HeadTimeout extends RuntimeException {
        private static final long serialVersionUID = 1L;

        HeadTimeout() {
            super("the head took too long", null, false, false);
        }
    }

    private static final String NAME = "HTTP/";

    private boolean inFields;
    private boolean inBody;
    private boolean refused;
    private int wordEnd;

    RequestDecoder(HttpServerOptions options) {
        super(options);
    }

    /** Puts it in the place of the decoder of Vert.x, if that is there. */
    static void install(ChannelPipeline pipeline, HttpServerOptions options) {
        if (pipeline.get(VertxListener.HTTP1_DECODER) != null) {
            pipeline.replace(VertxListener.HTTP1_DECODER, VertxListener.HTTP1_DECODER, new RequestDecoder(options));
        }
    }

    /** Refuses what there is of a head; what follows is not looked at. */
    void refuse(ChannelHandlerContext context, RuntimeException cause) {
        if (!refused) {
            context.fireChannelRead(refusal(cause));
            context.fireChannelReadComplete();
        }
    }

    private HttpMessage refusal(RuntimeException cause) {
        refused = true;
        HttpMessage invalid = createInvalidMessage();
        invalid.setDecoderResult(DecoderResult.failure(cause));
        return invalid;
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) throws Exception {
        if (refused) {
            in.skipBytes(in.readableBytes());
            return;
        }
        if (!inBody && HeadLines.isFolded(in, inFields)) {
            in.skipBytes(in.readableBytes());
            out.add(refusal(new HeadLines.Folded()));
            return;
        }
        int before = out.size();
        super.decode(context, in, out);
        for (int i = before; i < out.size(); i++) {
            note(out.get(i));
        }
    }

    private void note(Object decoded) {
        if (decoded instanceof HttpMessage message) {
            inBody = true;
            refused |= message.decoderResult().isFailure();
        }
        if (decoded instanceof LastHttpContent) {
            inBody = false;
            inFields = false;
        }
    }

    @Override
    protected void decodeLast(ChannelHandlerContext context, ByteBuf in, List<Object> out) throws Exception {
        if (!refused) {
            super.decodeLast(context, in, out);
        }
    }

    @Override
    protected HttpMessage createMessage(String[] initialLine) {
        inFields = true;
        return super.createMessage(initialLine);
    }

    // --- The request line has one space after each of its first two words (RFC 9112 §3).

    @Override
    protected String splitFirstWordInitialLine(byte[] line, int start, int length) {
        if (start != 0) {
            throw new IllegalArgumentException("white space before the method");
        }
        wordEnd = length;
        return super.splitFirstWordInitialLine(line, start, length);
    }

    @Override
    protected String splitSecondWordInitialLine(byte[] line, int start, int length) {
        checkSpace(line, start);
        wordEnd = start + length;
        return super.splitSecondWordInitialLine(line, start, length);
    }

    @Override
    protected String splitThirdWordInitialLine(byte[] line, int start, int length) {
        checkSpace(line, start);
        checkVersion(line, start, length);
        return super.splitThirdWordInitialLine(line, start, length);
    }

    private static void checkVersion(byte[] line, int start, int length) {
        boolean known = length == 8 && isDigit(line[start + 5]) && line[start + 6] == '.' && isDigit(line[start + 7]);
        for (int i = 0; known && i < NAME.length(); i++) {
            known = line[start + i] == NAME.charAt(i);
        }
        if (!known) {
            throw new IllegalArgumentException("no version of HTTP");
        }
    }

    private static boolean isDigit(byte octet) {
        return octet >= '0' && octet <= '9';
    }

    private void checkSpace(byte[] line, int wordStart) {
        if (wordStart != wordEnd + 1 || line[wordEnd] != HttpConstants.SP) {
            throw new IllegalArgumentException("more than one space between two words");
        }
    }
}
