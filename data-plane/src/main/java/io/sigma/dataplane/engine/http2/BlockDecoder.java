package io.sigma.dataplane.engine.http2;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.util.BitSet;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Decodes blocks of fields of one connection, each to a {@link DecodedHead}. Confined to the event loop. */
public final class BlockDecoder extends DefaultHttp2HeadersDecoder {

    private IntPredicate connects = stream -> false;
    private boolean connecting;
    private @Nullable BitSet neverIndexed;

    /**
     * @param headBytesMax of one block, as RFC 9113 §6.5.2 counts
     */
    public BlockDecoder(int headBytesMax) {
        super(true, headBytesMax);
    }

    /**
     * @param asked returns whether the response on a stream is that to a CONNECT
     */
    public void connects(IntPredicate asked) {
        connects = asked;
    }

    @Override
    public Http2Headers decodeHeaders(int stream, ByteBuf block) throws Http2Exception {
        connecting = connects.test(stream);
        neverIndexed = NeverIndexed.in(block);
        return super.decodeHeaders(stream, block);
    }

    @Override
    protected Http2Headers newHeaders() {
        return new DecodedHead(connecting, neverIndexed);
    }
}
