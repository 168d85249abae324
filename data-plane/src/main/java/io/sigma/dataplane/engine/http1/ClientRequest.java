package io.sigma.dataplane.engine.http1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.DefaultFileRegion;
import io.sigma.dataplane.disk.ServedFile;
import io.sigma.dataplane.engine.ExchangeEvents;
import io.sigma.dataplane.engine.relay.AnswerContent;
import io.sigma.dataplane.engine.relay.ClientStream;
import io.sigma.dataplane.engine.tunnel.Tunnel;
import io.sigma.dataplane.engine.tunnel.TunnelEnd;
import io.sigma.dataplane.engine.uring.PipedBytes;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.dataplane.loop.Kept;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A request of a client and its response. Confined to the event loop of the connection. */
final class ClientRequest extends ClientStream {

    private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CHUNKED = "transfer-encoding: chunked\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CLOSE = "connection: close\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] KEEP_ALIVE = "connection: keep-alive\r\n".getBytes(StandardCharsets.US_ASCII);

    private final ClientLink link;
    private boolean http10;
    private boolean keeps;
    private boolean headWritten;

    @Kept("set with the head of a response")
    private int passed;

    @Kept("set with the head of a response")
    private int begun;

    private boolean chunked;
    private boolean bodiless;
    private boolean finished;
    private boolean awaited;
    /** Reads the rest of a body after the answer; null for most. */
    private @Nullable Linger linger;

    /**
     * @param keeps whether the client wants to keep the connection
     */
    ClientRequest(ClientLink link, boolean http10, boolean keeps) {
        super(link.socket());
        this.link = link;
        this.http10 = http10;
        this.keeps = keeps;
    }

    /** Makes it another request of the connection; the one before is left, see {@link #isLeft}. */
    void again(boolean isHttp10, boolean isKept) {
        again();
        http10 = isHttp10;
        keeps = isKept;
        headWritten = false;
        chunked = false;
        bodiless = false;
        finished = false;
        awaited = false;
        linger = null;
    }

    @Override
    protected int prefetchResponse(int distance) {
        return super.prefetchResponse(distance) + (distance == 0 ? 0 : link.prefetchResponse(distance - 1));
    }

    /** Begins the exchange; {@code refusal} says why the request is refused, and null that it is not. */
    void begin(RequestHead head, @Nullable GatewayError refusal) {
        ExchangeEvents events = open(head);
        if (link.isBodyOver()) {
            body().none();
        } else if (refusal == null) {
            countBody();
            watchRate();
        }
        if (refusal != null) {
            events.refuse(refusal);
        } else {
            events.begin();
        }
    }

    @Override
    public boolean isHttp2() {
        return false;
    }

    @Override
    public boolean isHeadWritten() {
        return headWritten;
    }

    @Override
    public long undelivered() {
        return link.output().undelivered();
    }

    @Override
    protected long unread() {
        return link.output().waiting();
    }

    @Override
    public void grew(long bytes) {
        link.grew(bytes);
    }

    @Override
    public void pause() {
        link.read(false);
    }

    @Override
    public void resume() {
        link.read(true);
    }

    @Override
    public void pipe() {
        link.pipe().begin();
    }

    // --- Response

    @Override
    public ResponseHead head(int status) {
        if (headWritten && !isCommitted()) {
            // Another answer was begun, and nothing of it was sent.
            link.output().takeBack(begun);
            headWritten = false;
            chunked = false;
        }
        return new ResponseHead(status, new FieldTable(link.texts()));
    }

    @Override
    public void writeContinue() {
        link.output().room(CONTINUE.length).writeBytes(CONTINUE);
    }

    @Override
    public void writeInterim(int status, Fields fields) {
        HeadBuffer out = link.output().head();
        StatusLines.write(out, status);
        Output.writeFields(out, fields);
        link.output().write(out.crlf());
    }

    @Override
    public boolean isCommitted() {
        return finished || (headWritten && link.output().passed() != passed);
    }

    @Override
    public boolean isAnswered() {
        return finished;
    }

    @Override
    public void respond(ResponseHead head) {
        if (isEnded() || headWritten) {
            return;
        }
        headWritten = true;
        Fields fields = head.fields();
        int status = head.status();
        bodiless = ResponseHead.isBodiless(status, exchange().request().method());
        if (status == 204) {
            fields.remove("content-length");
        } else if (!bodiless && !fields.contains("content-length")) {
            chunked = !http10;
            keeps &= chunked;
        }
        keeps &= !link.isDraining();
        HeadBuffer out = link.output().head();
        StatusLines.write(out, status);
        Output.writeFields(out, fields);
        if (chunked) {
            out.put(CHUNKED);
        }
        if (!keeps) {
            out.put(CLOSE);
        } else if (http10) {
            out.put(KEEP_ALIVE);
        }
        begun = link.output().write(out.crlf());
        passed = link.output().passed();
    }

    @Override
    public void write(ByteBuf piece) {
        if (isEnded() || bodiless || !piece.isReadable()) {
            piece.release();
        } else if (chunked) {
            link.output().writeChunk(piece);
        } else {
            link.output().write(piece);
        }
    }

    @Override
    public boolean takesPiped() {
        return headWritten && !chunked && !bodiless && !isEnded() && link.pipe().isThere();
    }

    @Override
    public void write(PipedBytes piece) {
        if (isEnded() || bodiless) {
            piece.release();
        } else {
            link.output().write(piece);
        }
    }

    @Override
    public boolean isFull(int readAhead) {
        return !link.output().isWritable() && link.output().waiting() >= readAhead;
    }

    @Override
    public void finish(@Nullable Fields trailers) {
        if (isEnded() || finished) {
            return;
        }
        finished = true;
        if (chunked) {
            link.output().writeLastChunk(trailers);
        } else {
            link.output().schedule();
        }
        if (!keeps && body().isEnded()) {
            link.last();
        }
    }

    /** Returns whether all of the response was given to the connection. */
    boolean isFinished() {
        return finished && !isEnded();
    }

    /**
     * Returns whether this is asked for the first time: a listener to the end of one response must not be notified of
     * the next.
     */
    boolean isAwaitedFirst() {
        boolean first = !awaited;
        awaited = true;
        return first;
    }

    /** The response is written. */
    void complete() {
        if (isEnded()) {
            return;
        }
        end(exchange().error());
        if (!body().isEnded() && keepsReading()) {
            linger = new Linger(this, socket());
            linger.begin();
        } else {
            link.over(this, keeps && body().isEnded());
        }
    }

    private boolean keepsReading() {
        return link.context().channel().isActive() && !link.isInputEnded();
    }

    @Override
    public void answer(ResponseHead head, byte[] content) {
        if (isEnded()) {
            return;
        }
        byte[] encoded = AnswerContent.encoded(exchange(), content);
        AnswerContent.announceLength(exchange(), head, encoded.length);
        respond(head);
        if (!bodiless) {
            exchange().sent(encoded.length);
            write(Unpooled.wrappedBuffer(encoded));
        }
        finish(null);
    }

    @Override
    public void answerFile(ResponseHead head, ServedFile file, long offset, long length) {
        if (isEnded()) {
            return;
        }
        head.fields().set("content-length", String.valueOf(length));
        respond(head);
        if (bodiless || length == 0) {
            finish(null);
            return;
        }
        exchange().sent(length);
        if (link.sendsFiles()) {
            FileChannel opened;
            try {
                opened = file.open();
            } catch (IOException e) {
                abort();
                return;
            }
            link.output().pass();
            var region = new DefaultFileRegion(opened, offset, length);
            link.context().writeAndFlush(region).addListener(written -> {
                if (written.isSuccess()) {
                    finish(null);
                } else {
                    gone();
                    link.abort();
                }
            });
        } else {
            new FileCopy(link, this, file, offset, length).start();
        }
    }

    @Override
    protected TunnelEnd tunnelEnd() {
        return link.rawEnd();
    }

    @Override
    protected void answerSwitch(ResponseHead head) {
        headWritten = true;
        Fields fields = head.fields();
        fields.remove("connection");
        HeadBuffer out = link.output().head();
        StatusLines.write(out, 101);
        Output.writeFields(out, fields);
        link.output().write(out.field("connection", "Upgrade").crlf());
    }

    @Override
    protected void join(Tunnel joined) {
        super.join(joined);
        link.tunnel(joined);
    }

    // --- Ends

    @Override
    public void abort() {
        abort(0);
    }

    @Override
    public void abort(long code) {
        if (!isEnded()) {
            cancelCall();
            link.abort();
            end(exchange().error());
        }
    }

    @Override
    public void closeAfterAnswer() {
        keeps = false;
    }

    /** Returns whether the connection ends after the answer. */
    boolean isClosing() {
        return !keeps;
    }

    /** The body that nobody wanted has been read after all. */
    void lingered() {
        if (linger != null) {
            linger.over();
            link.over(this, keeps);
        }
    }

    @Override
    public void gone() {
        if (linger != null) {
            linger.end();
        }
        super.gone();
    }

    @Override
    protected void closeConnection() {
        link.close();
    }
}
