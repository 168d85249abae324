package io.sigma.dataplane.engine.http1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.socket.ChannelOutputShutdownException;
import io.netty.handler.ssl.SslHandler;
import io.sigma.dataplane.engine.relay.NodeConnection;
import io.sigma.dataplane.engine.relay.NodeEvents;
import io.sigma.dataplane.engine.relay.NodeFailure;
import io.sigma.dataplane.engine.relay.ResponseRules;
import io.sigma.dataplane.engine.tunnel.Tunnel;
import io.sigma.dataplane.engine.uring.PipedBytes;
import io.sigma.dataplane.engine.uring.RingChannel;
import io.sigma.dataplane.loop.Prefetched;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a node over which HTTP/1.1 is spoken: one request at a time, each a {@link NodeRequest}. Confined to
 * its event loop.
 */
public final class NodeLink extends NodeConnection implements Prefetched {

    private final ResponseParser parser;
    private final BodyReader body;
    private final ChannelHandlerContext context;
    private final Output output;
    private final BodyPipe pipe;
    private @Nullable NodeRequest request;
    /** An ended request that serves the next one. */
    private @Nullable NodeRequest spare;

    private final BodyReader.Sink bodySink = this::onBody;
    private @Nullable Tunnel tunnel;
    /** Passes bytes in a tunnel. Null before a switch of protocols. */
    private @Nullable RawEnd raw;

    private @Nullable Throwable cause;
    /** True if nothing can be sent any more; the node may have answered before it stopped to read. */
    private boolean outputLost;

    private final boolean encrypted;
    /** True if the node has ended TLS (close_notify). */
    private boolean tlsEnded;

    private boolean responding;
    private int interim;

    NodeLink(ChannelHandlerContext context, Http1Loop loop) {
        this.context = context;
        // A node that answers and closes with the request unread makes writing fail: what it has sent is read first
        // (RFC 9112 §9.6).
        context.channel().config().setAutoClose(false);
        this.parser = new ResponseParser(loop.texts(), ResponseRules.HEAD_BYTES_MAX);
        this.body = new BodyReader(loop.texts(), ResponseRules.HEAD_BYTES_MAX, true);
        this.output = new Output(context, loop, () -> {
            // Nobody waits for a request to be sent.
        });
        this.encrypted = context.pipeline().get(SslHandler.class) != null;
        if (!encrypted) {
            output.sendPastHandlers();
        }
        this.pipe = new BodyPipe(context, body);
        if (context.channel() instanceof RingChannel ring) {
            ring.leadsTo(this);
        }
    }

    /** Returns a connection that is the last in {@code pipeline}. */
    public static NodeConnection install(ChannelPipeline pipeline, Http1Loop loop) {
        NodeLinkHandler handler = new NodeLinkHandler(loop);
        pipeline.addLast(handler);
        return handler.link();
    }

    @Override
    public int prefetch(int distance) {
        NodeRequest now = request;
        return distance == 0
                ? (responding ? 1 : 0)
                : parser.prefetch(distance - 1)
                        + output.prefetch(distance - 1)
                        + body.prefetch(distance - 1)
                        + (now == null ? 0 : now.prefetch(distance - 1));
    }

    Output output() {
        return output;
    }

    BodyPipe pipe() {
        return pipe;
    }

    ChannelHandlerContext context() {
        return context;
    }

    @Override
    public void open(NodeEvents events) {
        if (!isOpen()) {
            events.onFailed(NodeFailure.unsent(new ClosedChannelException()));
            return;
        }
        NodeRequest begun = spare;
        if (begun == null) {
            begun = new NodeRequest(this, events, reused());
        } else {
            begun.again(events);
        }
        spare = null;
        interim = 0;
        responding = false;
        request = begun;
        events.onOpen(begun);
    }

    /** The request is over, whether or not its response was. */
    void ended(NodeRequest over, boolean reusable) {
        if (over == request) {
            request = null;
            spare = reusable ? over : null;
        }
        read(true);
        release(reusable && tunnel == null && !outputLost, client());
    }

    /** As {@link #ended}, for a connection that is kept beside the pool. */
    boolean kept(NodeRequest over) {
        request = null;
        spare = over;
        read(true);
        return tunnel == null && isOpen();
    }

    /** Returns whether the body of the response has no length that was announced. */
    boolean isOpenEnded() {
        return body.isOpenEnded();
    }

    /** Returns what passes bytes in a tunnel. */
    RawEnd raw() {
        RawEnd made = raw;
        if (made == null) {
            made = new RawEnd(output, context.channel());
            raw = made;
        }
        return made;
    }

    /** Passes everything that arrives to {@code joined} from now on. */
    void tunnel(Tunnel joined) {
        tunnel = joined;
    }

    /** Returns whether bytes are passed in a tunnel, or are about to be. */
    boolean isTunnel() {
        return raw != null;
    }

    /** The node has ended TLS (close_notify). */
    void onTlsEnded() {
        tlsEnded = true;
    }

    /** Something failed: the connection ends, unless only writing did, as the node may have answered. */
    void onException(Throwable reason) {
        boolean writing = reason instanceof ChannelOutputShutdownException
                || (outputLost && reason instanceof ClosedChannelException);
        if (!writing) {
            cause = reason;
            context.close();
        }
    }

    /** The node sends nothing more. */
    void onInputEnded() {
        Tunnel joined = tunnel;
        if (joined == null) {
            context.close();
        } else {
            joined.nodeEnded();
        }
    }

    void read(boolean on) {
        if (context.channel().config().isAutoRead() != on) {
            context.channel().config().setAutoRead(on);
        }
    }

    void onPiped(PipedBytes piece) {
        NodeRequest current = request;
        body.taken(piece.length());
        if (current == null) {
            piece.release();
            return;
        }
        current.events().onPiped(piece);
        if (body.isOver() && current == request) {
            complete(current, false);
        }
    }

    void onRead(ByteBuf arrived) {
        if (tunnel != null) {
            tunnel.fromNode(arrived);
            return;
        }
        ByteBuf data = arrived;
        try {
            while (data.isReadable() && request != null && tunnel == null) {
                if (responding) {
                    ByteBuf given = data;
                    // It is not this method's to release any more, also when reading it fails.
                    data = Unpooled.EMPTY_BUFFER;
                    data = readBody(request, given);
                } else if (parser.read(data)) {
                    onHead(request, data);
                }
            }
            if (tunnel != null && data.isReadable()) {
                tunnel.fromNode(data.retain());
            } else if (data.isReadable()) {
                // Nobody asked for it: whatever it is, it must not be taken for the response to a later request.
                context.close();
            }
        } catch (InvalidMessage e) {
            fail(NodeFailure.invalid(e));
        } finally {
            data.release();
        }
    }

    /** Returns what is left to be read. */
    private ByteBuf readBody(NodeRequest current, ByteBuf data) {
        ByteBuf rest = body.read(data, bodySink);
        if (body.isOver() && current == request) {
            complete(current, rest.isReadable());
        }
        return rest;
    }

    private void onBody(ByteBuf data) {
        if (request == null) {
            data.release();
        } else {
            request.events().onData(data);
        }
    }

    private void onHead(NodeRequest current, ByteBuf rest) {
        int status = parser.status();
        FieldTable fields = parser.fields();
        if (ResponseRules.isInterim(status)) {
            if (interim++ == ResponseRules.INTERIM_MAX) {
                throw InvalidMessage.malformed("too many interim responses");
            }
            current.events().onInterim(status, fields);
            parser.reset();
            return;
        }
        if (ResponseRules.isSwitching(status)) {
            if (!current.upgrades()) {
                throw InvalidMessage.malformed("101 that was not asked for");
            }
            current.events().onHead(status, fields, false);
            return;
        }
        body.begin(Framing.ofResponse(fields, status, parser.isHttp10(), current.method()));
        responding = true;
        boolean persistent = !body.isUntilClose() && ConnectionOptions.isPersistent(fields, parser.isHttp10());
        if (persistent) {
            idleAtMost(ConnectionOptions.idleMillisMax(fields));
        }
        current.events().onHead(status, fields, persistent);
        if (body.isOver() && current == request) {
            complete(current, rest.isReadable());
        }
    }

    /**
     * @param more whether more arrived than the response, so that nobody knows what the rest belongs to
     */
    private void complete(NodeRequest current, boolean more) {
        FieldTable trailers = body.trailers();
        if (more) {
            drain();
        }
        current.events().onEnd(trailers);
        parser.reset();
    }

    private void fail(NodeFailure failure) {
        NodeRequest current = request;
        context.close();
        if (current != null) {
            current.events().onFailed(failure);
        }
    }

    void onOutputLost() {
        if (raw != null && raw.isOutputEnded()) {
            return;
        }
        outputLost = true;
        if (request == null || tunnel != null) {
            context.close();
        }
    }

    void onWritabilityChanged() {
        NodeRequest current = request;
        if (tunnel != null) {
            tunnel.nodeWritable();
        } else if (current != null && output.isWritable()) {
            current.events().onWritable();
        }
    }

    void onClosed() {
        output.close();
        NodeRequest current = request;
        Tunnel joined = tunnel;
        if (joined != null) {
            if (!joined.nodeGone()) {
                joined.close();
            }
        } else if (current != null && responding && isWholeNow()) {
            body.close();
            current.events().onEnd(null);
        } else if (current != null) {
            current.events().onFailed(NodeFailure.broken(cause == null ? new ClosedChannelException() : cause));
        }
        closed();
    }

    /**
     * Returns whether the end of the connection is that of the response. On TLS anyone on the way can end the
     * connection, and only the node can end TLS (RFC 9112 §8, §9.8).
     */
    private boolean isWholeNow() {
        return body.isUntilClose() && !body.isOver() && cause == null && (tlsEnded || !encrypted);
    }

    @Override
    protected boolean isOpen() {
        return context.channel().isActive() && !outputLost;
    }

    @Override
    protected void close() {
        context.close();
    }
}
