package io.sigma.dataplane.engine.http1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import io.sigma.dataplane.engine.relay.ClientSocket;
import io.sigma.dataplane.engine.relay.Pieces;
import io.sigma.dataplane.engine.relay.RequestLine;
import io.sigma.dataplane.engine.relay.Tunnel;
import io.sigma.dataplane.engine.relay.TunnelEnd;
import io.sigma.dataplane.engine.uring.PipedBytes;
import io.sigma.dataplane.engine.uring.RingChannel;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.exchange.InvalidRequest;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.loop.HeldMemory;
import io.sigma.dataplane.loop.Prefetched;
import io.sigma.model.ServerLimits;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection of a client that speaks HTTP/1.1: its requests, one after the other, each a {@link ClientRequest}. It
 * takes everything that arrives, and leaves the life cycle of the connection to the handler after it. Confined to the
 * event loop.
 */
public final class ClientLink extends ChannelInboundHandlerAdapter implements Prefetched {

    /** What is taken of requests that a client sends before it has the answer to the one before. */
    private static final int PIPELINED_BYTES_MAX = 64 * 1024;

    /** How long a connection that is to end waits for one more request: one may be under way to us. */
    private static final long LAST_REQUEST_MILLIS = 1_000;
    /** How long what a client still sends is dropped after it was told that nothing follows. */
    private static final long LINGER_MILLIS = 2_000;
    /** What waits for a client that reads is not counted up to this, in bytes. */
    private static final int SENT_SOON_BYTES = 16 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(ClientLink.class);
    private final ClientSocket socket;
    /** What heads and trailers are measured by. */
    private ServerLimits limits;

    private final RequestParser parser;
    private final BodyReader body;
    private final Http1Loop loop;
    private final boolean sendsFiles;
    private @Nullable BodyPipe pipe;
    private @Nullable ChannelHandlerContext context;
    private @Nullable Output output;
    private @Nullable ClientRequest current;
    /** One that is over, for the next request. */
    private @Nullable ClientRequest spare;

    private final BodyReader.Sink bodySink = this::onBody;
    private @Nullable Tunnel tunnel;
    private @Nullable ByteBuf pending;
    private boolean processing;
    private boolean draining;
    private boolean deaf;
    private boolean inputEnded;

    private final HeldMemory.Holder memory = new HeldMemory.Holder() {
        @Override
        protected long held() {
            return memoryHeld();
        }

        @Override
        protected @Nullable Object owner() {
            return socket.owner();
        }

        @Override
        protected void end() {
            deaf = true;
            // Nothing waits for the client to read it, not even the end of TLS.
            context().channel().unsafe().close(context().channel().voidPromise());
        }
    };
    /** What was said to be held of heads and requests ahead, and of what was sent, in bytes. */
    private int readBytes;

    private long sentBytes;

    /**
     * @param sendsFiles whether the transport sends files without copying them
     */
    public ClientLink(ClientSocket socket, Http1Loop loop, boolean sendsFiles) {
        this.socket = socket;
        this.limits = socket.limits();
        this.parser = new RequestParser(loop.texts(), limits.targetBytesMax(), limits.headBytesMax());
        this.body = new BodyReader(loop.texts(), limits.headBytesMax());
        this.loop = loop;
        this.sendsFiles = sendsFiles;
    }

    /** None of the handlers before this one wants to see what is sent. */
    public void sendPastHandlers() {
        output().sendPastHandlers();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
        output = new Output(added, loop, this::onFlushed);
        pipe = new BodyPipe(added, body);
        if (added.channel() instanceof RingChannel ring) {
            ring.leadsTo(this);
        }
    }

    @Override
    public int prefetch(int distance) {
        ClientRequest next = current == null ? spare : current;
        return distance == 0
                ? (deaf ? 1 : 0)
                : parser.prefetch(distance - 1)
                        + output().prefetch(distance - 1)
                        + body.prefetch(distance - 1)
                        + socket.prefetch(distance - 1)
                        + (next == null ? 0 : next.prefetch(distance - 1));
    }

    /** As {@link #prefetch}, of what a response needs. */
    int prefetchResponse(int distance) {
        if (distance == 0) {
            return prefetch(0);
        }
        // Farther away the channel leads back here, and to what only a request needs.
        RingChannel ring = distance < 3 && context().channel() instanceof RingChannel own ? own : null;
        return output().prefetch(distance - 1) + (ring == null ? 0 : ring.prefetch(distance - 1));
    }

    ChannelHandlerContext context() {
        return Objects.requireNonNull(context);
    }

    Output output() {
        return Objects.requireNonNull(output);
    }

    BodyPipe pipe() {
        return Objects.requireNonNull(pipe);
    }

    Texts texts() {
        return loop.texts();
    }

    ClientSocket socket() {
        return socket;
    }

    /** Returns whether the connection ends when the exchange that runs is over. */
    boolean isDraining() {
        return draining;
    }

    /** Returns whether no exchange runs. */
    public boolean isIdle() {
        return current == null;
    }

    boolean sendsFiles() {
        return sendsFiles;
    }

    void read(boolean on) {
        if (context().channel().config().isAutoRead() != on) {
            context().channel().config().setAutoRead(on);
        }
    }

    // --- What arrives

    @Override
    public void channelRead(ChannelHandlerContext reading, Object message) {
        if (message instanceof PipedBytes piece) {
            onPiped(piece);
        } else if (!(message instanceof ByteBuf data)) {
            ReferenceCountUtil.release(message);
        } else if (tunnel != null) {
            tunnel.fromClient(data);
        } else if (deaf) {
            data.release();
        } else {
            ByteBuf before = pending;
            // What is given away is not kept: it is released also when it fails.
            pending = null;
            pending = before == null ? data : Pieces.joined(context().alloc(), before, data);
            process();
            ByteBuf rest = pending;
            if (rest != null && !processing) {
                pending = null;
                pending = Pieces.compact(rest);
            }
            countRead();
        }
    }

    private void countRead() {
        int bytes = readHeld();
        if (bytes > readBytes) {
            grew(bytes - readBytes);
        }
        readBytes = bytes;
    }

    private int readHeld() {
        ByteBuf waiting = pending;
        return (waiting == null ? 0 : Pieces.memory(waiting)) + parser.surplus() + body.surplus();
    }

    private long memoryHeld() {
        if (!context().channel().isOpen()) {
            return 0;
        }
        ClientRequest request = current;
        return readHeld() + output().held() + (request == null ? 0 : request.held());
    }

    /** Notes that so much more is held for the client, in bytes. */
    void grew(long bytes) {
        socket.loop().memory().grew(memory, bytes);
    }

    /** Returns whether no request is taken now, because too much is held for clients. */
    boolean isTooMuchHeld() {
        return socket.loop().memory().refuses(memory);
    }

    /** Vert.x has read nothing, so it has nothing to do when reading is over. */
    @Override
    public void channelReadComplete(ChannelHandlerContext read) {
        // Output leaves at the end of the turn.
    }

    /** Reads what is there, request by request, until one has to be answered first. */
    private void process() {
        if (processing) {
            return;
        }
        processing = true;
        try {
            boolean goesOn = true;
            while (goesOn && pending != null && pending.isReadable() && tunnel == null && !deaf) {
                goesOn = step(pending);
            }
        } catch (InvalidMessage e) {
            onInvalid(e);
        } finally {
            processing = false;
            settle();
            if (tunnel == null && (current == null || body.isOver())) {
                readAhead();
            }
        }
    }

    /** Returns whether there may be more to do. */
    private boolean step(ByteBuf data) {
        ClientRequest request = current;
        if (request == null) {
            follow();
            if (parser.read(data)) {
                begin();
            }
            return true;
        }
        if (body.isOver()) {
            return false;
        }
        pending = null;
        ByteBuf rest = body.read(data, bodySink);
        ByteBuf more = pending;
        pending = null;
        pending = more == null ? rest : Pieces.joined(context().alloc(), rest, more);
        if (body.isOver()) {
            onBodyEnd(request);
        }
        return true;
    }

    /** Measures the head that comes by the limits as they are now. */
    @SuppressWarnings("ReferenceEquality") // What did not change is the same object.
    private void follow() {
        ServerLimits now = socket.limits();
        if (now != limits) {
            limits = now;
            parser.limitTarget(now.targetBytesMax(), now.headBytesMax());
            body.limitTrailers(now.headBytesMax());
        }
    }

    /** Reads on while not much waits for the request that runs. */
    private void readAhead() {
        read(pending == null || pending.readableBytes() <= PIPELINED_BYTES_MAX);
    }

    private void onBodyEnd(ClientRequest request) {
        request.body().onEnd(body.trailers());
        request.lingered();
    }

    private void onPiped(PipedBytes piece) {
        ClientRequest request = current;
        body.taken(piece.length());
        if (deaf || request == null) {
            piece.release();
            return;
        }
        request.body().onPiped(piece);
        if (body.isOver()) {
            onBodyEnd(request);
        }
    }

    private void onBody(ByteBuf data) {
        if (current == null) {
            data.release();
        } else {
            current.body().onData(data);
        }
    }

    private void settle() {
        ByteBuf rest = pending;
        if (rest == null) {
            return;
        }
        if (tunnel != null && rest.isReadable()) {
            pending = null;
            tunnel.fromClient(rest);
        } else if (!rest.isReadable() || deaf) {
            pending = null;
            rest.release();
        }
    }

    private void begin() {
        RequestLine line = parser.line();
        FieldTable fields = parser.fields();
        GatewayError refusal = null;
        RequestHead head;
        boolean persistent = false;
        try {
            long length = Framing.ofRequest(fields, line.http10());
            persistent = ConnectionOptions.isPersistent(fields, line.http10());
            head = socket.head(line, fields, length);
            body.begin(length);
            if (isTooMuchHeld()) {
                refusal = GatewayError.gateway(ErrorKind.HOLDS_TOO_MUCH, null);
            }
        } catch (InvalidMessage e) {
            refusal = GatewayError.downstream(e.kind());
            head = socket.placeholder(line, fields);
        } catch (InvalidRequest e) {
            refusal = GatewayError.downstream(e.kind());
            head = socket.placeholder(line, fields);
        }
        if (refusal != null) {
            // Nobody knows where the request ends: all that follows is a body that nobody wants.
            body.begin(Framing.UNTIL_CLOSE);
        }
        ClientRequest request = request(line.http10(), persistent && refusal == null);
        current = request;
        request.begin(head, refusal);
    }

    private ClientRequest request(boolean http10, boolean keeps) {
        ClientRequest known = spare;
        spare = null;
        if (known == null) {
            return new ClientRequest(this, http10, keeps);
        }
        known.again(http10, keeps);
        return known;
    }

    private void onInvalid(InvalidMessage invalid) {
        GatewayError error = GatewayError.downstream(invalid.kind());
        ClientRequest request = current;
        if (request != null) {
            deaf = true;
            request.bodyFailed(invalid.kind());
            return;
        }
        body.begin(Framing.UNTIL_CLOSE);
        RequestLine line = parser.line();
        request = new ClientRequest(this, false, false);
        current = request;
        request.begin(socket.placeholder(line, parser.fields()), error);
    }

    /** The head of a request did not become complete in time. */
    public void headLate() {
        if (current == null && !deaf) {
            onInvalid(new InvalidMessage(ErrorKind.REQUEST_TIMEOUT, "head"));
        }
    }

    boolean isBodyOver() {
        return body.isOver();
    }

    // --- Ends of exchanges

    private void onFlushed() {
        socket.sent();
        long waiting = output().waiting();
        if (waiting > SENT_SOON_BYTES && waiting > sentBytes) {
            grew(waiting - sentBytes);
        }
        sentBytes = waiting;
        ClientRequest request = current;
        if (request != null && request.isFinished()) {
            // What the connection has room for is as good as sent, unless more has to follow in order.
            if (waiting == 0 || (output().isWritable() && request.body().isEnded())) {
                request.complete();
            } else if (request.isAwaitedFirst()) {
                context().writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(written -> {
                    if (written.isSuccess()) {
                        request.complete();
                    } else {
                        request.gone();
                    }
                });
            }
        }
    }

    /**
     * The exchange is over and its response is written.
     *
     * @param keeps whether another request may follow
     */
    void over(ClientRequest request, boolean keeps) {
        if (current != request) {
            return;
        }
        current = null;
        if (!keeps) {
            if (draining) {
                end();
            } else {
                close();
            }
            return;
        }
        if (draining) {
            // Its head did not say that it was the last.
            context().executor().schedule(this::endIfIdle, LAST_REQUEST_MILLIS, TimeUnit.MILLISECONDS);
        }
        spare = request.isSpare() ? request : null;
        parser.reset();
        // Lets go of long trailers, too.
        body.begin(0);
        process();
        if (inputEnded) {
            endAfterAnswers();
        }
    }

    /** What is written by now is the last, and {@link #close} follows it. */
    void last() {
        if (!draining && context().channel() instanceof RingChannel ring) {
            ring.last();
        }
    }

    /** Closes the connection after what was written. */
    public void close() {
        deaf = true;
        output().pass();
        context().writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    /**
     * Makes the exchange that runs the last one, or the next one that begins soon, whose response says so; a connection
     * without one ends then. All of it is over after {@code millis}.
     */
    public void drain(long millis) {
        if (draining) {
            return;
        }
        draining = true;
        context().executor().schedule(() -> context().close(), millis, TimeUnit.MILLISECONDS);
        if (current == null) {
            context()
                    .executor()
                    .schedule(this::endIfIdle, Math.min(millis, LAST_REQUEST_MILLIS), TimeUnit.MILLISECONDS);
        }
    }

    private void endIfIdle() {
        if (current == null && !deaf && context().channel().isActive()) {
            end();
        }
    }

    /**
     * Tells the client that nothing follows, and drops what it still sends until it ends, too: a socket that is closed
     * with something unread is reset, and the last response with it (RFC 9112 §9.6).
     */
    private void end() {
        deaf = true;
        output().pass();
        context().writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(written -> {
            if (written.isSuccess()) {
                socket.endOutput();
                read(true);
                context().executor().schedule(() -> context().close(), LINGER_MILLIS, TimeUnit.MILLISECONDS);
            } else {
                context().close();
            }
        });
    }

    /** Closes it in a way that no response seems complete that is not. */
    void abort() {
        deaf = true;
        Channel channel = context().channel();
        // Who hears that a write failed hears it after the socket was closed, which takes no options any more.
        if (channel.isOpen()) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
            context().close();
        }
    }

    /** Returns whether the client sends nothing more; it may still read. */
    boolean isInputEnded() {
        return inputEnded;
    }

    /** The client sends nothing more. What it has asked for by then is answered (RFC 9112 §9.6). */
    private void onInputEnded() {
        inputEnded = true;
        if (tunnel == null) {
            endAfterAnswers();
        } else {
            tunnel.clientEnded();
        }
    }

    private void endAfterAnswers() {
        ClientRequest request = current;
        if (request == null || request.isEnded()) {
            close();
        } else if (request.isHopeless() || (!body.isOver() && !request.isFinished())) {
            context().close();
        }
    }

    /** Returns what passes bytes in a tunnel. */
    TunnelEnd rawEnd() {
        return new RawEnd(output(), context().channel()) {
            @Override
            public void grew(long bytes) {
                ClientLink.this.grew(bytes);
            }
        };
    }

    /** Passes everything that arrives to {@code joined} from now on, and before it what has arrived already. */
    void tunnel(Tunnel joined) {
        tunnel = joined;
        socket.noHeads();
        if (!processing) {
            settle();
        }
    }

    // --- The connection

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext changed) {
        if (current != null && output().isWritable()) {
            current.drained();
        }
        changed.fireChannelWritabilityChanged();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext triggered, Object event) {
        if (event instanceof ChannelInputShutdownEvent
                || (event instanceof SslCloseCompletionEvent && tunnel != null)) {
            onInputEnded();
        }
        triggered.fireUserEventTriggered(event);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
        if (!(cause instanceof IOException)) {
            LOG.error("A connection of a client failed", cause);
        }
        failed.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext gone) {
        deaf = true;
        output().close();
        settle();
        if (tunnel != null) {
            tunnel.close();
        } else if (current != null) {
            current.gone();
        }
        gone.fireChannelInactive();
    }
}
