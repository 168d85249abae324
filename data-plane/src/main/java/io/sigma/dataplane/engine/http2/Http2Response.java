package io.sigma.dataplane.engine.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.concurrent.Future;
import io.sigma.dataplane.disk.ServedFile;
import io.sigma.dataplane.engine.body.HeldBytes;
import io.sigma.dataplane.engine.relay.AnswerContent;
import io.sigma.dataplane.engine.relay.ClientStream;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.ResponseHead;
import org.jspecify.annotations.Nullable;

/**
 * The response on a stream of a client. It waits here as long as the client or the connection takes no more. Confined
 * to the event loop of the connection.
 */
abstract class Http2Response extends ClientStream implements FrameStream {

    private final Http2Link link;
    private final Http2Stream stream;
    /**
     * Response bytes that wait for the window of the client, behind the bytes in the codec. Null until bytes have to
     * wait.
     */
    private @Nullable HeldBytes later;

    /** The head of the response, as long as another one may still take its place. */
    private @Nullable ResponseHead unwritten;
    /** The last piece of the body, which may turn out to be its end. */
    private @Nullable ByteBuf piece;
    /** Response bytes that wait for the client or the connection. */
    private long ahead;
    /** How much of that has left the codec, in bytes: a piece is sent in several frames. */
    private long framed;

    private int fullAhead;
    private boolean full;
    private boolean listed;
    private boolean headWritten;
    private boolean bodiless;
    private boolean finished;

    Http2Response(Http2Link link, Http2Stream stream) {
        super(link.socket());
        this.link = link;
        this.stream = stream;
    }

    final Http2Link link() {
        return link;
    }

    final Http2Stream stream() {
        return stream;
    }

    @Override
    protected final long unread() {
        return ahead;
    }

    @Override
    public final long undelivered() {
        return Math.max(0, ahead - framed) + link.undelivered();
    }

    @Override
    public final void onFrame(int bytes) {
        framed += bytes;
    }

    /** Returns how much memory the response takes that waits, in bytes. */
    final long responseHeld() {
        return Math.max(ahead, later == null ? 0 : later.cost());
    }

    @Override
    public final boolean isHttp2() {
        return true;
    }

    @Override
    public final boolean isHeadWritten() {
        return headWritten;
    }

    @Override
    public final ResponseHead head(int status) {
        unwritten = null;
        return new ResponseHead(status, new Http2Fields());
    }

    @Override
    public final void writeContinue() {
        writeInterim(100, new Http2Fields());
    }

    @Override
    public final void writeInterim(int status, Fields fields) {
        if (!isEnded() && !headWritten) {
            link.writeHead(stream, status, fields, false, promise());
        }
    }

    @Override
    public final boolean isCommitted() {
        return finished || headWritten;
    }

    @Override
    public final boolean isAnswered() {
        return finished;
    }

    /** Returns whether the end of the response was given to the stream. */
    final boolean isFinished() {
        return finished;
    }

    @Override
    public final void respond(ResponseHead head) {
        if (isEnded() || headWritten) {
            return;
        }
        unwritten = head;
        bodiless = ResponseHead.isBodiless(head.status(), exchange().request().method());
        if (head.status() == 204 || head.status() == 304) {
            // Go's client waits for the content that a 304 names the length of, which caches do not need.
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
    public final void send() {
        listed = false;
        if (isEnded()) {
            drop();
        } else if (!finished) {
            writeHead();
            writeNow();
        }
    }

    /** Lets go of what waits. */
    final void drop() {
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
        framed -= length;
        if (!written.isSuccess()) {
            gone();
        } else if (full && ahead < fullAhead) {
            link.afterwards(this::onWritable);
        }
    }

    @Override
    public final void write(ByteBuf data) {
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
            delay(data);
            grew(length);
        } else {
            writePiece();
            piece = data;
        }
        list();
    }

    @Override
    public final boolean isFull(int readAhead) {
        full = ahead >= readAhead && !link.isWritable(stream);
        fullAhead = readAhead;
        return full;
    }

    @Override
    public final boolean waits() {
        return full || (later != null && !later.isEmpty());
    }

    @Override
    public final void onWritable() {
        if (!isEnded() && !finished) {
            writeNow();
        }
        if (full && (later == null || later.isEmpty() || ahead < fullAhead)) {
            full = false;
            drained();
        }
    }

    @Override
    public final void finish(@Nullable Fields trailers) {
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
    final void complete() {
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
    public final void answer(ResponseHead head, byte[] content) {
        if (isEnded() || isCommitted()) {
            return;
        }
        byte[] encoded = AnswerContent.encoded(exchange(), content);
        AnswerContent.announceLength(exchange(), head, encoded.length);
        respond(head);
        if (!bodiless && encoded.length > 0) {
            exchange().sent(encoded.length);
            write(Unpooled.wrappedBuffer(encoded));
        }
        finish(null);
    }

    @Override
    public final void answerFile(ResponseHead head, ServedFile file, long offset, long length) {
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
    protected final void answerSwitch(ResponseHead head) {
        if (!isEnded()) {
            headWritten = true;
            link.writeHead(stream, head.status(), head.fields(), false, promise());
        }
    }
}
