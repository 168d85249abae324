package io.sigma.dataplane.engine.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2EventAdapter;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;

/** What the codec tells a connection; of control frames it takes care itself. Confined to the event loop. */
final class StreamEvents extends Http2EventAdapter {

    private final Http2Link link;

    StreamEvents(Http2Link link) {
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
    public int onDataRead(ChannelHandlerContext context, int stream, ByteBuf data, int padding, boolean end) {
        Http2Request request = link.request(stream);
        return padding + (request == null ? data.readableBytes() : request.onData(data, end));
    }

    @Override
    public void onStreamClosed(Http2Stream stream) {
        Http2Request request = link.request(stream);
        if (request != null) {
            request.onStreamClosed();
        }
    }
}
