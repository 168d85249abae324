package io.sigma.dataplane.engine.relay;

import io.netty.buffer.ByteBuf;
import io.sigma.dataplane.engine.Forward;
import io.sigma.dataplane.engine.body.BodySink;
import io.sigma.dataplane.engine.tunnel.ProtocolSwitch;
import io.sigma.dataplane.engine.uring.PipedBytes;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.exchange.rule.ConnectionLogin;
import io.sigma.dataplane.loop.Kept;
import io.sigma.dataplane.loop.Prefetched;
import io.sigma.dataplane.upstream.NodePool;
import io.sigma.dataplane.upstream.NotHttp2;
import io.sigma.dataplane.upstream.PooledConnection;
import org.jspecify.annotations.Nullable;

/**
 * The request half of a call: gets a connection from the pool, sends the head, then the body. It is recycled with its
 * call. {@link #run} gets the connection. Confined to the event loop of the exchange.
 */
final class RequestRelay implements Runnable, BodySink, Prefetched {

    @Kept("used again with it")
    private final Call call;

    @Kept("has one call at a time")
    private final ClientStream client;

    @Kept("made the next one by the stream of the client")
    private final Exchange exchange;

    private NodePool pool;
    /** True if the request authenticates its connection to the node (NTLM, Negotiate). */
    private boolean authenticates;
    /** The protocol that the request asks to switch to. Null without a switch of protocols. */
    private @Nullable ProtocolSwitch switching;

    /** On which a stream is being opened; whoever hears of the outcome gives it back, also after the call is over. */
    @Kept("null once the call is over")
    private @Nullable NodeConnection opening;

    /** True if the request needs a new connection, not a pooled one. */
    private boolean fresh;
    /** True if the connection to the node belongs to this client's connection only. */
    private boolean isPrivate;

    private boolean bodySent;
    private boolean ended;

    RequestRelay(Call call) {
        this.call = call;
        this.client = call.clientStream();
        this.exchange = call.exchange();
        this.authenticates = ConnectionLogin.isIn(exchange.request().fields());
        this.pool = firstPool();
        this.switching = wanted();
    }

    /** Makes it the request of the forward that the call has now. */
    void again() {
        assert opening == null;
        authenticates = ConnectionLogin.isIn(exchange.request().fields());
        pool = firstPool();
        switching = wanted();
        fresh = false;
        isPrivate = false;
        bodySent = false;
        ended = false;
    }

    private NodePool firstPool() {
        Forward forward = call.forward();
        if (authenticates || !forward.upgrade().isEmpty()) {
            return forward.node().switchingPool(exchange.loop(), client.socket());
        }
        return call.isGrpc()
                ? forward.node().callPool(exchange.loop(), client.socket())
                : forward.node().pool(exchange.loop(), client.socket());
    }

    private @Nullable ProtocolSwitch wanted() {
        Forward forward = call.forward();
        return forward.upgrade().isEmpty() ? null : new ProtocolSwitch(exchange, forward, client.isHttp2());
    }

    @Override
    public int prefetch(int distance) {
        return distance == 0 && ended ? 1 : 0;
    }

    /** Returns what the request wants to switch to; null for nothing. */
    @Nullable
    ProtocolSwitch switching() {
        return switching;
    }

    /** Returns whether the request authenticates the connection that it is sent on. */
    boolean authenticates() {
        return authenticates;
    }

    /** Returns whether the connection is the client's alone. */
    boolean isPrivate() {
        return isPrivate;
    }

    /** Returns whether what follows may be of another protocol: HTTP/1.1 ends with the content (RFC 9110 §7.8). */
    boolean maySwitch() {
        return ended || !exchange.request().hasBody();
    }

    /** Returns whether all of the request was given to the node's connection. */
    boolean isEnded() {
        return ended;
    }

    private boolean isRepeatable() {
        return RepeatRule.isRepeatable(call.forward(), exchange.request().method());
    }

    /**
     * Returns whether it may be sent again after {@code failure}.
     *
     * @param used on which it was sent; null when it was not
     */
    boolean mayRepeat(NodeFailure failure, @Nullable NodeStream used) {
        return RepeatRule.mayRepeat(
                failure, used, isRepeatable(), bodySent, client.body().isReplayable());
    }

    /** Returns whether a response is that of a node which waited for a request no more, and it may be sent again. */
    boolean isLate(int status, boolean keepsConnection, @Nullable NodeStream used) {
        return ended
                && RepeatRule.isLate(status, keepsConnection, used, isRepeatable())
                && client.body().isReplayable();
    }

    /** Returns whether the client may wait for 100 before it sends its body. */
    boolean awaitsContinue() {
        return call.state() == CallState.SENDING
                && !bodySent
                && exchange.request().fields().contains("expect");
    }

    // --- Connection

    void start() {
        if (authenticates && client.isHttp2() && client.mayUseHttp1()) {
            call.requireHttp1();
            return;
        }
        ErrorKind refusal = switching == null ? null : switching.refusal();
        if (refusal != null) {
            call.fail(GatewayError.downstream(refusal));
            return;
        }
        RequestHead head = exchange.request();
        int held = head.hasBody() ? call.forward().buffering().held(head.bodyBytes()) : 0;
        if (held > 0 && !head.fields().contains("expect")) {
            client.body().whenHeld(held, isRepeatable() ? this : this::connectLater);
        } else if (isRepeatable() && !head.hasBody()) {
            run();
        } else {
            // It cannot be sent again for certain, so whatever has arrived is heard first: maybe the end of the
            // connection that would be taken.
            connectLater();
        }
    }

    /**
     * Sends the request once more, on another connection.
     *
     * @param onFresh whether only one will do that was not waiting for a request
     */
    void repeat(boolean onFresh) {
        fresh = onFresh;
        bodySent = false;
        ended = false;
        // When the place of the connection that is gone is free.
        connectLater();
    }

    private void connectLater() {
        client.loop().scheduler().afterTurn(this);
    }

    /** Gets a connection. */
    @Override
    public void run() {
        if (call.state() != CallState.HOLDING) {
            return;
        }
        PrivateNode own = client.socket().privateNode();
        if (own != null && own.node() == call.forward().node() && own.isUsable()) {
            isPrivate = true;
            call.connected();
            own.connection().open(call);
            return;
        }
        boolean lasts = switching != null || keepsLogin();
        if (lasts && !call.takeTunnel()) {
            onNoConnection(GatewayError.unsent(ErrorKind.TUNNELS_FULL, null));
            return;
        }
        call.awaitConnection();
        if (fresh) {
            pool.acquireFresh(call);
        } else {
            pool.acquire(call);
        }
    }

    /** Streams of HTTP/2 have no connection of their own that a user could be authenticated on (RFC 4559 §6). */
    private boolean keepsLogin() {
        return authenticates && !client.isHttp2() && !call.forward().node().switchesNever();
    }

    void onConnection(PooledConnection obtained) {
        call.connected();
        call.pause();
        NodeConnection connection = (NodeConnection) obtained;
        opening = connection;
        connection.open(call);
    }

    void onNoConnection(GatewayError error) {
        if (error.cause() instanceof NotHttp2) {
            overHttp1();
        } else {
            call.unsent(error);
        }
    }

    /** Leaves the queue for a connection. */
    void cancel() {
        pool.cancel(call);
    }

    /**
     * Gives up to wait for a connection.
     *
     * @return whether another one is asked for, since the node need not speak HTTP/2
     */
    boolean onConnectTimeout() {
        pool.cancel(call);
        if (!pool.isTrial()) {
            return false;
        }
        overHttp1();
        return true;
    }

    /** Sends a call of gRPC as any other request: what a client says of it is not the fault of the node. */
    private void overHttp1() {
        pool = call.forward().node().pool(exchange.loop(), client.socket());
        call.pause();
        call.state(CallState.HOLDING);
        connectLater();
    }

    /** Has the client's next requests go over the same connection. */
    @SuppressWarnings("ReferenceEquality") // A connection is itself alone.
    void keep(NodeStream used) {
        NodeConnection kept = used.keep();
        PrivateNode before = client.socket().privateNode();
        if (kept != null && (before == null || before.connection() != kept)) {
            client.socket().privateNode(new PrivateNode(call.forward().node(), kept));
        }
    }

    // --- Request

    /** The stream is open. */
    void opened() {
        opening = null;
    }

    /** Gives back the connection on which no stream was opened. */
    void unopened() {
        NodeConnection connection = opening;
        opening = null;
        if (connection != null) {
            connection.release(false, exchange.clientKey());
        }
    }

    /** Sends the head, and the body as it comes. */
    void send(NodeStream stream) {
        if (keepsLogin() && !isPrivate) {
            isPrivate = true;
            call.leavePool(stream);
        }
        RequestHead head = exchange.request();
        ProtocolSwitch wanted = switching;
        boolean upgrades = wanted != null && wanted.isAsked(stream.isHttp2());
        if (wanted != null && upgrades) {
            wanted.translate(head.fields(), stream.isHttp2());
        }
        boolean hasBody = head.hasBody();
        stream.send(head.method(), call.forward(), head.fields(), hasBody ? head.bodyBytes() : 0);
        if (hasBody) {
            sendBody(stream, head);
        } else if (upgrades) {
            sent(stream);
        } else {
            end(stream);
        }
    }

    private void sendBody(NodeStream stream, RequestHead head) {
        call.beginRest(stream);
        if (!client.body().isEnded() && head.fields().contains("expect")) {
            call.awaitContinue();
        }
        boolean mayComeBack = RepeatRule.mayComeBack(stream, call.forward(), head.method());
        client.body().to(this, call.forward().replayable() || mayComeBack);
    }

    @Override
    public void onBody(ByteBuf data) {
        NodeStream out = call.node();
        if (out == null || call.state() == CallState.OVER) {
            data.release();
            return;
        }
        bodySent = true;
        call.bodyCame();
        int length = data.readableBytes();
        out.write(data);
        boolean full = out.isFull();
        if (full) {
            call.awaitRoom(out);
        }
        if (out.takesPiped()) {
            client.body().pipe();
        }
        if (full) {
            client.grew(length);
        }
    }

    @Override
    public void onBodyPiped(PipedBytes piece) {
        NodeStream out = call.node();
        if (out == null || call.state() == CallState.OVER) {
            piece.release();
            return;
        }
        call.bodyCame();
        out.write(piece);
        if (out.isFull()) {
            call.awaitRoom(out);
        }
    }

    @Override
    public void onBodyEnd() {
        NodeStream out = call.node();
        if (out != null && call.state() != CallState.OVER && !ended) {
            end(out);
        }
    }

    /** The node reads again. */
    void onWritable() {
        if (call.state() == CallState.SENDING && bodySent) {
            call.roomCame();
        } else if (call.state() == CallState.RESPONDING && !ended) {
            call.bodyCame();
        }
        client.body().resume();
    }

    private void end(NodeStream out) {
        ended = true;
        out.end(client.requestTrailers());
        call.delivery().end(out, exchange.bytesIn());
        sent(out);
    }

    /** The response may be there already, or the request may have failed and been replaced while it was written. */
    @SuppressWarnings("ReferenceEquality")
    private void sent(NodeStream out) {
        if (call.state() == CallState.SENDING && out == call.node()) {
            call.awaitAnswer();
        } else if (call.state() == CallState.RESPONDING) {
            call.bodyCame();
        }
    }
}
