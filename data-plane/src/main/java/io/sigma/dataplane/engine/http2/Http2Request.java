package io.sigma.dataplane.engine.http2;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.concurrent.ScheduledFuture;
import io.sigma.dataplane.engine.ExchangeEvents;
import io.sigma.dataplane.engine.tunnel.Tunnel;
import io.sigma.dataplane.engine.tunnel.TunnelEnd;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.exchange.rule.Grpc;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A stream of a client: a request and its response. Confined to the event loop of the connection. */
final class Http2Request extends Http2Response {

    /** Memory of a stream without its head and body, in bytes. */
    private static final int STREAM_BYTES = 2048;

    private final StreamBody incoming;
    private final int headSize;
    private int trailersSize;

    /** True if the request switches protocols: the bytes behind the head belong to the new protocol. */
    private boolean switches;
    /** Notified when a tunnel is closed; null as long as it is not to be. */
    private @Nullable Runnable onTunnelClosed;
    /** The timer that ends a tunnel whose client does not end it. Null until the gateway has ended its direction. */
    private @Nullable ScheduledFuture<?> late;

    /**
     * @param headSize of the request, in octets
     */
    Http2Request(Http2Link link, Http2Stream stream, int headSize) {
        super(link, stream);
        this.headSize = headSize;
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
            // A stream of gRPC may rest, which the call finds out when it knows the node.
            if (!Grpc.isCall(head.fields()) || head.bodyBytes() >= 0) {
                watchRate();
            }
        }
        begin(events, refusal);
    }

    /**
     * As {@link #begin(RequestHead, GatewayError, boolean)}, where the next bytes belong to the protocol behind the
     * request.
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
    public void grew(long bytes) {
        link().grew(bytes);
    }

    @Override
    public long held() {
        return super.held() + STREAM_BYTES + headSize + trailersSize + incoming.cost() + responseHeld();
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

    // --- Tunnel

    @Override
    protected TunnelEnd tunnelEnd() {
        return new Http2ClientEnd(this);
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
        if (stream().state() == Http2Stream.State.CLOSED) {
            tunnelClosed();
            return;
        }
        finish(null);
        late = link().context()
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
            link().reset(stream(), told(code));
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
        if (!isFinished()) {
            gone();
        }
    }

    /** Never asked for: no other stream suffers from what one does. */
    @Override
    protected void closeConnection() {
        link().context().close();
    }
}
