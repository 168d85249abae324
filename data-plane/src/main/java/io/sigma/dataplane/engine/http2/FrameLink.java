package io.sigma.dataplane.engine.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import io.sigma.dataplane.engine.body.SendQueue;
import io.sigma.dataplane.engine.http1.LoopFlusher;
import io.sigma.dataplane.exchange.Fields;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A connection over which HTTP/2 is spoken, with a client or a node: its streams, each a {@link FrameStream}. Frames,
 * compression, flow control and the states of streams are Netty's. The output of a loop iteration is sent once, at its
 * end. Confined to the event loop.
 */
public abstract class FrameLink extends Http2ConnectionHandler implements LoopFlusher.Writer {

    /**
     * The window of the connection bounds nothing. Each stream has its own window, and a shared one would slow all
     * streams.
     */
    private static final int CONNECTION_WINDOW_BYTES = Integer.MAX_VALUE;

    private final LoopFlusher flusher;
    private final FrameOutput output;
    private final Http2Connection.PropertyKey streams;
    private final NameCache names = NameCache.ofLoop();
    private final OutgoingHead outgoing = new OutgoingHead(names);
    private final ResetStreams resets = new ResetStreams();
    /** Streams with output that waits for the end of this loop iteration, or for other output in it. */
    private final ArrayDeque<FrameStream> unsent = new ArrayDeque<>();

    private final ArrayDeque<Runnable> afterwards = new ArrayDeque<>();
    private @Nullable ChannelHandlerContext context;
    private boolean scheduled;
    private boolean flushing;
    private boolean flushesAgain;

    @SuppressWarnings("this-escape") // Listeners are called by frames, and none arrives before the handler is added.
    protected FrameLink(
            Http2ConnectionDecoder decoder,
            Http2ConnectionEncoder encoder,
            Http2Settings settings,
            FrameOutput output,
            LoopFlusher flusher) {
        super(decoder, encoder, settings);
        this.output = output;
        this.flusher = flusher;
        this.streams = connection().newKey();
        CodecEvents events = new CodecEvents(this);
        decoder.frameListener(events);
        connection().addListener(events);
        encoder.flowController().listener(this::onWritabilityChanged);
        output.listener((id, bytes) -> {
            FrameStream stream = stream(id);
            if (stream != null) {
                stream.onFrame(bytes);
            }
        });
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) throws Exception {
        context = added;
        super.handlerAdded(added);
        widen();
        schedule();
    }

    /** Lets each stream be sent as much as its own window, however many there are. */
    private void widen() throws Http2Exception {
        decoder()
                .flowController()
                .incrementWindowSize(
                        connection().connectionStream(), CONNECTION_WINDOW_BYTES - Http2CodecUtil.DEFAULT_WINDOW_SIZE);
    }

    public final ChannelHandlerContext context() {
        return Objects.requireNonNull(context);
    }

    public final FrameOutput output() {
        return output;
    }

    /** Returns what puts together a block that is encoded before the next one is put together. */
    public final OutgoingHead outgoing() {
        return outgoing;
    }

    public final @Nullable FrameStream stream(int id) {
        Http2Stream known = connection().stream(id);
        return known == null ? null : stream(known);
    }

    public final @Nullable FrameStream stream(Http2Stream known) {
        return known.getProperty(streams);
    }

    /** Lets {@code stream} receive the events of {@code opened}. */
    public final void join(Http2Stream opened, FrameStream stream) {
        opened.setProperty(streams, stream);
    }

    // --- What arrives

    /**
     * Takes a block of fields.
     *
     * @throws Http2Exception when it makes the message malformed, which ends the stream
     */
    protected abstract void onHead(int stream, DecodedHead head, boolean end) throws Http2Exception;

    /** The peer has said what it takes. */
    protected void onSettings(Http2Settings said) {
        // The codec has applied them already.
    }

    /** The peer answers a PING. */
    protected void onAnswer(long data) {
        // Nobody asks.
    }

    /** The peer resets a stream, which is then closed. */
    protected void onReset(int stream, long code) {
        // That it is closed says enough.
    }

    /** The peer looks at no stream of this side beyond {@code last}; those are then closed. */
    protected void onGoAway(int last) {
        // A client opens all streams.
    }

    /** A stream with an error is to be reset. */
    protected void onStreamFailed(int stream, Throwable cause) {
        // That it is closed says enough.
    }

    /** Tells the peer that it may send {@code bytes} more on {@code stream}. */
    public final void consumed(Http2Stream stream, int bytes) {
        try {
            decoder().flowController().consumeBytes(stream, bytes);
            schedule();
        } catch (Http2Exception e) {
            onError(context(), true, e);
        }
    }

    /** Returns how much that has left the codec the peer has not received, in bytes, as far as that can be asked. */
    public final long undelivered() {
        return leaving() + SendQueue.bytes(context().channel());
    }

    /** Returns how much that has left the codec waits in this process, in bytes. */
    protected final long leaving() {
        ChannelOutboundBuffer buffer = context().channel().unsafe().outboundBuffer();
        return buffer == null ? 0 : buffer.totalPendingWriteBytes();
    }

    // --- What is written

    public final void writeTrailers(Http2Stream stream, Fields trailers, ChannelPromise promise) {
        // They may have to wait for the body, while others are written.
        OutgoingHead block = new OutgoingHead(names).trailers(trailers);
        encoder().writeHeaders(context(), stream.id(), block, 0, true, promise);
        schedule();
    }

    public final void writeData(Http2Stream stream, ByteBuf data, boolean end, ChannelPromise promise) {
        encoder().writeData(context(), stream.id(), data, 0, end, promise);
        schedule();
    }

    /** A frame of a stream that is closed, as {@link #late} judges it. */
    public enum Late {
        /** The peer may have sent it before it knew that this side has reset the stream. */
        UNDER_WAY,
        /** This side has reset the stream, and the peer goes on sending. */
        ON_PURPOSE,
        /** This side has not reset the stream. */
        WRONG
    }

    /** Notes and judges a frame of a stream that is closed. */
    public final Late late(int stream) {
        int arrived = resets.arrived(stream);
        return arrived == 0 ? Late.WRONG : arrived <= ResetStreams.FRAMES_MAX ? Late.UNDER_WAY : Late.ON_PURPOSE;
    }

    /** A stream that is reset is closed at once: frames that are under way of it are of no use. */
    public final void reset(Http2Stream stream, long code) {
        if (stream.state() != Http2Stream.State.CLOSED) {
            resets.add(stream.id());
            encoder().writeRstStream(context(), stream.id(), code, context().newPromise());
            closeStream(stream, context().newSucceededFuture());
            schedule();
        }
    }

    public final boolean isWritable(Http2Stream stream) {
        return encoder().flowController().isWritable(stream);
    }

    private void onWritabilityChanged(Http2Stream changed) {
        FrameStream stream = stream(changed);
        if (stream != null && stream.waits() && isWritable(changed)) {
            afterwards(stream::onWritable);
        }
    }

    /** Has {@link FrameStream#send} called at the end of this loop iteration. */
    public final void unsent(FrameStream stream) {
        unsent.add(stream);
        schedule();
    }

    /**
     * Has {@code action} called after what was written has been sent. A listener to the outcome of a write may write
     * more only then, because flow control is not done yet with what it writes.
     */
    public final void afterwards(Runnable action) {
        afterwards.add(action);
        schedule();
    }

    public final void schedule() {
        if (!scheduled) {
            scheduled = true;
            flusher.add(this);
        }
    }

    @Override
    public void flushNow() {
        scheduled = false;
        for (FrameStream stream = unsent.poll(); stream != null; stream = unsent.poll()) {
            stream.send();
        }
        flush(context());
        onFlushed();
        // Entries that are added meanwhile belong to the next loop iteration.
        for (int left = afterwards.size(); left > 0; left--) {
            Runnable action = afterwards.poll();
            if (action != null) {
                action.run();
            }
        }
    }

    /** The output of a loop iteration has been sent, as far as the peer takes it. */
    protected void onFlushed() {
        // Nobody waits for it.
    }

    @Override
    public void giveUp() {
        context().close();
    }

    /** Sends all that flow control lets pass. A flush within a flush is made up for by the one that runs. */
    @Override
    public void flush(ChannelHandlerContext flushed) {
        if (flushing) {
            flushesAgain = true;
            return;
        }
        flushing = true;
        try {
            do {
                flushesAgain = false;
                encoder().flowController().writePendingBytes();
                output.pass(flushed);
                flushed.flush();
            } while (flushesAgain);
        } catch (Http2Exception e) {
            onError(flushed, true, e);
        } finally {
            flushing = false;
        }
    }

    // --- The connection

    @Override
    public void channelReadComplete(ChannelHandlerContext read) {
        discardSomeReadBytes();
        onReadComplete(read);
        read.fireChannelReadComplete();
        schedule();
    }

    /** All is read that has arrived. */
    protected void onReadComplete(ChannelHandlerContext read) {
        // An incomplete frame waits for the next read.
    }

    @Override
    public void close(ChannelHandlerContext closed, ChannelPromise promise) throws Exception {
        output.pass(closed);
        super.close(closed, promise);
    }

    /**
     * A stream that was reset is closed, however long that takes to leave: it is none of those that are open (RFC 9113
     * §5.1.2). Frames of it that are under way are not errors (§5.1), also when the frame that was wrong is the one
     * that would have opened it. A stream that the peer may not open cannot be reset (§6.4). Data that waited for the
     * window when the peer reset its stream is no reason for a reset (§5.4.2).
     */
    @Override
    protected void onStreamError(
            ChannelHandlerContext failed, boolean outbound, Throwable cause, Http2Exception.StreamException known) {
        int id = known.streamId();
        if (outbound && known.error() == Http2Error.STREAM_CLOSED) {
            onStreamFailed(id, cause);
            return;
        }
        boolean open = connection().stream(id) != null;
        if (!open && !outbound && known.error() == Http2Error.STREAM_CLOSED && resets.mayBeLate(id)) {
            return;
        }
        if (!open && !outbound && known.error() != Http2Error.REFUSED_STREAM) {
            if (connection().isServer() && connection().remote().isValidStreamId(id)) {
                opened(id);
            } else if (!connection().streamMayHaveExisted(id)) {
                Http2Exception error = Http2Exception.connectionError(
                        Http2Error.PROTOCOL_ERROR, cause, "a stream that the peer may not open");
                onConnectionError(failed, false, error, error);
                return;
            }
        }
        onStreamFailed(id, cause);
        super.onStreamError(failed, outbound, cause, known);
        resets.add(id);
        Http2Stream stream = connection().stream(id);
        if (stream != null && stream.isResetSent()) {
            closeStream(stream, failed.newSucceededFuture());
        }
    }

    /** Notes that the peer has opened a stream by a head that cannot be read: what follows belongs to it. */
    private void opened(int id) {
        Http2Connection.Endpoint<?> peer = connection().remote();
        if (id > peer.lastStreamCreated() && !connection().goAwaySent()) {
            try {
                peer.createStream(id, false);
            } catch (Http2Exception e) {
                // There are too many; it is refused as all are.
            }
        }
    }

    public final void forEachStream(Consumer<Http2Stream> action) {
        try {
            connection().forEachActiveStream(stream -> {
                action.accept(stream);
                return true;
            });
        } catch (Http2Exception e) {
            throw new IllegalStateException("nothing that is done with streams fails", e);
        }
    }
}
