package io.sigma.dataplane.engine.http2.node;

import io.netty.handler.codec.http2.AbstractHttp2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2Settings;
import io.sigma.dataplane.engine.http1.LoopFlusher;
import io.sigma.dataplane.engine.http2.BlockDecoder;
import io.sigma.dataplane.engine.http2.BoundedCodec;
import io.sigma.dataplane.engine.http2.FrameCredit;
import io.sigma.dataplane.engine.http2.FrameOutput;
import io.sigma.dataplane.engine.relay.ResponseRules;

/**
 * Puts the codec of a connection to a node together: Netty's, with heads and frames of our own, and all of its bounds.
 */
final class NodeFramesBuilder extends AbstractHttp2ConnectionHandlerBuilder<NodeFrames, NodeFramesBuilder> {

    /** The window of a stream, in bytes: a node may send as much before the client reads. */
    private static final int STREAM_WINDOW_BYTES = 128 * 1024;

    /** Frames that a block of fields may come in beside the first one. */
    private static final int CONTINUATIONS_MAX = 16;

    private final Http2NodeLink link;
    private final LoopFlusher flusher;
    // The gateway does not bound heads to nodes: a node answers 431 to a head that is too large for it.
    private final FrameOutput output = new FrameOutput(true);

    NodeFramesBuilder(Http2NodeLink link, LoopFlusher flusher) {
        this.link = link;
        this.flusher = flusher;
    }

    NodeFrames frames() {
        initialSettings(new Http2Settings()
                .pushEnabled(false)
                .maxHeaderListSize(ResponseRules.HEAD_BYTES_MAX)
                .initialWindowSize(STREAM_WINDOW_BYTES));
        gracefulShutdownTimeoutMillis(0);
        // The credit of the reader bounds all that costs.
        decoderEnforceMaxRstFramesPerWindow(0, 0);
        decoderEnforceMaxConsecutiveEmptyDataFrames(0);
        var connection = BoundedCodec.connection(false, maxReservedStreams());
        var encoder = BoundedCodec.encoder(connection, output);
        var heads = new BlockDecoder(ResponseRules.HEAD_BYTES_MAX);
        var reader = new CountingReader(heads, CONTINUATIONS_MAX, connection, new FrameCredit(output::creditOfReader));
        codec(new DefaultHttp2ConnectionDecoder(connection, encoder, reader), encoder);
        NodeFrames frames = build();
        heads.connects(frames::connects);
        return frames;
    }

    @Override
    protected NodeFrames build(Http2ConnectionDecoder decoder, Http2ConnectionEncoder encoder, Http2Settings settings) {
        return new NodeFrames(decoder, encoder, settings, output, link, flusher);
    }
}
