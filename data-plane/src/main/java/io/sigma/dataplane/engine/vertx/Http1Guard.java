package io.sigma.dataplane.engine.vertx;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;

/**
 * Sits between the HTTP/1 decoder and Vert.x, which answers every version that it does not know with an empty 501: a
 * later minor version is served as 1.1 (RFC 9110 §2.5), a later major version is refused. Stateless.
 */
@Sharable
final class Http1Guard extends ChannelInboundHandlerAdapter {

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
        }
        context.fireChannelRead(message);
    }
}
