package io.sigma.dataplane.engine.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2HeadersDecoder;
import org.jspecify.annotations.Nullable;

/**
 * Reads frames, and shows each to a subclass before the codec takes it. The subclasses for clients and for nodes count
 * them. Confined to the event loop.
 */
public abstract class WatchedReader extends DefaultHttp2FrameReader {

    private @Nullable Http2FrameListener codec;
    private @Nullable Http2FrameListener watch;

    /**
     * @param continuationsMax frames that a block of fields may come in beside the first one, where they are short
     */
    protected WatchedReader(Http2HeadersDecoder heads, int continuationsMax) {
        super(heads, continuationsMax);
    }

    /** Returns what looks at each frame, and passes it to {@code listener}. */
    protected abstract Http2FrameListener watch(Http2FrameListener listener);

    @Override
    @SuppressWarnings("ReferenceEquality") // The codec changes from one listener to another, once.
    public void readFrame(ChannelHandlerContext context, ByteBuf in, Http2FrameListener listener)
            throws Http2Exception {
        Http2FrameListener current = watch;
        if (current == null || codec != listener) {
            codec = listener;
            current = watch(listener);
            watch = current;
        }
        super.readFrame(context, in, current);
    }
}
