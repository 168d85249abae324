package io.sigma.dataplane.engine.http2.node;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Flags;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Settings;
import io.sigma.dataplane.engine.http2.FrameCredit;
import io.sigma.dataplane.engine.http2.FrameLink;
import io.sigma.dataplane.engine.http2.PriorityUpdates;
import io.sigma.dataplane.engine.http2.WatchedReader;

/**
 * Reads the frames of a node, and ends the connection when too many of them carry nothing or little. Confined to the
 * event loop.
 */
final class CountingReader extends WatchedReader {

    /** Fewer octets than the smallest message of gRPC. */
    private static final int TINY_BYTES = 5;

    private final Http2Connection connection;
    private final FrameCredit credit;

    /**
     * @param continuationsMax frames that a block of fields may come in beside the first one, where they are short
     */
    CountingReader(Http2HeadersDecoder heads, int continuationsMax, Http2Connection connection, FrameCredit credit) {
        super(heads, continuationsMax);
        this.connection = connection;
        this.credit = credit;
    }

    @Override
    protected Http2FrameListener watch(Http2FrameListener listener) {
        return new Counter(listener);
    }

    private void spend(int cost) throws Http2Exception {
        if (!credit.spend(cost)) {
            throw Http2Exception.connectionError(Http2Error.ENHANCE_YOUR_CALM, "a flood of frames that carry little");
        }
    }

    private final class Counter extends Http2FrameListenerDecorator {

        Counter(Http2FrameListener listener) {
            super(listener);
        }

        @Override
        public void onHeadersRead(
                ChannelHandlerContext context, int stream, Http2Headers head, int padding, boolean end)
                throws Http2Exception {
            checkOpener(stream);
            if (!isSkipped(context, stream)) {
                super.onHeadersRead(context, stream, head, padding, end);
            }
        }

        @Override
        public void onHeadersRead(
                ChannelHandlerContext context,
                int stream,
                Http2Headers head,
                int dependency,
                short weight,
                boolean exclusive,
                int padding,
                boolean end)
                throws Http2Exception {
            checkOpener(stream);
            if (!isSkipped(context, stream)) {
                super.onHeadersRead(context, stream, head, dependency, weight, exclusive, padding, end);
            }
        }

        /** A node opens streams by a push alone (RFC 9113 §5.1). */
        private void checkOpener(int stream) throws Http2Exception {
            if (connection.remote().isValidStreamId(stream)) {
                throw Http2Exception.connectionError(Http2Error.PROTOCOL_ERROR, "a stream that the node has opened");
            }
        }

        /**
         * Returns whether the codec does not see a frame. It makes an exception of each frame of a closed stream, so a
         * node that goes on with a stream that was reset would take the time of everybody on the event loop.
         */
        private boolean isSkipped(ChannelHandlerContext context, int stream) throws Http2Exception {
            if (connection.stream(stream) != null || !connection.streamMayHaveExisted(stream)) {
                return false;
            }
            FrameLink.Late late = ((FrameLink) context.handler()).late(stream);
            if (late != FrameLink.Late.UNDER_WAY) {
                spend(late == FrameLink.Late.WRONG ? FrameCredit.COSTLY : FrameCredit.IDLE);
            }
            return late != FrameLink.Late.WRONG;
        }

        /** The codec takes one until the node has acknowledged the setting, which it knew before any request. */
        @Override
        public void onPushPromiseRead(
                ChannelHandlerContext context, int stream, int promised, Http2Headers head, int padding)
                throws Http2Exception {
            throw Http2Exception.connectionError(Http2Error.PROTOCOL_ERROR, "a push, which was forbidden");
        }

        @Override
        public int onDataRead(ChannelHandlerContext context, int stream, ByteBuf data, int padding, boolean end)
                throws Http2Exception {
            if (!end && data.readableBytes() < TINY_BYTES) {
                spend(FrameCredit.IDLE);
            }
            if (isSkipped(context, stream)) {
                int bytes = data.readableBytes() + padding;
                connection.local().flowController().receiveFlowControlledFrame(null, data, padding, end);
                return bytes;
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
            spend(FrameCredit.COSTLY + settings.size());
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
            if (type == PriorityUpdates.FRAME) {
                // RFC 9218 §7.1.
                throw Http2Exception.connectionError(Http2Error.PROTOCOL_ERROR, "a PRIORITY_UPDATE of a node");
            }
            super.onUnknownFrame(context, type, stream, flags, payload);
        }
    }
}
