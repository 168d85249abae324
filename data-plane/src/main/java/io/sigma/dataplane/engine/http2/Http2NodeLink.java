package io.sigma.dataplane.engine.http2;

import io.netty.channel.ChannelPipeline;
import io.sigma.dataplane.engine.http1.LoopFlusher;
import io.sigma.dataplane.engine.relay.NodeConnection;
import io.sigma.dataplane.engine.relay.NodeEvents;
import io.sigma.dataplane.engine.relay.NodeFailure;
import java.nio.channels.ClosedChannelException;

/**
 * A connection to a node over which HTTP/2 is spoken: each request is an {@link Http2NodeStream}. The first one leaves at once; more
 * follow when the node has said how many it takes. Confined to its event loop.
 */
public final class Http2NodeLink extends NodeConnection {

    private final NodeFrames frames;
    private final String scheme;
    private final int streamsMax;
    private int streams;
    private boolean settled;

    private Http2NodeLink(LoopFlusher flusher, int streamsMax, boolean tls) {
        this.streamsMax = streamsMax;
        this.streams = Math.min(1, streamsMax);
        this.scheme = tls ? "https" : "http";
        this.frames = newFrames(flusher);
    }

    private NodeFrames newFrames(LoopFlusher flusher) {
        return new NodeFramesBuilder(this, flusher).frames();
    }

    /**
     * Returns a connection that is the last in {@code pipeline}.
     *
     * @param streamsMax how many requests it carries at a time at most
     */
    public static NodeConnection install(ChannelPipeline pipeline, LoopFlusher flusher, int streamsMax, boolean tls) {
        Http2NodeLink link = new Http2NodeLink(flusher, streamsMax, tls);
        pipeline.addLast(link.frames);
        return link;
    }

    String scheme() {
        return scheme;
    }

    NodeFrames frames() {
        return frames;
    }

    @Override
    public void open(NodeEvents events) {
        if (frames.canOpen()) {
            events.onOpen(new Http2NodeStream(this, events));
        } else {
            events.onFailed(NodeFailure.unsent(new ClosedChannelException()));
        }
    }

    /** The node has said how many streams it takes at a time. */
    void onSettings(int max) {
        int bounded = Math.clamp(max, 0, streamsMax);
        if (!settled || bounded != streams) {
            settled = true;
            streams = bounded;
            streamsChanged();
        }
    }

    /** Takes no more requests. */
    void giveUp() {
        drain();
    }

    /** A request of {@code client} is over. */
    void ended(long client) {
        // What closed its stream is not over yet, and whoever waits may open another one.
        // A node that has not said what it takes when a request is over may never do so.
        frames.afterwards(() -> release(settled, client));
    }

    void onClosed() {
        closed();
    }

    @Override
    protected int streamsMax() {
        return streams;
    }

    /** Returns whether the node has said how many streams it takes. */
    boolean isSettled() {
        return settled;
    }

    @Override
    protected boolean isSettling() {
        return !settled;
    }

    @Override
    protected boolean isOpen() {
        return frames.isUsable();
    }

    @Override
    protected void close() {
        frames.end();
    }
}
