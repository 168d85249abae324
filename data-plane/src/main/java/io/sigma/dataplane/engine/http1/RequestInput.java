package io.sigma.dataplane.engine.http1;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import io.sigma.dataplane.engine.body.Pieces;
import io.sigma.dataplane.engine.relay.ClientSocket;
import io.sigma.dataplane.engine.relay.RequestLine;
import io.sigma.dataplane.engine.tunnel.Tunnel;
import io.sigma.dataplane.engine.uring.PipedBytes;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.exchange.InvalidRequest;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.loop.Prefetched;
import io.sigma.model.ServerLimits;
import org.jspecify.annotations.Nullable;

/**
 * Reads the requests of a client's HTTP/1.1 connection: each as soon as the one before has its answer, until a tunnel
 * takes the connection. Confined to the event loop.
 */
abstract class RequestInput extends ChannelInboundHandlerAdapter {

    /** Bytes that are accepted of requests that a client sends before it has the previous answer. */
    private static final int PIPELINED_BYTES_MAX = 64 * 1024;

    private final ClientSocket socket;
    /** The limits of heads and trailers. */
    private ServerLimits limits;

    private final RequestParser parser;
    private final BodyReader body;
    private @Nullable ClientRequest current;
    /** An ended request that serves the next one. */
    private @Nullable ClientRequest spare;

    private final BodyReader.Sink bodySink = this::onBody;
    private @Nullable Tunnel tunnel;
    private @Nullable ByteBuf pending;
    private boolean processing;
    private boolean deaf;
    /** Bytes of heads and of requests ahead that are reported as held. */
    private int readBytes;

    RequestInput(ClientSocket socket, Texts texts) {
        this.socket = socket;
        this.limits = socket.limits();
        this.parser = new RequestParser(texts, limits.targetBytesMax(), limits.headBytesMax());
        this.body = new BodyReader(texts, limits.headBytesMax(), false);
    }

    abstract ChannelHandlerContext context();

    /** Notes that so much more is held for the client, in bytes. */
    abstract void grew(long bytes);

    /** Returns whether no request is taken now, because too much is held for clients. */
    abstract boolean isTooMuchHeld();

    /**
     * Makes an object for a request.
     *
     * @param keeps whether its head lets another request follow
     */
    abstract ClientRequest made(boolean http10, boolean keeps);

    final ClientSocket socket() {
        return socket;
    }

    final BodyReader body() {
        return body;
    }

    /** Returns the request whose exchange runs; null for none. */
    final @Nullable ClientRequest current() {
        return current;
    }

    /** No exchange runs any more. */
    final void currentEnded() {
        current = null;
    }

    /** Takes the request that follows {@code over}. */
    final void next(ClientRequest over) {
        spare = over.isLeft() ? over : null;
        parser.reset();
        // Lets go of long trailers, too.
        body.begin(0);
        process();
    }

    /** Returns whether all that arrives is dropped. */
    final boolean isDeaf() {
        return deaf;
    }

    /** Drops all that arrives from now on. */
    final void deafen() {
        deaf = true;
    }

    /** Returns what takes all that arrives; null as long as requests are read. */
    final @Nullable Tunnel tunnel() {
        return tunnel;
    }

    /** Passes everything that arrives to {@code joined} from now on, and before it what has arrived already. */
    final void tunnel(Tunnel joined) {
        tunnel = joined;
        socket.noHeads();
        if (!processing) {
            settle();
        }
    }

    /** As {@link Prefetched#prefetch}, of what the request that comes needs; {@code distance} is at least 1. */
    final int prefetchInput(int distance) {
        ClientRequest next = current == null ? spare : current;
        return parser.prefetch(distance - 1)
                + body.prefetch(distance - 1)
                + socket.prefetch(distance - 1)
                + (next == null ? 0 : next.prefetch(distance - 1));
    }

    final void read(boolean on) {
        if (context().channel().config().isAutoRead() != on) {
            context().channel().config().setAutoRead(on);
        }
    }

    @Override
    public final void channelRead(ChannelHandlerContext reading, Object message) {
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
            // A buffer that is given away is released by its receiver, also when that fails.
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

    /** Returns how much of what arrived is held, in bytes. */
    final int readHeld() {
        ByteBuf waiting = pending;
        return (waiting == null ? 0 : Pieces.memory(waiting)) + parser.surplus() + body.surplus();
    }

    /** Vert.x has read nothing, so it has nothing to do when reading is over. */
    @Override
    public final void channelReadComplete(ChannelHandlerContext read) {
        // Output leaves at the end of the loop iteration.
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
    @SuppressWarnings("ReferenceEquality") // An unchanged value is the same object.
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

    /** Gives what waits to a tunnel, or drops it where nobody wants it. */
    final void settle() {
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
            return made(http10, keeps);
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
        request = made(false, false);
        current = request;
        request.begin(socket.placeholder(line, parser.fields()), error);
    }

    /** The head of a request did not become complete in time. */
    public void headLate() {
        if (current == null && !deaf) {
            onInvalid(new InvalidMessage(ErrorKind.REQUEST_TIMEOUT, "head"));
        }
    }

    final boolean isBodyOver() {
        return body.isOver();
    }
}
