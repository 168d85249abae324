package io.sigma.dataplane.engine.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.concurrent.Future;
import io.sigma.dataplane.engine.Forward;
import io.sigma.dataplane.engine.relay.CookieFields;
import io.sigma.dataplane.engine.relay.HeldBytes;
import io.sigma.dataplane.engine.relay.NoSwitch;
import io.sigma.dataplane.engine.relay.NodeEvents;
import io.sigma.dataplane.engine.relay.NodeFailure;
import io.sigma.dataplane.engine.relay.NodeStream;
import io.sigma.dataplane.engine.relay.ResponseRules;
import io.sigma.dataplane.engine.relay.TunnelEnd;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.ResponseHead;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A request on a stream. A response that has come whole is passed on as fast as it is taken, whatever becomes of the
 * stream and the connection meanwhile. Confined to the event loop.
 */
final class Http2NodeStream implements NodeStream, FrameStream {

    private final Http2NodeLink link;
    private final NodeFrames frames;
    private NodeEvents events;
    private final long client;
    private final boolean reused;
    /** Null before the head is sent, and when it cannot be. */
    private @Nullable Http2Stream stream;

    private String method = "";

    /** What waits for the node to open its window, after what the codec has; null as long as nothing had to. */
    private @Nullable HeldBytes later;
    /** The last piece of the body, which may turn out to be its end. */
    private @Nullable ByteBuf piece;
    /** How much of the body waits for the node or the connection, in bytes. */
    private long ahead;
    /** How often the node has taken a piece. */
    private long progress;

    private boolean listed;
    private boolean full;
    private boolean ended;
    private boolean written;

    /** What arrived while the response was not read. */
    private @Nullable HeldBytes waiting;

    private @Nullable Fields trailers;
    /** Of the body that the head announced, in bytes; -1 when it says nothing. */
    private long announced = -1;

    private long received;
    private int interim;
    private boolean responding;
    /** Whether it is a tunnel, of which each direction ends for itself. */
    private boolean switched;
    /** Whether all of the response has arrived, which may wait here. */
    private boolean complete;

    private boolean paused;
    private boolean passing;
    /** What the node reset the stream with; -1 when it did not. */
    private long resetCode = -1;

    private @Nullable Throwable malformed;
    private boolean over;
    private boolean givenBack;
    /** Who hears that all that was written to a tunnel has left; null for nobody. */
    private @Nullable Runnable onFlushed;

    Http2NodeStream(Http2NodeLink link, NodeEvents events) {
        this.link = link;
        this.frames = link.frames();
        this.events = events;
        this.client = link.client();
        this.reused = link.reused();
    }

    @Override
    public boolean isHttp2() {
        return true;
    }

    // --- Request

    @Override
    public void send(String requestMethod, Forward forward, Fields fields, long bodyBytes) {
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
            // Whoever sends is not ready for an answer.
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
    boolean connects() {
        return method.equals("CONNECT");
    }

    private boolean takesBody() {
        Http2Stream open = stream;
        return !over && !ended && open != null && open.state().localSideOpen();
    }

    @Override
    public void write(ByteBuf data) {
        if (!data.isReadable() || !takesBody()) {
            // A node that has reset the stream wants no more of it, and may have answered.
            data.release();
            return;
        }
        ahead += data.readableBytes();
        if (isDelayed()) {
            delayPiece();
            delayed().add(data);
        } else {
            writePiece();
            piece = data;
        }
        if (!listed) {
            listed = true;
            frames.unsent(this);
        }
    }

    private Http2Stream opened() {
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
            delayed().add(data);
        }
    }

    private HeldBytes delayed() {
        HeldBytes made = later;
        if (made == null) {
            made = new HeldBytes();
            later = made;
        }
        return made;
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
        if (done.isSuccess()) {
            progress++;
        }
    }

    @Override
    public void send() {
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
    public boolean isFull() {
        full = takesBody() && isDelayed();
        return full;
    }

    @Override
    public boolean waits() {
        return full || (later != null && !later.isEmpty());
    }

    @Override
    public void onWritable() {
        if (takesBody()) {
            writeNow();
        }
        if (full && !over && (!takesBody() || !isDelayed())) {
            full = false;
            events.onWritable();
        }
    }

    @Override
    public long progress() {
        return progress;
    }

    @Override
    public void end(@Nullable Fields fields) {
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
    public boolean isWritten() {
        return written;
    }

    @Override
    public long held() {
        HeldBytes request = later;
        HeldBytes response = waiting;
        return Math.max(ahead, request == null ? 0 : request.cost()) + (response == null ? 0 : response.cost());
    }

    // --- Response

    /**
     * Takes a head or trailers.
     *
     * @throws Http2Exception when they are malformed
     */
    void onHead(DecodedHead head, boolean end) throws Http2Exception {
        if (over) {
            return;
        }
        if (responding) {
            onTrailers(head, end);
            return;
        }
        int status = head.isOfResponse() ? ResponseRules.status(Objects.requireNonNull(head.statusText())) : -1;
        // HTTP/2 has no 101 (RFC 9113 §8.6).
        if (status < 0 || ResponseRules.isSwitching(status)) {
            throw malformed("a head without a status");
        }
        if (ResponseRules.isInterim(status)) {
            if (end || interim++ == ResponseRules.INTERIM_MAX) {
                throw malformed("an interim response that ends the stream, or too many of them");
            }
            events.onInterim(status, head.fields());
            return;
        }
        responding = true;
        switched = connects() && status < 300;
        // What follows a head that switches is no body (RFC 9110 §9.3.6).
        if (!switched && !ResponseHead.isBodiless(status, method)) {
            announced = RequestHeads.bodyBytes(head.fields());
        }
        complete = end;
        checkLength();
        events.onHead(status, head.fields(), true);
        if (end && !over) {
            events.onEnd(null);
        }
    }

    private void onTrailers(DecodedHead head, boolean end) throws Http2Exception {
        if (!end || switched) {
            throw malformed("trailers that do not end the stream, or of a tunnel");
        }
        complete = true;
        checkLength();
        trailers = head.fields().size() == 0 ? null : head.fields();
        if (!isHeld()) {
            events.onEnd(trailers);
        }
    }

    /** Compares what has arrived with what was announced (RFC 9113 §8.1.1). */
    private void checkLength() throws Http2Exception {
        if (announced >= 0 && (received > announced || (complete && received < announced))) {
            complete = false;
            throw malformed("a body of another length than was announced");
        }
    }

    private Http2Exception malformed(String what) {
        return Http2Exception.streamError(opened().id(), Http2Error.PROTOCOL_ERROR, what);
    }

    @Override
    public int onData(ByteBuf data, boolean end) throws Http2Exception {
        int length = data.readableBytes();
        if (over) {
            return length;
        }
        if (!responding) {
            throw malformed("a body without a head");
        }
        received += length;
        complete = end;
        checkLength();
        if (isHeld()) {
            hold(data);
            return 0;
        }
        if (length > 0) {
            events.onData(data.retain());
        }
        if (end && !over && !isHeld()) {
            events.onEnd(null);
        }
        return length;
    }

    private boolean isHeld() {
        return paused || passing || (waiting != null && !waiting.isEmpty());
    }

    private void hold(ByteBuf data) {
        if (data.isReadable()) {
            HeldBytes queue = waiting;
            if (queue == null) {
                queue = new HeldBytes();
                waiting = queue;
            }
            queue.add(data.retain());
        }
    }

    @Override
    public void pause() {
        paused = true;
    }

    @Override
    public void resume() {
        if (paused) {
            paused = false;
            if (!passing && !over) {
                pass();
            }
        }
    }

    private void pass() {
        int bytes = 0;
        passing = true;
        try {
            for (ByteBuf data = next(); data != null; data = next()) {
                bytes += data.readableBytes();
                events.onData(data);
            }
        } finally {
            // Else all that follows would be held for ever.
            passing = false;
        }
        if (bytes > 0 && !over) {
            frames.consumed(opened(), bytes);
        }
        if (complete && !over && !isHeld()) {
            events.onEnd(trailers);
        }
    }

    private @Nullable ByteBuf next() {
        return paused || over || waiting == null ? null : waiting.poll();
    }

    // --- Ends

    /** The node resets the stream. */
    void onReset(long code) {
        resetCode = code;
    }

    /** What the node sent is no response. */
    void onInvalid(Throwable cause) {
        malformed = cause;
    }

    @Override
    public void onStreamClosed() {
        dropRequest();
        if (over) {
            giveBack();
        } else if (!complete || (switched && !ended)) {
            fail(failure());
        } else if (full) {
            // Nothing more is written, and whoever writes need not wait.
            frames.afterwards(this::onWritable);
        }
    }

    private NodeFailure failure() {
        Throwable wrong = malformed;
        if (wrong != null) {
            return NodeFailure.invalid(wrong);
        }
        if (resetCode >= 0) {
            boolean refused = resetCode == Http2Error.REFUSED_STREAM.code();
            return new NodeFailure(true, true, refused, resetCode, new StreamReset(resetCode));
        }
        if (frames.isBeyondGoAway(opened())) {
            return NodeFailure.unsent(frames.cause());
        }
        return frames.isInvalid() ? NodeFailure.invalid(frames.cause()) : NodeFailure.broken(frames.cause());
    }

    private void fail(NodeFailure failure) {
        if (!over) {
            dropResponse();
            events.onFailed(failure);
        }
    }

    private void dropRequest() {
        ByteBuf data = piece;
        piece = null;
        if (data != null) {
            data.release();
        }
        if (later != null) {
            later.clear();
        }
    }

    private void dropResponse() {
        if (waiting != null) {
            waiting.clear();
        }
    }

    @Override
    public boolean handOver(NodeEvents next) {
        Http2Stream open = stream;
        // A node that has said nothing at all may not speak HTTP/2: nobody is to wait for a place on its connection.
        if (over || open == null || !link.isSettled() || (open.state() == Http2Stream.State.CLOSED && !complete)) {
            return false;
        }
        events = next;
        return true;
    }

    @Override
    public void giveUp() {
        frames.cancel(opened());
    }

    @Override
    public TunnelEnd tunnelEnd() {
        return new Http2NodeEnd(this);
    }

    /**
     * Ends a tunnel behind what was written, as long as the node reads that.
     *
     * @param closed called once
     */
    void closeTunnel(Runnable closed) {
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

    @Override
    public boolean becomeTunnel() {
        return false;
    }

    @Override
    public boolean isSilentOnceReleased() {
        return true;
    }

    @Override
    public boolean isReused() {
        return reused;
    }

    @Override
    public void release(boolean reusable) {
        if (over) {
            return;
        }
        over = true;
        dropRequest();
        dropResponse();
        Http2Stream open = stream;
        if (open == null || open.state() == Http2Stream.State.CLOSED) {
            giveBack();
        } else if (!reusable || !complete || !written) {
            frames.cancel(open);
        }
        // Else the stream is closed when the frame that ended it has been handled.
    }

    private void giveBack() {
        if (!givenBack) {
            givenBack = true;
            link.ended(client);
        }
    }
}
