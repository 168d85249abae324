package io.sigma.dataplane.engine.vertx;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AsciiString;
import java.util.ArrayList;
import java.util.List;

/**
 * Sits between the HTTP/1 decoder and Vert.x, which answers every version that it does not know with an empty 501: a
 * later minor version is served as 1.1 (RFC 9110 §2.5), a later major version is refused. A wish to switch to h2c is not heard,
 * and never passed on (RFC 9113 §3.1). Stateless.
 */
@Sharable
final class Http1Guard extends ChannelInboundHandlerAdapter {

    static final String NAME = "sigmaGuard";
    static final Http1Guard INSTANCE = new Http1Guard();

    private static final AsciiString SETTINGS = AsciiString.cached("http2-settings");

    /** The request names a major version that is not spoken here. */
    static final class UnsupportedVersion extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UnsupportedVersion(String version) {
            super(version, null, false, false);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest request && request.decoderResult().isSuccess()) {
            HttpVersion version = request.protocolVersion();
            if (version.majorVersion() != 1 || !version.protocolName().equals("HTTP")) {
                request.setDecoderResult(DecoderResult.failure(new UnsupportedVersion(version.text())));
                request.setProtocolVersion(HttpVersion.HTTP_1_1);
            } else if (version.minorVersion() > 0) {
                request.setProtocolVersion(HttpVersion.HTTP_1_1);
            }
            if (request.headers().contains(HttpHeaderNames.UPGRADE)) {
                keepFromSwitching(request.headers());
            }
        }
        context.fireChannelRead(message);
    }

    private static void keepFromSwitching(HttpHeaders fields) {
        List<String> wanted = new ArrayList<>();
        boolean h2c = false;
        for (String value : fields.getAll(HttpHeaderNames.UPGRADE)) {
            for (String protocol : value.split(",", -1)) {
                if (protocol.strip().equalsIgnoreCase("h2c")) {
                    h2c = true;
                } else if (!protocol.isBlank()) {
                    wanted.add(protocol.strip());
                }
            }
        }
        if (h2c) {
            fields.remove(SETTINGS);
            if (wanted.isEmpty()) {
                fields.remove(HttpHeaderNames.UPGRADE);
            } else {
                fields.set(HttpHeaderNames.UPGRADE, String.join(", ", wanted));
            }
        }
    }
}
