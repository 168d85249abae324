package io.sigma.dataplane.engine.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Flags;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Settings;
import org.jspecify.annotations.Nullable;

/**
 * Reads the frames of a node, and ends the connection when too many of them carry nothing. Confined to the event loop.
 */
final class CountingReader extends DefaultHttp2FrameReader {

    private final Http2Connection connection;
    private final FrameCredit credit;
    private @Nullable Http2FrameListener counted;
    private @Nullable Counter counter;

    /**
     * @param continuationsMax frames that a block of fields may come in beside the first one, where they are short
     */
    CountingReader(Http2HeadersDecoder heads, int continuationsMax, Http2Connection connection, FrameCredit credit) {
        super(heads, continuationsMax);
        this.connection = connection;
        this.credit = credit;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // The codec changes from one listener to another, once.
    public void readFrame(ChannelHandlerContext context, ByteBuf in, Http2FrameListener listener)
            throws Http2Exception {
        Counter current = counter;
        if (current == null || counted != listener) {
            counted = listener;
            current = new Counter(listener);
            counter = current;
        }
        super.readFrame(context, in, current);
    }

    private void spend(int cost) throws Http2Exception {
        if (!credit.spend(cost)) {
            throw Http2Exception.connectionError(Http2Error.ENHANCE_YOUR_CALM, "a flood of frames that carry nothing");
        }
    }

    private final class Counter extends Http2FrameListenerDecorator {

        Counter(Http2FrameListener listener) {
            super(listener);
        }

        @Override
        public int onDataRead(ChannelHandlerContext context, int stream, ByteBuf data, int padding, boolean end)
                throws Http2Exception {
            if (!end && !data.isReadable()) {
                spend(FrameCredit.IDLE);
            }
            return super.onDataRead(context, stream, data, padding, end);
        }

        @Override
        public void onPriorityRead(
                ChannelHandlerContext context, int stream, int dependency, short weight, boolean exclusive)
                throws Http2Exception {
            spend(FrameCredit.IDLE);
            super.onPriorityRead(context, stream, dependency, weight, exclusive);
        }

        /** A stream that is open can be reset once, and was opened from here. */
        @Override
        public void onRstStreamRead(ChannelHandlerContext context, int stream, long code) throws Http2Exception {
            if (connection.stream(stream) == null) {
                spend(FrameCredit.IDLE);
            }
            super.onRstStreamRead(context, stream, code);
        }

        @Override
        public void onSettingsAckRead(ChannelHandlerContext context) throws Http2Exception {
            spend(FrameCredit.IDLE);
            super.onSettingsAckRead(context);
        }

        @Override
        public void onSettingsRead(ChannelHandlerContext context, Http2Settings settings) throws Http2Exception {
            spend(FrameCredit.COSTLY);
            super.onSettingsRead(context, settings);
        }

        @Override
        public void onPingRead(ChannelHandlerContext context, long data) throws Http2Exception {
            spend(FrameCredit.COSTLY);
            super.onPingRead(context, data);
        }

        @Override
        public void onPingAckRead(ChannelHandlerContext context, long data) throws Http2Exception {
            spend(FrameCredit.IDLE);
            super.onPingAckRead(context, data);
        }

        @Override
        public void onGoAwayRead(ChannelHandlerContext context, int last, long code, ByteBuf reason)
                throws Http2Exception {
            spend(FrameCredit.COSTLY);
            super.onGoAwayRead(context, last, code, reason);
        }

        @Override
        public void onWindowUpdateRead(ChannelHandlerContext context, int stream, int increment) throws Http2Exception {
            spend(FrameCredit.IDLE);
            super.onWindowUpdateRead(context, stream, increment);
        }

        @Override
        public void onUnknownFrame(
                ChannelHandlerContext context, byte type, int stream, Http2Flags flags, ByteBuf payload)
                throws Http2Exception {
            spend(FrameCredit.IDLE);
            super.onUnknownFrame(context, type, stream, flags, payload);
        }
    }
}
