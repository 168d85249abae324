package io.sigma.dataplane.engine.http1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The requests of a connection, against Netty's decoder: what is taken here is taken there, and means the same. Where
 * the two would see different requests in the same octets, one of them could be smuggled past the other.
 */
public final class RequestsFuzz {

    private static final int REQUESTS_MAX = 4;
    private static final int LINE_MAX = 8192;
    private static final int HEAD_MAX = 8192;

    /** Netty drops them, as they say nothing in a trailer section (RFC 9110 §6.5.1). */
    private static final Set<String> NO_TRAILERS = Set.of("content-length", "transfer-encoding", "trailer");

    private RequestsFuzz() {}

    /** Tries {@code data}; called by Jazzer. */
    public static void fuzzerTestOneInput(byte[] data) {
        List<String> ours = ours(data);
        if (ours.isEmpty()) {
            return;
        }
        List<String> others = others(data);
        for (int i = 0; i < ours.size(); i++) {
            String other = i < others.size() ? others.get(i) : "nothing";
            if (!ours.get(i).equals(other)) {
                throw new AssertionError(
                        "request " + i + ": Netty reads " + other + " (expected: " + ours.get(i) + ")");
            }
        }
    }

    /** Returns the requests that are taken whole. */
    private static List<String> ours(byte[] data) {
        List<String> requests = new ArrayList<>();
        RequestParser parser = new RequestParser(new Texts(), LINE_MAX, HEAD_MAX);
        BodyReader body = new BodyReader(new Texts(), HEAD_MAX, false);
        ByteBuf all = Unpooled.copiedBuffer(data);
        try {
            while (requests.size() < REQUESTS_MAX && parser.read(all)) {
                StringBuilder text = new StringBuilder(parser.line().method())
                        .append(' ')
                        .append(parser.line().target())
                        .append('\n');
                parser.fields().forEach((name, value) -> append(text, name, value));
                body.begin(Framing.ofRequest(parser.fields(), parser.line().http10()));
                ByteBuf left = body.isOver()
                        ? all
                        : body.read(all, taken -> {
                            text.append(taken.toString(StandardCharsets.ISO_8859_1));
                            taken.release();
                        });
                if (!body.isOver()) {
                    break;
                }
                all = left;
                FieldTable trailers = body.trailers();
                if (trailers != null) {
                    text.append('\n');
                    trailers.forEach((name, value) -> appendTrailer(text, name, value));
                }
                requests.add(text.toString());
                parser.reset();
            }
        } catch (InvalidMessage e) {
            // What follows is not read.
        }
        return requests;
    }

    private static void append(StringBuilder text, String name, String value) {
        text.append(name.toLowerCase(Locale.ROOT)).append(": ").append(value).append('\n');
    }

    private static void appendTrailer(StringBuilder text, String name, String value) {
        if (!NO_TRAILERS.contains(name.toLowerCase(Locale.ROOT))) {
            append(text, name, value);
        }
    }

    private static List<String> others(byte[] data) {
        List<String> requests = new ArrayList<>();
        HttpDecoderConfig config = new HttpDecoderConfig()
                .setMaxInitialLineLength(2 * LINE_MAX)
                .setMaxHeaderSize(2 * HEAD_MAX)
                .setAllowDuplicateContentLengths(true);
        EmbeddedChannel channel = new EmbeddedChannel(new HttpRequestDecoder(config));
        channel.writeInbound(Unpooled.copiedBuffer(data));
        StringBuilder text = new StringBuilder();
        for (Object message = channel.readInbound(); message != null; message = channel.readInbound()) {
            try {
                if (((HttpObject) message).decoderResult().isFailure()) {
                    requests.add("a refusal: "
                            + ((HttpObject) message).decoderResult().cause());
                    break;
                }
                if (message instanceof HttpRequest request) {
                    text.setLength(0);
                    text.append(request.method())
                            .append(' ')
                            .append(request.uri())
                            .append('\n');
                    request.headers().forEach(field -> append(text, field.getKey(), field.getValue()));
                }
                if (message instanceof HttpContent content) {
                    text.append(content.content().toString(StandardCharsets.ISO_8859_1));
                }
                if (message instanceof LastHttpContent last) {
                    HttpHeaders trailers = last.trailingHeaders();
                    if (!trailers.isEmpty()) {
                        text.append('\n');
                        trailers.forEach(field -> appendTrailer(text, field.getKey(), field.getValue()));
                    }
                    requests.add(text.toString());
                }
            } finally {
                ReferenceCountUtil.release(message);
            }
        }
        channel.finishAndReleaseAll();
        return requests;
    }
}
