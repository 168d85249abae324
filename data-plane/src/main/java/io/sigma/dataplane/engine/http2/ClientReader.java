package io.sigma.dataplane.engine.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Flags;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2HeadersDecoder;

/**
 * Reads the frames of a client. The codec does not know PRIORITY_UPDATE (RFC 9218 §7.1), so this class reads it.
 * Confined to the event loop.
 */
final class ClientReader extends WatchedReader {

    private final PriorityUpdates priorities;

    /**
     * @param continuationsMax frames that a block of fields may come in beside the first one, where they are short
     */
    ClientReader(Http2HeadersDecoder heads, int continuationsMax, Http2Connection connection) {
        super(heads, continuationsMax);
        this.priorities = new PriorityUpdates(connection);
    }

    @Override
    protected Http2FrameListener watch(Http2FrameListener listener) {
        return new Http2FrameListenerDecorator(listener) {
            @Override
            public void onUnknownFrame(
                    ChannelHandlerContext context, byte type, int stream, Http2Flags flags, ByteBuf payload)
                    throws Http2Exception {
                if (type == PriorityUpdates.FRAME) {
                    priorities.read(stream, payload);
                }
                super.onUnknownFrame(context, type, stream, flags, payload);
            }
        };
    }
}
