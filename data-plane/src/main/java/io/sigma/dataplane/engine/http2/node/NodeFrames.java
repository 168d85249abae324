package io.sigma.dataplane.engine.http2.node;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelOutputShutdownEvent;
import io.netty.channel.socket.ChannelOutputShutdownException;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import io.sigma.dataplane.engine.http1.LoopFlusher;
import io.sigma.dataplane.engine.http2.DecodedHead;
import io.sigma.dataplane.engine.http2.FrameLink;
import io.sigma.dataplane.engine.http2.FrameOutput;
import io.sigma.dataplane.engine.http2.FrameStream;
import io.sigma.dataplane.engine.http2.OutgoingHead;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The frames of a connection to a node. Confined to the event loop. */
final class NodeFrames extends FrameLink {

    private static final Logger LOG = LoggerFactory.getLogger(NodeFrames.class);

    /**
     * Streams that are cancelled within {@link #CANCELS_NANOS} before the connection is given up: nodes end one with
     * 200 or more.
     */
    private static final int CANCELS_MAX = 100;

    private static final long CANCELS_NANOS = 30_000_000_000L;

    private final Http2NodeLink link;
    private int goAwayStream = Integer.MAX_VALUE;
    private int cancels;
    private long cancelsSince;
    private @Nullable Throwable cause;
    /** True once the node has broken the protocol. Then all further frames are ignored. */
    private boolean invalid;
    /** True once no frame can be sent. The node may have answered before it stopped reading. */
    private boolean outputLost;

    NodeFrames(
            Http2ConnectionDecoder decoder,
            Http2ConnectionEncoder encoder,
            Http2Settings settings,
            FrameOutput output,
            Http2NodeLink link,
            LoopFlusher flusher) {
        super(decoder, encoder, settings, output, flusher);
        this.link = link;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) throws Exception {
        // A node that answers and closes with a request unread makes writing fail: what it has sent is read first.
        added.channel().config().setAutoClose(false);
        super.handlerAdded(added);
    }

    /** Returns whether frames can be exchanged. */
    boolean isUsable() {
        return context().channel().isActive() && !invalid && !outputLost;
    }

    /** Returns whether the node takes one more stream now. */
    boolean canOpen() {
        return isUsable()
                && !connection().goAwayReceived()
                && connection().local().canOpenStream();
    }

    /** Returns whether the request of {@code stream} is an extended CONNECT. */
    boolean connects(int stream) {
        return stream(stream) instanceof Http2NodeStream known && known.connects();
    }

    /** Returns whether the node has said that it did not look at {@code stream}. */
    boolean isBeyondGoAway(Http2Stream stream) {
        return stream.id() > goAwayStream;
    }

    /** Returns whether the connection ends because of what the node sent. */
    boolean isInvalid() {
        return invalid;
    }

    /** Returns why the connection has ended. */
    Throwable cause() {
        Throwable known = cause;
        return known == null ? new ClosedChannelException() : known;
    }

    /** Begins a stream with the head of a request; returns null when that is not possible any more. */
    @Nullable
    Http2Stream open(FrameStream opening, OutgoingHead head, boolean end) {
        int id = connection().local().incrementAndGetNextStreamId();
        if (id < 0) {
            // All numbers are used up (RFC 9113 §5.1.1).
            link.giveUp();
            return null;
        }
        ChannelPromise promise = context().newPromise();
        encoder().writeHeaders(context(), id, head, 0, end, promise);
        schedule();
        Http2Stream opened = connection().stream(id);
        if (opened != null) {
            join(opened, opening);
        }
        return promise.cause() == null ? opened : null;
    }

    /**
     * Tells the node that nobody waits for its response. A node that is told so too often ends the connection, with the
     * requests of everybody on it; before that, the others go to a new one.
     */
    void cancel(Http2Stream stream) {
        reset(stream, Http2Error.CANCEL.code());
        long now = System.nanoTime();
        if (cancels == 0 || now - cancelsSince > CANCELS_NANOS) {
            cancels = 0;
            cancelsSince = now;
        }
        if (++cancels == CANCELS_MAX) {
            link.giveUp();
        }
    }

    // --- What arrives

    @Override
    protected void onHead(int stream, DecodedHead head, boolean end) throws Http2Exception {
        if (stream(stream) instanceof Http2NodeStream known) {
            known.onHead(head, end);
        }
    }

    @Override
    protected void onSettings(Http2Settings said) {
        link.onSettings(connection().local().maxActiveStreams(), said.connectProtocolEnabled());
    }

    @Override
    protected void onReset(int stream, long code) {
        if (stream(stream) instanceof Http2NodeStream known) {
            known.onReset(code);
        }
    }

    @Override
    protected void onGoAway(int last) {
        goAwayStream = Math.min(goAwayStream, last);
        link.giveUp();
    }

    @Override
    protected void onStreamFailed(int stream, Throwable reason) {
        if (stream(stream) instanceof Http2NodeStream known) {
            known.onInvalid(reason);
        }
    }

    // --- Ends

    @Override
    protected void onConnectionError(
            ChannelHandlerContext failed, boolean outbound, Throwable reason, @Nullable Http2Exception known) {
        if (!invalid && !(outbound && isOfOutput(reason))) {
            invalid = true;
            cause = reason;
            // The node is told first: a connection without streams is closed when it is given up (RFC 9113 §5.4.1).
            super.onConnectionError(failed, outbound, reason, known);
            link.giveUp();
            forEachStream(Http2Stream::close);
        }
    }

    private boolean isOfOutput(Throwable reason) {
        return reason instanceof ChannelOutputShutdownException
                || (outputLost && reason instanceof ClosedChannelException);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext triggered, Object event) throws Exception {
        if (event instanceof ChannelOutputShutdownEvent) {
            outputLost = true;
            link.giveUp();
        }
        super.userEventTriggered(triggered, event);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext failed, Throwable reason) {
        if (isOfOutput(reason)) {
            return;
        }
        if (Http2CodecUtil.getEmbeddedHttp2Exception(reason) != null) {
            onError(failed, false, reason);
            return;
        }
        if (!(reason instanceof IOException)) {
            LOG.error("A connection to a node failed", reason);
        }
        if (cause == null) {
            cause = reason;
        }
        failed.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext gone) throws Exception {
        super.channelInactive(gone);
        link.onClosed();
    }

    /** Gives up the connection and tells the node so. */
    void end() {
        // By way of the codec, which has a GOAWAY to send before (RFC 9113 §5.4.1, §6.8).
        context().channel().close();
    }
}
