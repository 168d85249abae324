package io.sigma.dataplane.engine.relay;

import io.netty.buffer.ByteBuf;
import io.sigma.dataplane.engine.Forward;
import io.sigma.dataplane.engine.ForwardEvents;
import io.sigma.dataplane.engine.tunnel.NoSwitch;
import io.sigma.dataplane.engine.tunnel.Tunnel;
import io.sigma.dataplane.engine.tunnel.TunnelRest;
import io.sigma.dataplane.engine.uring.PipedBytes;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.dataplane.loop.Kept;
import io.sigma.dataplane.upstream.PooledConnection;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request to one node, from the wait for a connection to the end of the response. It decides what the call does next,
 * and how it ends; {@link RequestRelay} and {@link ResponseRelay} carry the two halves, {@link TimedCall} has the
 * times. Confined to the event loop of the exchange.
 */
public final class Call extends TimedCall implements NodeEvents {

    private static final int CONTINUE = 100;

    private static final long HTTP_1_1_REQUIRED = 0xd;

    private final RequestRelay request;
    private final ResponseRelay response;
    private ForwardEvents events;

    @Kept("null once the call is over")
    private @Nullable NodeStream node;

    /** The number of times that the request was sent again on another connection. */
    private int stale;

    private boolean left;

    /** The tunnel after a switch of protocols. Null for a request without a switch. */
    @Kept("no call that has one is used again")
    private @Nullable Tunnel tunnel;

    Call(ClientStream client, Forward forward, ForwardEvents events) {
        super(client, forward);
        this.events = events;
        this.request = new RequestRelay(this);
        this.response = new ResponseRelay(this);
    }

    @Override
    public int prefetch(int distance) {
        return distance == 0
                ? stale + (node == null ? 1 : 0)
                : exchange().prefetch(distance - 1)
                        + request.prefetch(distance - 1)
                        + response.prefetch(distance - 1)
                        + events.prefetch(distance - 1)
                        + clientStream().prefetchResponse(distance - 1);
    }

    /** As {@link #prefetch}, of what the next request needs. */
    int prefetchRequest(int distance) {
        return distance == 0 ? prefetch(0) : request.prefetch(distance - 1);
    }

    /** Makes it another call of the same client; see {@link #isLeft}. */
    void again(Forward next, ForwardEvents nextEvents) {
        assert node == null;
        again(next);
        events = nextEvents;
        request.again();
        response.again();
        stale = 0;
        left = false;
    }

    /** Returns whether it ended well and nothing is under way to it, so that it can be used again. */
    boolean isLeft() {
        return left;
    }

    ForwardEvents events() {
        return events;
    }

    /** Returns the stream to the node; null while there is none. */
    @Nullable
    NodeStream node() {
        return node;
    }

    /** Returns how much of the request waits for the node to read, in bytes. */
    long held() {
        NodeStream out = node;
        return out == null ? 0 : out.held();
    }

    /**
     * Returns whether a client that sends nothing more is taken for one that is gone: for a response that lasts nobody
     * else would notice, and a request that waits behind others, whose client may have given up, takes the place of
     * another one.
     */
    boolean isHopeless() {
        return isLasting() || (state() == CallState.CONNECTING && waitedForOthers());
    }

    void start() {
        request.start();
    }

    /**
     * Gives up: a waiting call leaves its queue, an open connection is closed, or kept until the node has answered what
     * was sent. Nothing is reported any more.
     */
    public void cancel() {
        if (state() != CallState.OVER) {
            request.cancel();
            abandon();
            finish(false);
        }
    }

    /** Leaves a request to the node that it has, and may go on with although nobody waits. */
    private void abandon() {
        NodeStream mine = node;
        boolean responding = state() == CallState.RESPONDING;
        boolean sent = request.isEnded() && (state() == CallState.AWAITING || responding);
        if (mine != null
                && sent
                && Abandoned.begin(
                        mine,
                        exchange().request().fields(),
                        forward().node(),
                        clientStream().loop().connectionDeadlines(),
                        responding,
                        response.isPersistent())) {
            node = null;
        }
    }

    // --- Request

    @Override
    protected void onConnection(PooledConnection obtained) {
        request.onConnection(obtained);
    }

    @Override
    protected void onNoConnection(GatewayError error) {
        request.onNoConnection(error);
    }

    @Override
    public void onOpen(NodeStream stream) {
        request.opened();
        if (state() != CallState.OPENING) {
            stream.release(false);
            return;
        }
        state(CallState.SENDING);
        node = stream;
        request.send(stream);
    }

    @Override
    public void onWritable() {
        if (tunnel != null) {
            tunnel.nodeWritable();
        } else {
            request.onWritable();
        }
    }

    // --- Response

    @Override
    public void onInterim(int status, Fields fields) {
        if (state() == CallState.OVER) {
            return;
        }
        if (status == CONTINUE && request.awaitsContinue()) {
            pause();
        }
        response.interim(status, fields);
    }

    @Override
    public void onHead(int status, Fields fields, boolean keepsConnection) {
        if (state() == CallState.SENDING || state() == CallState.AWAITING) {
            response.onHead(status, fields, keepsConnection, request, node);
        }
    }

    /** Sends the response that was announced on to the client. */
    public void relay(ResponseHead head) {
        if (state() == CallState.RESPONDING) {
            clientStream().body().forget();
            response.begin(head, node);
        }
    }

    @Override
    public void onData(ByteBuf piece) {
        NodeStream in = node;
        if (tunnel != null) {
            tunnel.fromNode(piece);
        } else if (state() == CallState.RESPONDING && in != null) {
            response.onData(piece, in);
        } else {
            piece.release();
        }
    }

    @Override
    public void onPiped(PipedBytes piece) {
        NodeStream in = node;
        if (state() == CallState.RESPONDING && in != null) {
            response.onPiped(piece, in);
        } else {
            piece.release();
        }
    }

    /** The client has read what waited. */
    void onClientDrained() {
        NodeStream in = node;
        if (in != null && state() == CallState.RESPONDING) {
            response.readerCame(in);
        }
    }

    @Override
    public void onEnd(@Nullable Fields trailers) {
        NodeStream in = node;
        if (tunnel != null) {
            tunnel.nodeEnded();
            return;
        }
        if (state() != CallState.RESPONDING || in == null) {
            return;
        }
        boolean sent = in.isHttp2() ? in.isWritten() : request.isEnded();
        response.writeRest();
        // The connection goes back first, so that a request that follows at once finds it.
        left = in.isSilentOnceReleased();
        boolean reusable = sent && response.isPersistent() && request.switching() == null;
        if (request.isPrivate() && reusable) {
            request.keep(in);
            node = null;
        }
        // A connection that somebody is authenticated on is nobody else's.
        finish(reusable && (in.isHttp2() || !request.authenticates()));
        response.end(trailers);
    }

    /** Tells the client that protocols are switched, and returns what joins the two connections. */
    public Tunnel tunnel(ResponseHead head) {
        ClientStream client = clientStream();
        leavePool(node);
        NodeStream in = Objects.requireNonNull(node);
        response.proceedToSwitch();
        client.answerSwitch(head);
        waiting(true);
        Runnable onClosed = () -> {
            finish(in.isHttp2());
            client.end(exchange().error());
        };
        TunnelRest rest = TunnelRest.of(client.socket().limits());
        Tunnel joined = new Tunnel(client.tunnelEnd(), in.tunnelEnd(), exchange(), deadlines(), rest, onClosed);
        tunnel = joined;
        in.join(joined);
        client.join(joined);
        return joined;
    }

    // --- Ends

    /** Has a client come again on HTTP/1.1, where its connection can be authenticated (RFC 9113 §7). */
    void requireHttp1() {
        finish(false);
        exchange().fail(GatewayError.gateway(ErrorKind.VERSION, null));
        clientStream().abort(HTTP_1_1_REQUIRED);
    }

    /** Ends it before anything was sent that can have had an effect. */
    void unsent(GatewayError error) {
        finish(false);
        events.onUnsent(error);
    }

    /** Ends it before there was a response. */
    void fail(GatewayError error) {
        finish(false);
        events.onFailed(error);
    }

    @Override
    public void onFailed(NodeFailure failure) {
        request.unopened();
        if (tunnel != null && state() != CallState.OVER) {
            tunnel.close();
        } else if (state() == CallState.RESPONDING) {
            onResponseFailed(failure);
        } else if (state() != CallState.OVER) {
            onRequestFailed(failure);
        }
    }

    private void onResponseFailed(NodeFailure failure) {
        finish(false);
        if (!failure.broken() && !clientStream().isCommitted()) {
            // The body is malformed from its beginning, which the client need not see.
            events.onFailed(GatewayError.upstream(ErrorKind.BAD_RESPONSE, failure.cause()));
        } else {
            exchange().fail(failure(ErrorKind.BODY_ABORTED, failure.cause()));
            clientStream().abort(failure.code());
        }
    }

    private void onRequestFailed(NodeFailure failure) {
        NodeStream used = node;
        boolean untouched =
                state() == CallState.OPENING || state() == CallState.SENDING || state() == CallState.AWAITING;
        boolean again = untouched && request.mayRepeat(failure, used);
        finish(false);
        if (failure.cause() instanceof NoSwitch) {
            events.onFailed(GatewayError.gateway(ErrorKind.NO_SWITCH, null));
        } else if (again && stale++ < RepeatRule.STALE_MAX) {
            state(CallState.HOLDING);
            request.repeat(used != null && !used.isHttp2());
        } else if (untouched) {
            ErrorKind kind = failure.broken() ? ErrorKind.UPSTREAM_RESET : ErrorKind.BAD_RESPONSE;
            events.onFailed(failure(kind, failure.cause()));
        }
    }

    @Override
    protected void onDeadline() {
        int before = state();
        if (request.awaitsContinue()) {
            awaitBody();
            response.proceed();
            return;
        }
        NodeStream full = full();
        if (delivery().goesOn(full, request.isEnded() ? node : null)) {
            awaitAgain(full);
            return;
        }
        boolean silent = before == CallState.RESPONDING || (before == CallState.SENDING && full == null);
        if (silent && tryRest()) {
            return;
        }
        if (silent && before == CallState.SENDING) {
            clientStream().bodyFailed(ErrorKind.REQUEST_TIMEOUT);
            return;
        }
        if (before == CallState.CONNECTING) {
            // Leaving the queue forgets what was waited for.
            ErrorKind late = waitedForOthers() ? ErrorKind.WAIT_TOO_LONG : ErrorKind.CONNECT_TIMEOUT;
            if (!request.onConnectTimeout()) {
                unsent(GatewayError.unsent(late, null));
            }
            return;
        }
        if (before == CallState.AWAITING) {
            abandon();
        }
        finish(false);
        if (before == CallState.AWAITING || before == CallState.SENDING || before == CallState.OPENING) {
            events.onFailed(GatewayError.upstream(ErrorKind.RESPONSE_TIMEOUT, null));
        } else if (before == CallState.RESPONDING) {
            exchange().fail(silence(request.isEnded()));
            clientStream().abort();
        }
    }

    /** Returns the stream whose node has to read before it gets more of the request; null when the client is slow. */
    private @Nullable NodeStream full() {
        boolean sending = state() == CallState.SENDING;
        NodeStream out = sending || (state() == CallState.RESPONDING && !request.isEnded()) ? node : null;
        return out == null || ((mayRest() || !sending) && !out.isFull()) ? null : out;
    }

    /** Lets go of everything; the connection goes back to the pool when it can carry another request. */
    private void finish(boolean reusable) {
        state(CallState.OVER);
        clientStream().body().release(request);
        endWaiting();
        NodeStream mine = node;
        node = null;
        if (mine != null) {
            mine.release(reusable);
        }
    }
}
