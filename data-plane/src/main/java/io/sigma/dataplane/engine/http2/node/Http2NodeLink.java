package io.sigma.dataplane.engine.http2.node;

import io.netty.channel.ChannelPipeline;
import io.sigma.dataplane.engine.http1.LoopFlusher;
import io.sigma.dataplane.engine.relay.NodeConnection;
import io.sigma.dataplane.engine.relay.NodeEvents;
import io.sigma.dataplane.engine.relay.NodeFailure;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a node over which HTTP/2 is spoken: each request is an {@link Http2NodeStream}. The first one leaves
 * at once; more follow when the node has said how many it takes. Confined to its event loop.
 */
public final class Http2NodeLink extends NodeConnection {

    private final NodeFrames frames;
    private final String scheme;
    private final int streamsMax;
    private int streams;
    private boolean settled;
    private boolean connects;
    /** Actions that wait for the node's SETTINGS. */
    private final List<Runnable> unsettled = new ArrayList<>(0);

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
    public static Http2NodeLink install(ChannelPipeline pipeline, LoopFlusher flusher, int streamsMax, boolean tls) {
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
    void onSettings(int max, @Nullable Boolean connectProtocol) {
        if (connectProtocol != null) {
            connects = connectProtocol;
        }
        int bounded = Math.clamp(max, 0, streamsMax);
        if (!settled || bounded != streams) {
            settled = true;
            streams = bounded;
            streamsChanged();
        }
        runUnsettled();
    }

    private void runUnsettled() {
        List<Runnable> actions = List.copyOf(unsettled);
        unsettled.clear();
        actions.forEach(Runnable::run);
    }

    /** Runs {@code action} once the node has said what it takes, or never will. */
    public void whenSettled(Runnable action) {
        if (settled || !frames.isUsable()) {
            // The sender is not ready for an answer yet.
            frames.afterwards(action);
        } else {
            unsettled.add(action);
        }
    }

    /** Returns whether the node has said that it takes extended CONNECT (RFC 8441 §3). */
    boolean connects() {
        return connects;
    }

    /** Takes no more requests. */
    void giveUp() {
        drain();
    }

    /** A request of {@code client} is over. */
    void ended(long client) {
        // The caller that closed its stream is not done yet, and a waiting request may open another one. A node that
        // has not said what it takes when a request is over may never do so.
        frames.afterwards(() -> release(settled, client));
    }

    void onClosed() {
        runUnsettled();
        closed();
    }

    @Override
    protected int streamsMax() {
        return streams;
    }

    /** Returns whether the node has said how many streams it takes. */
    public boolean isSettled() {
        return settled;
    }

    /** Returns whether the node has said something that is not HTTP/2. */
    public boolean isAnswered() {
        return frames.isInvalid();
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
