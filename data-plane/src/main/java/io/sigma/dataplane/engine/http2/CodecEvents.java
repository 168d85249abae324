package io.sigma.dataplane.engine.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2EventAdapter;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;

/**
 * Passes the events of the codec to a connection. The codec handles control frames itself. Confined to the event loop.
 */
final class CodecEvents extends Http2EventAdapter {

    private final FrameLink link;

    CodecEvents(FrameLink link) {
        this.link = link;
    }

    @Override
    public void onHeadersRead(ChannelHandlerContext context, int stream, Http2Headers head, int padding, boolean end)
            throws Http2Exception {
        link.onHead(stream, (DecodedHead) head, end);
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
        link.onHead(stream, (DecodedHead) head, end);
    }

    @Override
    public int onDataRead(ChannelHandlerContext context, int id, ByteBuf data, int padding, boolean end)
            throws Http2Exception {
        FrameStream stream = link.stream(id);
        return padding + (stream == null ? data.readableBytes() : stream.onData(data, end));
    }

    @Override
    public void onSettingsRead(ChannelHandlerContext context, Http2Settings settings) throws Http2Exception {
        PriorityUpdates.check(settings);
        link.onSettings(settings);
    }

    @Override
    public void onPingAckRead(ChannelHandlerContext context, long data) {
        link.onAnswer(data);
    }

    @Override
    public void onRstStreamRead(ChannelHandlerContext context, int stream, long code) {
        link.onReset(stream, code);
    }

    @Override
    public void onGoAwayReceived(int last, long code, ByteBuf reason) {
        link.onGoAway(last);
    }

    @Override
    public void onStreamClosed(Http2Stream closed) {
        FrameStream stream = link.stream(closed);
        if (stream != null) {
            stream.onStreamClosed();
        }
    }
}
