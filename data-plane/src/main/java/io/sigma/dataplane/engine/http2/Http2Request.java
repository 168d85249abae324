package io.sigma.dataplane.engine.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ScheduledFuture;
import io.sigma.dataplane.disk.ServedFile;
import io.sigma.dataplane.engine.ExchangeEvents;
import io.sigma.dataplane.engine.relay.ClientStream;
import io.sigma.dataplane.engine.relay.HeldBytes;
import io.sigma.dataplane.engine.relay.Tunnel;
import io.sigma.dataplane.engine.relay.TunnelEnd;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.exchange.Grpc;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.exchange.ResponseHead;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One stream of a client: a request and the response to it. Confined to the event loop of the connection. */
final class Http2Request extends ClientStream implements FrameStream {

    /** What a stream needs for itself, in bytes. */
    private static final int STREAM_BYTES = 2048;

    private final Http2Link link;
    private final Http2Stream stream;
    private final StreamBody incoming;
    private final int headSize;
    private int trailersSize;
    /** What waits for the client to open its window, after what the codec has; null as long as nothing had to. */
    private @Nullable HeldBytes later;

    /** The head of the response, as long as another one may still take its place. */
    private @Nullable ResponseHead unwritten;
    /** The last piece of the body, which may turn out to be its end. */
    private @Nullable ByteBuf piece;
    /** How much of the response waits for the client or the connection, in bytes. */
    private long ahead;

    private int fullAhead;
    private boolean full;
    private boolean listed;
    private boolean headWritten;
    private boolean bodiless;
    private boolean finished;
    /** Whether what follows the head is the protocol behind it. */
    private boolean switches;
    /** Who hears that a tunnel is closed; null as long as it is not to be. */
    private @Nullable Runnable onTunnelClosed;
    /** What ends a tunnel whose client does not; null before the gateway has ended it. */
    private @Nullable ScheduledFuture<?> late;

    /**
     * @param headSize of the request, in octets
     */
    Http2Request(Http2Link link, Http2Stream stream, int headSize) {
        super(link.socket());
        this.headSize = headSize;
        this.link = link;
        this.stream = stream;
        this.incoming = new StreamBody(link, stream, body());
    }

    /**
     * Begins the exchange.
     *
     * @param refusal why the request is refused; null when it is not
     * @param whole whether no body follows
     */
    void begin(RequestHead head, @Nullable GatewayError refusal, boolean whole) {
        ExchangeEvents events = open(head);
        if (whole) {
            body().none();
        } else {
            countBody();
            // A stream of gRPC may rest, in either direction.
            if (!Grpc.isCall(head.fields())) {
                watchRate();
            }
        }
        begin(events, refusal);
    }

    /**
     * As {@link #begin(RequestHead, GatewayError, boolean)}, where what follows is none of the request, but for the
     * protocol behind it.
     */
    void beginSwitch(RequestHead head, @Nullable GatewayError refusal) {
        switches = true;
        begin(open(head), refusal);
    }

    boolean isSwitch() {
        return switches;
    }

    private static void begin(ExchangeEvents events, @Nullable GatewayError refusal) {
        if (refusal != null) {
            events.refuse(refusal);
        } else {
            events.begin();
        }
    }

    @Override
    protected long unread() {
        return ahead;
    }

    @Override
    public void grew(long bytes) {
        link.grew(bytes);
    }

    @Override
    public long held() {
        return super.held()
                + STREAM_BYTES
                + headSize
                + trailersSize
                + incoming.cost()
                + Math.max(ahead, later == null ? 0 : later.cost());
    }

    @Override
    public int onData(ByteBuf data, boolean end) {
        return incoming.onData(data, end);
    }

    void onTrailers(DecodedHead head) {
        // They are kept as long as the head.
        trailersSize = head.bytes();
        grew(trailersSize);
        incoming.onEnd(head.fields());
    }

    UploadWindows.Window window() {
        return incoming.window();
    }

    @Override
    public void pause() {
        incoming.pause();
    }

    @Override
    public void resume() {
        incoming.resume();
    }

    @Override
    public boolean isHttp2() {
        return true;
    }

    @Override
    public boolean isHeadWritten() {
        return headWritten;
    }

    // --- Response

    @Override
    public ResponseHead head(int status) {
        unwritten = null;
        return new ResponseHead(status, new Http2Fields());
    }

    @Override
    public void writeContinue() {
        writeInterim(100, new Http2Fields());
    }

    @Override
    public void writeInterim(int status, Fields fields) {
        if (!isEnded() && !headWritten) {
            link.writeHead(stream, status, fields, false, promise());
        }
    }

    @Override
    public boolean isCommitted() {
        return finished || headWritten;
    }

    @Override
    public void respond(ResponseHead head) {
        if (isEnded() || headWritten) {
            return;
        }
        unwritten = head;
        bodiless = ResponseHead.isBodiless(head.status(), exchange().request().method());
        if (head.status() == 204) {
            head.fields().remove("content-length");
        }
        if (!bodiless) {
            // A body that is there already goes out with the head; the head does not wait for one that is not.
            list();
        }
    }

    private void list() {
        if (!listed) {
            listed = true;
            link.unsent(this);
        }
    }

    @Override
    public void send() {
        listed = false;
        if (isEnded()) {
            drop();
        } else if (!finished) {
            writeHead();
            writeNow();
        }
    }

    private void drop() {
        ByteBuf data = piece;
        piece = null;
        if (data != null) {
            data.release();
        }
        if (later != null) {
            later.clear();
        }
    }

    private void writeHead() {
        ResponseHead head = unwritten;
        unwritten = null;
        if (head != null) {
            headWritten = true;
            link.writeHead(stream, head.status(), head.fields(), false, promise());
        }
    }

    /**
     * Gives the codec what there is as far as the client lets it pass; the rest waits here, where small pieces cost
     * little.
     */
    private void writeNow() {
        if (isDelayed()) {
            delayPiece();
            for (HeldBytes waiting = later; waiting != null && !waiting.isEmpty() && link.isWritable(stream); ) {
                write0(waiting.poll());
            }
        } else {
            writePiece();
        }
    }

    /** Returns whether what is written has to wait behind something else, or for the client. */
    private boolean isDelayed() {
        return (later != null && !later.isEmpty()) || !link.isWritable(stream);
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
        write0(data);
    }

    private void write0(@Nullable ByteBuf data) {
        if (data != null) {
            int length = data.readableBytes();
            link.writeData(stream, data, false, promise().addListener(written -> taken(written, length)));
        }
    }

    /** Gives the codec all that waits: the end follows. */
    private void writeLater() {
        HeldBytes waiting = later;
        if (waiting != null && !waiting.isEmpty()) {
            delayPiece();
            for (ByteBuf data = waiting.poll(); data != null; data = waiting.poll()) {
                write0(data);
            }
        }
    }

    private ChannelPromise promise() {
        return link.context().newPromise();
    }

    private void taken(Future<?> written, int length) {
        ahead -= length;
        if (!written.isSuccess()) {
            gone();
        } else if (full && ahead < fullAhead) {
            link.afterwards(this::onWritable);
        }
    }

    @Override
    public void write(ByteBuf data) {
        if (isEnded() || bodiless || finished || !data.isReadable()) {
            data.release();
            return;
        }
        try {
            writeHead();
        } catch (RuntimeException | Error e) {
            data.release();
            throw e;
        }
        int length = data.readableBytes();
        ahead += length;
        if (isDelayed()) {
            delayPiece();
            delayed().add(data);
            grew(length);
        } else {
            writePiece();
            piece = data;
        }
        list();
    }

    @Override
    public boolean isFull(int readAhead) {
        full = ahead >= readAhead && !link.isWritable(stream);
        fullAhead = readAhead;
        return full;
    }

    @Override
    public boolean waits() {
        return full || (later != null && !later.isEmpty());
    }

    @Override
    public void onWritable() {
        if (!isEnded() && !finished) {
            writeNow();
        }
        if (full && (later == null || later.isEmpty() || ahead < fullAhead)) {
            full = false;
            drained();
        }
    }

    @Override
    public void finish(@Nullable Fields trailers) {
        if (isEnded() || finished) {
            return;
        }
        ResponseHead head = unwritten;
        if (later != null && !later.isEmpty()) {
            writeHead();
            writeLater();
        }
        finished = true;
        if (trailers != null && trailers.size() > 0 && !bodiless) {
            writeHead();
            writePiece();
            link.writeTrailers(stream, trailers, last());
        } else if (head != null) {
            unwritten = null;
            headWritten = true;
            link.writeHead(stream, head.status(), head.fields(), true, last());
        } else {
            ByteBuf data = piece;
            piece = null;
            link.writeData(stream, data == null ? Unpooled.EMPTY_BUFFER : data, true, last());
        }
        if (ahead > 0) {
            watchReading();
        }
    }

    private ChannelPromise last() {
        return promise().addListener(written -> {
            if (written.isSuccess()) {
                link.afterwards(this::complete);
            } else {
                gone();
            }
        });
    }

    /** The response is written. A tunnel ends with its stream. */
    void complete() {
        if (isEnded() || tunnel() != null) {
            return;
        }
        boolean whole = body().isEnded();
        end(exchange().error());
        if (!whole) {
            link.reset(stream, Http2Error.NO_ERROR.code());
        }
    }

    @Override
    public void answer(ResponseHead head, byte[] content) {
        if (isEnded() || isCommitted()) {
            return;
        }
        byte[] encoded = encoded(content);
        announceLength(head, encoded.length);
        respond(head);
        if (!bodiless && encoded.length > 0) {
            exchange().sent(encoded.length);
            write(Unpooled.wrappedBuffer(encoded));
        }
        finish(null);
    }

    @Override
    public void answerFile(ResponseHead head, ServedFile file, long offset, long length) {
        if (isEnded() || isCommitted()) {
            return;
        }
        head.fields().set("content-length", String.valueOf(length));
        respond(head);
        if (bodiless || length == 0) {
            finish(null);
            return;
        }
        exchange().sent(length);
        writeHead();
        new StreamedFile(link, stream, this, file, offset, length).start();
    }

    @Override
    protected TunnelEnd tunnelEnd() {
        return new Http2ClientEnd(this);
    }

    @Override
    protected void answerSwitch(ResponseHead head) {
        if (!isEnded()) {
            headWritten = true;
            link.writeHead(stream, head.status(), head.fields(), false, promise());
        }
    }

    @Override
    protected void join(Tunnel joined) {
        super.join(joined);
        passBody(joined);
    }

    /**
     * Ends a tunnel behind what was written. The client has time to end its direction itself: RST_STREAM right behind
     * the end of the stream would make a failure of an orderly end.
     *
     * @param closed called once
     */
    void closeTunnel(Runnable closed) {
        onTunnelClosed = closed;
        if (stream.state() == Http2Stream.State.CLOSED) {
            tunnelClosed();
            return;
        }
        finish(null);
        late = link.context()
                .executor()
                .schedule(() -> abort(Http2Error.CANCEL.code()), TunnelEnd.FLUSH_SECONDS, TimeUnit.SECONDS);
    }

    private void tunnelClosed() {
        Runnable closed = onTunnelClosed;
        onTunnelClosed = null;
        if (closed != null) {
            if (late != null) {
                late.cancel(false);
            }
            closed.run();
        }
    }

    // --- Ends

    @Override
    public void abort() {
        // A client of gRPC takes a cancelled stream after its deadline for what it is.
        GatewayError error = exchange().error();
        boolean late = error != null && error.kind() == ErrorKind.TOTAL_TIMEOUT;
        abort(late ? Http2Error.CANCEL.code() : Http2Error.INTERNAL_ERROR.code());
    }

    @Override
    public void abort(long code) {
        if (!isEnded()) {
            if (tunnel() == null) {
                cancelCall();
                end(exchange().error());
            }
            link.reset(stream, told(code));
        }
    }

    /**
     * Returns what the client is told where the response ends with {@code code}. It is not complete, and the request
     * was not without effect (RFC 9113 §8.7).
     */
    private static long told(long code) {
        boolean untrue = code == Http2Error.NO_ERROR.code() || code == Http2Error.REFUSED_STREAM.code();
        return untrue ? Http2Error.INTERNAL_ERROR.code() : code;
    }

    @Override
    public void closeAfterAnswer() {
        // A connection has other streams, which nothing is wrong with.
    }

    @Override
    public void onStreamClosed() {
        incoming.close();
        drop();
        Tunnel joined = tunnel();
        if (joined != null) {
            joined.close();
            tunnelClosed();
            return;
        }
        // A response that was written to its end has its promise to tell.
        if (!finished) {
            gone();
        }
    }

    @Override
    protected boolean isClosing() {
        return false;
    }

    /** Never asked for: no other stream suffers from what one does. */
    @Override
    protected void closeConnection() {
        link.context().close();
    }
}
