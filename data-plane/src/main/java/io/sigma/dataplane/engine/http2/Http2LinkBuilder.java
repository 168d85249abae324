package io.sigma.dataplane.engine.http2;

import io.netty.handler.codec.http2.AbstractHttp2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2Settings;
import io.sigma.dataplane.engine.http1.LoopFlusher;
import io.sigma.dataplane.engine.relay.ClientSocket;

/** Puts the codec of a connection together: Netty's, with heads and frames of our own, and all of its bounds. */
final class Http2LinkBuilder extends AbstractHttp2ConnectionHandlerBuilder<Http2Link, Http2LinkBuilder> {

    private final ClientSocket socket;
    private final LoopFlusher flusher;
    private final FrameOutput output = new FrameOutput(false);

    Http2LinkBuilder(ClientSocket socket, LoopFlusher flusher) {
        this.socket = socket;
        this.flusher = flusher;
    }

    Http2Link link(Http2Limits limits) {
        initialSettings(Http2Link.settings(limits)
                .initialWindowSize(socket.loop().memory().windowBytes()));
        gracefulShutdownTimeoutMillis(0);
        decoderEnforceMaxRstFramesPerWindow(Http2Limits.RESETS_MAX, Http2Limits.RESETS_SECONDS);
        var connection = BoundedCodec.connection(true, maxReservedStreams());
        var encoder = BoundedCodec.encoder(connection, output);
        var reader = new ClientReader(
                new BlockDecoder(limits.headBytesMax()), decoderEnforceMaxSmallContinuationFrames(), connection);
        codec(new DefaultHttp2ConnectionDecoder(connection, encoder, reader), encoder);
        return build();
    }

    @Override
    protected Http2Link build(Http2ConnectionDecoder decoder, Http2ConnectionEncoder encoder, Http2Settings settings) {
        return new Http2Link(decoder, encoder, settings, output, socket, flusher);
    }
}
