package io.sigma.dataplane.engine.http2;

import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Headers;

/** Decodes blocks of fields of one connection, each to a {@link DecodedHead}. Confined to the event loop. */
final class HeadDecoder extends DefaultHttp2HeadersDecoder {

    /**
     * @param headBytesMax of one block, as RFC 9113 §6.5.2 counts
     */
    HeadDecoder(int headBytesMax) {
        super(true, headBytesMax);
    }

    @Override
    protected Http2Headers newHeaders() {
        return new DecodedHead();
    }
}
