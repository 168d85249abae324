package io.sigma.dataplane.engine.http2.node;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.concurrent.Future;
import io.sigma.dataplane.engine.Forward;
import io.sigma.dataplane.engine.body.HeldBytes;
import io.sigma.dataplane.engine.http2.FrameStream;
import io.sigma.dataplane.engine.http2.OutgoingHead;
import io.sigma.dataplane.engine.relay.CookieFields;
import io.sigma.dataplane.engine.relay.NodeEvents;
import io.sigma.dataplane.engine.relay.NodeFailure;
import io.sigma.dataplane.engine.relay.NodeStream;
import io.sigma.dataplane.engine.tunnel.NoSwitch;
import io.sigma.dataplane.engine.tunnel.TunnelEnd;
import io.sigma.dataplane.exchange.Fields;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The request on a stream to a node. It waits here as long as the node or the connection takes no more. Confined to the
 * event loop.
 */
abstract class Http2NodeRequest implements NodeStream, FrameStream {

    private final Http2NodeLink link;
    private final NodeFrames frames;
    private NodeEvents events;
    /** Null before the head is sent, and when it cannot be. */
    private @Nullable Http2Stream stream;

    private String method = "";

    /**
     * Body bytes that wait for the window of the node, behind the bytes in the codec. Null until bytes have to wait.
     */
    private @Nullable HeldBytes later;
    /** The last piece of the body, which may turn out to be its end. */
    private @Nullable ByteBuf piece;
    /** Body bytes that wait for the node or the connection. */
    private long ahead;
    /** How much of them has left the codec, in bytes: a piece is sent in several frames. */
    private long framed;
    /** The number of pieces that the node has taken. */
    private long progress;

    private boolean listed;
    private boolean full;
    private boolean ended;
    private boolean written;
    private boolean over;
    /** Notified when all output to a tunnel has left; null for none. */
    private @Nullable Runnable onFlushed;

    Http2NodeRequest(Http2NodeLink link, NodeEvents events) {
        this.link = link;
        this.frames = link.frames();
        this.events = events;
    }

    @Override
    public final boolean isHttp2() {
        return true;
    }

    final Http2NodeLink link() {
        return link;
    }

    final NodeFrames frames() {
        return frames;
    }

    final NodeEvents events() {
        return events;
    }

    /** Lets {@code next} receive all later events. */
    final void events(NodeEvents next) {
        events = next;
    }

    /** Returns the stream; null before the head is sent, and when it cannot be. */
    final @Nullable Http2Stream stream() {
        return stream;
    }

    final String method() {
        return method;
    }

    /** Returns whether nobody waits for the response any more. */
    final boolean isOver() {
        return over;
    }

    /** Nobody waits for the response any more. */
    final void over() {
        over = true;
        dropRequest();
    }

    /** Reports {@code failure}, unless nobody waits for the response any more. */
    abstract void fail(NodeFailure failure);

    @Override
    public final void send(String requestMethod, Forward forward, Fields fields, long bodyBytes) {
        CookieFields.join(fields);
        if (forward.isWebSocket()) {
            method = "CONNECT";
            link.whenSettled(() -> connect(forward, fields));
            return;
        }
        method = requestMethod;
        ended = bodyBytes == 0;
        written = ended;
        OutgoingHead head =
                frames.outgoing().request(method, link.scheme(), forward.authority(), forward.target(), fields);
        stream = frames.open(this, head, ended);
        if (stream == null) {
            // The sender is not ready for an answer yet.
            frames.afterwards(() -> fail(NodeFailure.unsent(frames.cause())));
        }
    }

    private void connect(Forward forward, Fields fields) {
        if (over) {
            return;
        }
        if (frames.isUsable() && !link.connects()) {
            fail(NodeFailure.unsent(new NoSwitch()));
            return;
        }
        OutgoingHead head = frames.outgoing().webSocket(link.scheme(), forward.authority(), forward.target(), fields);
        stream = frames.canOpen() ? frames.open(this, head, false) : null;
        if (stream == null) {
            fail(NodeFailure.unsent(frames.cause()));
        }
    }

    /** Returns whether it asks the node to switch, by an extended CONNECT (RFC 8441 §4). */
    final boolean connects() {
        return method.equals("CONNECT");
    }

    private boolean takesBody() {
        Http2Stream open = stream;
        return !over && !ended && open != null && open.state().localSideOpen();
    }

    @Override
    public final void write(ByteBuf data) {
        if (!data.isReadable() || !takesBody()) {
            // A node that has reset the stream wants no more of it, and may have answered.
            data.release();
            return;
        }
        ahead += data.readableBytes();
        if (isDelayed()) {
            delayPiece();
            delay(data);
        } else {
            writePiece();
            piece = data;
        }
        if (!listed) {
            listed = true;
            frames.unsent(this);
        }
    }

    final Http2Stream opened() {
        return Objects.requireNonNull(stream);
    }

    /** Returns whether what is written has to wait behind something else, or for the node. */
    private boolean isDelayed() {
        return (later != null && !later.isEmpty()) || !frames.isWritable(opened());
    }

    private void delayPiece() {
        ByteBuf data = piece;
        piece = null;
        if (data != null) {
            delay(data);
        }
    }

    private void delay(ByteBuf data) {
        later = HeldBytes.orNew(later);
        later.add(data);
    }

    private void writePiece() {
        ByteBuf data = piece;
        piece = null;
        writePiece(data);
    }

    private void writePiece(@Nullable ByteBuf data) {
        if (data != null) {
            frames.writeData(opened(), data, false, taking(data.readableBytes()));
        }
    }

    private ChannelPromise taking(int length) {
        return promise().addListener(done -> taken(done, length));
    }

    private ChannelPromise promise() {
        return frames.context().newPromise();
    }

    private void taken(Future<?> done, int length) {
        ahead -= length;
        framed -= length;
        if (done.isSuccess()) {
            progress++;
        }
    }

    @Override
    public final void send() {
        listed = false;
        if (takesBody()) {
            writeNow();
        }
    }

    /**
     * Gives the codec what there is as far as the node lets it pass; the rest waits here, where small pieces cost
     * little.
     */
    private void writeNow() {
        if (isDelayed()) {
            delayPiece();
            for (HeldBytes queue = later; queue != null && !queue.isEmpty() && frames.isWritable(opened()); ) {
                writePiece(queue.poll());
            }
        } else {
            writePiece();
        }
    }

    @Override
    public final boolean isFull() {
        full = takesBody() && isDelayed();
        return full;
    }

    @Override
    public final boolean waits() {
        return full || (later != null && !later.isEmpty());
    }

    @Override
    public final void onWritable() {
        if (takesBody()) {
            writeNow();
        }
        if (full && !over && (!takesBody() || !isDelayed())) {
            full = false;
            events.onWritable();
        }
    }

    @Override
    public final long progress() {
        return progress;
    }

    @Override
    public final long undelivered() {
        return Math.max(0, ahead - framed) + frames.undelivered();
    }

    @Override
    public final void onFrame(int bytes) {
        framed += bytes;
    }

    @Override
    public final void end(@Nullable Fields fields) {
        if (!takesBody()) {
            ended = true;
            return;
        }
        HeldBytes queue = later;
        if (queue != null && !queue.isEmpty()) {
            delayPiece();
            for (ByteBuf data = queue.poll(); data != null; data = queue.poll()) {
                if (queue.isEmpty()) {
                    piece = data;
                } else {
                    writePiece(data);
                }
            }
        }
        ended = true;
        if (fields != null && fields.size() > 0) {
            writePiece();
            frames.writeTrailers(opened(), fields, last(0));
        } else {
            ByteBuf data = piece;
            piece = null;
            int length = data == null ? 0 : data.readableBytes();
            frames.writeData(opened(), data == null ? Unpooled.EMPTY_BUFFER : data, true, last(length));
        }
    }

    private ChannelPromise last(int length) {
        return promise().addListener(done -> {
            taken(done, length);
            written = done.isSuccess();
            if (onFlushed != null) {
                frames.afterwards(this::flushed);
            }
        });
    }

    @Override
    public final boolean isWritten() {
        return written;
    }

    /** Returns whether all of the request has been given to the stream. */
    final boolean isRequestEnded() {
        return ended;
    }

    /** Returns how much memory the request takes that waits, in bytes. */
    final long requestHeld() {
        HeldBytes queue = later;
        return Math.max(ahead, queue == null ? 0 : queue.cost());
    }

    /** Nothing more is written: whoever waits to write need not wait. */
    final void releaseWriter() {
        if (full) {
            frames.afterwards(this::onWritable);
        }
    }

    final void dropRequest() {
        ByteBuf data = piece;
        piece = null;
        if (data != null) {
            data.release();
        }
        if (later != null) {
            later.clear();
        }
    }

    /**
     * Ends a tunnel behind what was written, as long as the node reads that.
     *
     * @param closed called once
     */
    final void closeTunnel(Runnable closed) {
        if (!ended) {
            end(null);
        }
        if (written || over || opened().state() == Http2Stream.State.CLOSED) {
            closed.run();
            return;
        }
        onFlushed = closed;
        frames.context().executor().schedule(this::flushed, TunnelEnd.FLUSH_SECONDS, TimeUnit.SECONDS);
    }

    private void flushed() {
        Runnable closed = onFlushed;
        onFlushed = null;
        if (closed != null) {
            closed.run();
        }
    }
}
