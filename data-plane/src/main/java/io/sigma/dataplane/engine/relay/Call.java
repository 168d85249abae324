package io.sigma.dataplane.engine.relay;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.sigma.dataplane.engine.Forward;
import io.sigma.dataplane.engine.ForwardEvents;
import io.sigma.dataplane.engine.uring.PipedBytes;
import io.sigma.dataplane.exchange.ConnectionFields;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.dataplane.exchange.rule.ConnectionLogin;
import io.sigma.dataplane.exchange.rule.Grpc;
import io.sigma.dataplane.loop.Deadlines;
import io.sigma.dataplane.loop.Kept;
import io.sigma.dataplane.upstream.NodePool;
import io.sigma.dataplane.upstream.NotHttp2;
import io.sigma.dataplane.upstream.PooledConnection;
import io.sigma.dataplane.upstream.Waiter;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One request to one node: a connection from the pool, the request out, the response back. Confined to the event loop
 * of the exchange.
 */
public final class Call extends Waiter implements NodeEvents, RequestBody.Sink {

    /** How often a connection that the node had closed meanwhile is replaced by another one. */
    private static final int STALE_MAX = 3;

    /**
     * How long a node may leave the client waiting for 100 (RFC 9110 §10.1.1: some never send it); as long as curl
     * waits.
     */
    private static final long CONTINUE_MILLIS = 1_000;

    private static final int CONTINUE = 100;

    private static final long HTTP_1_1_REQUIRED = 0xd;

    private static final String EVENT_STREAM = "text/event-stream";

    /** As numbers, because the collector fences each reference that is set. */
    private static final class State {
        static final int HOLDING = 0;
        static final int CONNECTING = 1;
        static final int OPENING = 2;
        static final int SENDING = 3;
        static final int AWAITING = 4;
        static final int RESPONDING = 5;
        static final int TUNNEL = 6;
        static final int OVER = 7;

        private State() {}
    }

    @Kept("has one call at a time")
    private final ClientStream client;

    @Kept("made the next one by the stream of the client")
    private final Exchange exchange;

    private final Deadlines deadlines;
    private final ResponseRelay response;
    private Forward forward;
    private ForwardEvents events;
    private NodePool pool;

    private int state = State.HOLDING;

    @Kept("null once the call is over")
    private @Nullable NodeStream node;
    /** On which a stream is being opened; whoever hears of the outcome gives it back, also after the call is over. */
    @Kept("null once the call is over")
    private @Nullable NodeConnection opening;

    private boolean requestEnded;
    private boolean bodySent;
    private boolean persistent;
    private boolean responsePaused;

    @Kept("false once the call is over")
    private boolean waiting;

    private int stale;
    /** What {@link NodeStream#progress} said when the node had no room for more of the body. */
    @Kept("set before it is looked at")
    private long progress;
    /** Whether only a connection will do that was not waiting for a request. */
    private boolean fresh;

    private boolean left;
    /** Whether a place among the tunnels of the node is held, which no connection has taken over. */
    @Kept("false once the call is over")
    private boolean tunnelHeld;

    /** What it has become after a protocol switch; null for most. */
    @Kept("no call that has one is used again")
    private @Nullable Tunnel tunnel;

    /** What is answered to the key of a WebSocket, by the node or to the client; null for nothing. */
    private @Nullable String accept;

    /** What Connection of the response names, whose trailers are not passed on either. */
    private Set<String> connectionOptions = Set.of();

    /** Whether the response is a stream of events, which lasts. */
    private boolean lasting;

    /** Whether both sides may be silent for long: a call of gRPC, or a stream of events. */
    private boolean rests;

    /** Whether a place among the streams is held that are silent for longer than others may be. */
    @Kept("false once the call is over")
    private boolean restHeld;

    /** Whether the request authenticates the connection that it is sent on. */
    private boolean authenticates;
    /** Whether the connection is the client's alone. */
    private boolean isPrivate;

    private final Runnable connecting = this::connect;

    Call(ClientStream client, Forward forward, ForwardEvents events) {
        this.client = client;
        this.exchange = client.exchange();
        this.forward = forward;
        this.events = events;
        this.deadlines = client.loop().exchangeDeadlines();
        this.response = new ResponseRelay(client);
        this.pool = pool();
    }

    private NodePool pool() {
        authenticates = ConnectionLogin.isIn(exchange.request().fields());
        if (authenticates || !forward.upgrade().isEmpty()) {
            return forward.node().switchingPool(exchange.loop());
        }
        return isCall()
                ? forward.node().callPool(exchange.loop())
                : forward.node().pool(exchange.loop());
    }

    @Override
    public int prefetch(int distance) {
        return distance == 0
                ? stale + (node == null ? 1 : 0)
                : exchange.prefetch(distance - 1)
                        + response.prefetch(distance - 1)
                        + events.prefetch(distance - 1)
                        + client.prefetchResponse(distance - 1);
    }

    /** Makes it another call of the same client; see {@link #isLeft}. */
    void again(Forward next, ForwardEvents nextEvents) {
        assert node == null && opening == null && !waiting && !tunnelHeld;
        forward = next;
        events = nextEvents;
        pool = pool();
        response.again();
        state = State.HOLDING;
        requestEnded = false;
        bodySent = false;
        persistent = false;
        responsePaused = false;
        stale = 0;
        fresh = false;
        left = false;
        lasting = false;
        rests = false;
        isPrivate = false;
        accept = null;
        connectionOptions = Set.of();
    }

    /** Returns whether it ended well and nothing is under way to it, so that it can be used again. */
    boolean isLeft() {
        return left;
    }

    /** Returns how much of the request waits for the node to read, in bytes. */
    long held() {
        NodeStream out = node;
        return out == null ? 0 : out.held();
    }

    void start() {
        if (authenticates && client.isHttp2() && client.mayUseHttp1()) {
            requireHttp1();
            return;
        }
        RequestHead head = exchange.request();
        ErrorKind refusal = isTranslated() ? WebSocketHandshake.refusal(head, client.isHttp2()) : null;
        if (refusal != null) {
            finish(false);
            events.onFailed(GatewayError.downstream(refusal));
            return;
        }
        int held = head.hasBody() ? forward.buffering().held(head.bodyBytes()) : 0;
        if (held > 0 && !head.fields().contains("expect")) {
            client.body().whenHeld(held, isRepeatable() ? connecting : this::connectLater);
        } else if (isRepeatable() && !head.hasBody()) {
            connect();
        } else {
            // It cannot be sent again for certain, so whatever has arrived is heard first: maybe the end of the
            // connection that would be taken.
            connectLater();
        }
    }

    /**
     * Gives up: a waiting call leaves its queue, an open connection is closed, or kept until the node has answered what
     * was sent. Nothing is reported any more.
     */
    public void cancel() {
        if (state == State.OVER) {
            return;
        }
        pool.cancel(this);
        abandon();
        finish(false);
    }

    /** Leaves a request to the node that it has, and may go on with although nobody waits. */
    private void abandon() {
        NodeStream mine = node;
        boolean sent = requestEnded && (state == State.AWAITING || state == State.RESPONDING);
        if (mine != null
                && sent
                && !isCancelledAtOnce(mine)
                && Abandoned.begin(
                        mine,
                        forward.node(),
                        client.loop().connectionDeadlines(),
                        state == State.RESPONDING,
                        persistent)) {
            node = null;
        }
    }

    /** Servers of gRPC stop to work on a call that is cancelled, and its clients count on that. */
    private boolean isCancelledAtOnce(NodeStream open) {
        return open.isHttp2() && Grpc.isCall(exchange.request().fields());
    }

    // --- Connection

    private void connectLater() {
        client.loop().scheduler().afterTurn(connecting);
    }

    private void connect() {
        if (state == State.HOLDING) {
            PrivateNode own = client.privateNode();
            if (own != null && own.node() == forward.node() && own.isUsable()) {
                connectPrivately(own);
                return;
            }
            boolean lasts = !forward.upgrade().isEmpty() || keepsLogin();
            if (lasts && !tunnelHeld && !forward.node().tryTunnel(client())) {
                onNoConnection(GatewayError.unsent(ErrorKind.TUNNELS_FULL, null));
                return;
            }
            tunnelHeld = lasts;
            state = State.CONNECTING;
            waiting(true);
            deadlines.set(this, forward.connectMillis());
            if (fresh) {
                pool.acquireFresh(this);
            } else {
                pool.acquire(this);
            }
        }
    }

    /** Streams of HTTP/2 have no connection of their own that a user could be authenticated on (RFC 4559 §6). */
    private boolean keepsLogin() {
        return authenticates && !client.isHttp2() && !forward.node().switchesNever();
    }

    private void connectPrivately(PrivateNode own) {
        state = State.OPENING;
        isPrivate = true;
        waiting(client.body().isEnded());
        exchange.connectedNanos(client.loop().nanos());
        own.connection().open(this);
    }

    /** Has a client come again on HTTP/1.1, where its connection can be authenticated (RFC 9113 §7). */
    private void requireHttp1() {
        finish(false);
        exchange.fail(GatewayError.gateway(ErrorKind.VERSION, null));
        client.abort(HTTP_1_1_REQUIRED);
    }

    @Override
    protected long client() {
        return exchange.clientKey();
    }

    @Override
    protected int waitMillisMax() {
        return forward.connectMillis();
    }

    @Override
    protected void onConnection(PooledConnection obtained) {
        state = State.OPENING;
        waiting(client.body().isEnded());
        deadlines.pause(this);
        exchange.connectedNanos(client.loop().nanos());
        NodeConnection connection = (NodeConnection) obtained;
        opening = connection;
        connection.open(this);
    }

    @Override
    protected void onNoConnection(GatewayError error) {
        if (error.cause() instanceof NotHttp2) {
            overHttp1();
            return;
        }
        finish(false);
        events.onUnsent(error);
    }

    /** Sends a call of gRPC as any other request: what a client says of it is not the fault of the node. */
    private void overHttp1() {
        pool = forward.node().pool(exchange.loop());
        state = State.HOLDING;
        connectLater();
    }

    // --- Request

    @Override
    public void onOpen(NodeStream stream) {
        opening = null;
        if (state != State.OPENING) {
            stream.release(false);
            return;
        }
        state = State.SENDING;
        node = stream;
        if (keepsLogin() && !isPrivate) {
            isPrivate = true;
            leavePool();
        }
        RequestHead head = exchange.request();
        if (!stream.isHttp2()) {
            // It belongs to HTTP/2: HTTP/1.1 would have to name it in Connection as well.
            head.fields().remove("te");
        }
        // HTTP/2 switches to WebSocket alone. For any other protocol the node gets a request without the wish (RFC 9110
        // §7.8).
        boolean upgrades = !forward.upgrade().isEmpty() && (!stream.isHttp2() || forward.isWebSocket());
        if (upgrades && forward.isWebSocket()) {
            translateKey(head.fields(), stream.isHttp2());
        }
        stream.send(head.method(), forward, head.fields(), upgrades ? 0 : head.bodyBytes());
        if (upgrades) {
            awaiting(stream);
        } else if (!head.hasBody()) {
            end(stream);
        } else {
            beginCall(stream);
            if (!client.body().isEnded() && head.fields().contains("expect")) {
                deadlines.set(this, CONTINUE_MILLIS);
            }
            client.body().to(this, forward.replayable() || mayComeBack(stream));
        }
    }

    /**
     * Has a call of gRPC rest where it shares its connection to the node. What a client says of its request alone
     * keeps no connection from others: on HTTP/1.1 the body has to come at its least rate.
     */
    private void beginCall(NodeStream stream) {
        if (isCall()) {
            rests = stream.isHttp2();
            client.bodyMayRest(rests);
            waiting(rests || client.body().isEnded());
            awaitBody();
        }
    }

    private boolean isCall() {
        return client.isHttp2() && Grpc.isCall(exchange.request().fields());
    }

    /** Returns whether the client asks for a WebSocket on another version of HTTP than the node's. */
    private boolean isTranslated() {
        return forward.isWebSocket() && client.isHttp2() != forward.node().switchesNever();
    }

    /** WebSockets on HTTP/1.1 have keys, those on HTTP/2 have not (RFC 8441 §5). */
    private void translateKey(Fields fields, boolean toHttp2) {
        if (toHttp2) {
            String key = fields.get(WebSocketHandshake.KEY);
            accept = key == null ? null : WebSocketHandshake.accept(key);
            fields.remove(WebSocketHandshake.KEY);
        } else if (client.isHttp2()) {
            String key = WebSocketHandshake.createKey();
            accept = WebSocketHandshake.accept(key);
            fields.set(WebSocketHandshake.KEY, key);
            fields.set(WebSocketHandshake.VERSION, WebSocketHandshake.KNOWN_VERSION);
        }
    }

    /**
     * Makes of a node's head that switches what the client's protocol has for it (RFC 8441 §5).
     *
     * @return false when it is no answer to what the node was asked
     */
    private boolean translateSwitch(ResponseHead head, boolean fromHttp2) {
        Fields fields = head.fields();
        boolean answers = (fromHttp2 || ConnectionFields.isSwitch(fields, forward.upgrade()))
                && (!isTranslated()
                        || WebSocketHandshake.isAnswer(exchange.request().fields(), fields));
        if (!answers) {
            return false;
        }
        String protocol = fromHttp2 ? forward.upgrade() : fields.get("upgrade");
        ConnectionFields.stripInterim(fields);
        exchange.stripAnswer(fields);
        if (!client.isHttp2()) {
            fields.set("upgrade", String.valueOf(protocol));
            if (fromHttp2) {
                fields.set(WebSocketHandshake.ACCEPT, String.valueOf(accept));
            }
            head.status(101);
        } else if (!fromHttp2) {
            if (!fields.all(WebSocketHandshake.ACCEPT).equals(List.of(String.valueOf(accept)))) {
                return false;
            }
            fields.remove(WebSocketHandshake.ACCEPT);
            head.status(200);
        }
        return true;
    }

    /** Returns whether the node switches to the protocol that was asked for. */
    private boolean isSwitch(int status, boolean fromHttp2) {
        return !forward.upgrade().isEmpty()
                && (fromHttp2 ? forward.isWebSocket() && status >= 200 && status < 300 : status == 101);
    }

    /**
     * Returns whether the request may have to be sent again, although its route does not say so: over HTTP/2 a node can
     * say that it did nothing with it (RFC 9113 §8.7), over HTTP/1.1 it may be closing a connection that was used
     * before.
     */
    private boolean mayComeBack(NodeStream stream) {
        return stream.isHttp2() || (stream.isReused() && isRepeatable());
    }

    @Override
    public void onBody(ByteBuf data) {
        NodeStream out = node;
        if (out == null || state == State.OVER) {
            data.release();
            return;
        }
        bodySent = true;
        if (state == State.SENDING) {
            awaitBody();
        } else if (rests && state == State.RESPONDING && !responsePaused) {
            awaitData();
        }
        int length = data.readableBytes();
        out.write(data);
        boolean full = out.isFull();
        if (full) {
            awaitRoom(out);
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
        NodeStream out = node;
        if (out == null || state == State.OVER) {
            piece.release();
            return;
        }
        out.write(piece);
        if (out.isFull()) {
            awaitRoom(out);
        }
    }

    /** The connection of the client bounds how long it may send nothing, unless the call may rest. */
    private void awaitBody() {
        if (rests) {
            awaitEither();
        } else {
            deadlines.pause(this);
        }
    }

    /** Waits for the next of what may rest. */
    private void awaitEither() {
        int rest = client.restMillis();
        deadlines.set(this, isPlaced() ? rest : Math.min(rest, busyMillis()));
    }

    /** Returns whether it has a place among those that are silent for long. */
    private boolean isPlaced() {
        return restHeld || lasting;
    }

    /** Returns how long a call may be silent that has no such place, in milliseconds. */
    private int busyMillis() {
        return state == State.RESPONDING ? forward.idleMillis() : client.idleMillis();
    }

    /** Lets a silent call go on, as far as there is a place for it. */
    private boolean tryRest() {
        int more = client.restMillis() - busyMillis();
        if (!rests || isPlaced() || more <= 0 || !forward.node().tryRest(client())) {
            return false;
        }
        restHeld = true;
        deadlines.set(this, more);
        return true;
    }

    /** It is the node that is waited for, which has to read before it gets more. */
    private void awaitRoom(NodeStream full) {
        client.body().pause();
        if (state == State.SENDING) {
            progress = full.progress();
            waiting(true);
            deadlines.set(this, forward.idleMillis());
        }
    }

    @Override
    public void onBodyEnd() {
        NodeStream out = node;
        if (out != null && state != State.OVER && !requestEnded) {
            end(out);
        }
    }

    @Override
    public void onWritable() {
        if (tunnel != null) {
            tunnel.nodeWritable();
            return;
        }
        if (state == State.SENDING && bodySent) {
            waiting(rests);
            awaitBody();
        }
        client.body().resume();
    }

    private void end(NodeStream out) {
        requestEnded = true;
        out.end(client.requestTrailers());
        awaiting(out);
    }

    /** The response may be there already, or the request may have failed and been replaced while it was written. */
    @SuppressWarnings("ReferenceEquality")
    private void awaiting(NodeStream sent) {
        if (state == State.SENDING && sent == node) {
            state = State.AWAITING;
            waiting(true);
            deadlines.set(this, forward.responseMillis());
        }
    }

    // --- Response

    @Override
    public void onInterim(int status, Fields fields) {
        if (state == State.OVER) {
            return;
        }
        if (status == CONTINUE && awaitsContinue()) {
            deadlines.pause(this);
        }
        response.interim(status, fields);
    }

    /** Returns whether the client may wait for 100 before it sends its body. */
    private boolean awaitsContinue() {
        return state == State.SENDING
                && !bodySent
                && exchange.request().fields().contains("expect");
    }

    @Override
    public void onHead(int status, Fields fields, boolean keepsConnection) {
        if (state != State.SENDING && state != State.AWAITING) {
            return;
        }
        waiting(false);
        exchange.firstByteNanos(client.loop().nanos());
        persistent = keepsConnection;
        boolean http2 = node != null && node.isHttp2();
        boolean switching = isSwitch(status, http2);
        if (!switching && status < 300 && client.isHttp2() && !forward.upgrade().isEmpty()) {
            // On HTTP/2 it would say that the protocol was switched (RFC 8441 §5).
            finish(false);
            events.onFailed(GatewayError.gateway(ErrorKind.NO_SWITCH, null));
            return;
        }
        if (status == 401 && client.isHttp2() && client.mayUseHttp1() && ConnectionLogin.isAskedFor(fields)) {
            requireHttp1();
            return;
        }
        if (status < 200 && !switching) {
            // A 101 that nobody asked for; other interim responses were dropped where they were decoded.
            finish(false);
            events.onFailed(GatewayError.upstream(ErrorKind.BAD_RESPONSE, null));
            return;
        }
        ResponseHead head = response.head(status, fields);
        if (switching && !translateSwitch(head, http2)) {
            finish(false);
            events.onFailed(GatewayError.upstream(ErrorKind.BAD_RESPONSE, null));
        } else if (switching) {
            state = State.TUNNEL;
            deadlines.remove(this);
            events.onSwitching(head);
        } else {
            state = State.RESPONDING;
            connectionOptions = ConnectionFields.options(fields);
            lasting = isOpenEnded() && mayRest(fields);
            if (lasting && (tunnelHeld || forward.node().tryTunnel(client()))) {
                tunnelHeld = true;
                rests = true;
                leavePool();
            } else if (http2) {
                rests |= isEventStream(fields);
            }
            waiting(rests);
            awaitData();
            events.onResponse(head);
        }
    }

    private boolean isOpenEnded() {
        NodeStream in = node;
        return in != null && in.isOpenEnded();
    }

    /** Returns whether the response is one that lasts: its connection is not one for requests. */
    private boolean mayRest(Fields fields) {
        return isEventStream(fields) || (isCall() && Grpc.isCall(fields));
    }

    /** The node may be silent for the idle timeout of the proxy pass, unless both sides may rest. */
    private void awaitData() {
        if (rests) {
            awaitEither();
        } else {
            deadlines.set(this, forward.idleMillis());
        }
    }

    /** Returns whether the response is one of HTML, Server-sent events. */
    private static boolean isEventStream(Fields fields) {
        String type = fields.get("content-type");
        return type != null && type.regionMatches(true, 0, EVENT_STREAM, 0, EVENT_STREAM.length());
    }

    /** The place among the tunnels is that of the connection from now on, whose place in the pool is free. */
    private void leavePool() {
        NodeStream in = node;
        if (in != null && in.becomeTunnel()) {
            tunnelHeld = false;
        }
    }

    /** Sends the response that was announced on to the client. */
    public void relay(ResponseHead head) {
        if (state == State.RESPONDING) {
            client.body().forget();
            response.begin(head);
            if (node != null && response.takesPiped()) {
                node.pipe();
            }
        }
    }

    @Override
    public void onData(ByteBuf piece) {
        NodeStream in = node;
        if (tunnel != null) {
            tunnel.fromNode(piece);
            return;
        }
        if (state != State.RESPONDING || in == null || !response.takesBody()) {
            piece.release();
            return;
        }
        response.write(piece);
        passedOn(in);
    }

    @Override
    public void onPiped(PipedBytes piece) {
        NodeStream in = node;
        if (state != State.RESPONDING || in == null) {
            piece.release();
        } else if (client.isSpooled() && response.takesBody()) {
            // It was under way when the client was found to be slow.
            response.write(piece.read(PooledByteBufAllocator.DEFAULT));
            passedOn(in);
        } else if (response.takesPiped()) {
            response.write(piece);
            passedOn(in);
        } else {
            piece.release();
        }
    }

    private void passedOn(NodeStream in) {
        if (client.isSpooled()
                ? client.isSpoolFull()
                : client.isFull(forward.buffering().readAhead()) && !spools(in)) {
            responsePaused = true;
            in.pause();
            deadlines.pause(this);
        } else {
            awaitData();
        }
    }

    /**
     * Has what the client does not read for now wait beside its connection, if there is room; the node is read on then.
     */
    private boolean spools(NodeStream in) {
        client.watchReading();
        if (!client.spool()) {
            return false;
        }
        in.unpipe();
        return true;
    }

    /** The client has read what waited. */
    void onClientDrained() {
        NodeStream in = node;
        if (responsePaused && in != null && state == State.RESPONDING) {
            responsePaused = false;
            awaitData();
            in.resume();
        }
    }

    @Override
    public void onEnd(@Nullable Fields trailers) {
        NodeStream in = node;
        if (tunnel != null) {
            tunnel.nodeEnded();
            return;
        }
        if (state != State.RESPONDING || in == null) {
            return;
        }
        boolean sent = in.isHttp2() ? in.isWritten() : requestEnded;
        response.writeRest();
        // The connection goes back first, so that a request that follows at once finds it.
        left = in.isSilentOnceReleased();
        boolean reusable = sent && persistent && forward.upgrade().isEmpty();
        if (isPrivate && reusable) {
            keep(in);
        }
        // A connection that somebody is authenticated on is nobody else's.
        finish(reusable && (in.isHttp2() || !authenticates));
        if (!client.isEnded()) {
            if (trailers != null) {
                ConnectionFields.stripResponseTrailers(trailers);
                ConnectionFields.stripNamed(trailers, connectionOptions);
            }
            client.passEnd(trailers);
        }
    }

    /** Has the client's next requests go over the same connection. */
    @SuppressWarnings("ReferenceEquality") // A connection is itself alone.
    private void keep(NodeStream used) {
        NodeConnection kept = used.keep();
        node = null;
        PrivateNode before = client.privateNode();
        if (kept != null && (before == null || before.connection() != kept)) {
            client.privateNode(new PrivateNode(forward.node(), kept));
        }
    }

    /** Tells the client that protocols are switched, and joins the two connections. */
    public void tunnel(ResponseHead head) {
        leavePool();
        NodeStream in = Objects.requireNonNull(node);
        response.proceedToSwitch();
        client.answerSwitch(head);
        waiting(true);
        Tunnel joined = new Tunnel(client.tunnelEnd(), in.tunnelEnd(), exchange, deadlines, client.tunnelRest(), () -> {
            finish(in.isHttp2());
            client.end(exchange.error());
        });
        tunnel = joined;
        in.join(joined);
        client.join(joined);
    }

    /**
     * Returns whether a client that sends nothing more is taken for one that is gone: for a response that lasts nobody
     * else would notice, and a request that waits behind others, whose client may have given up, takes the place of
     * another one.
     */
    boolean isHopeless() {
        return lasting || (state == State.CONNECTING && waitedForOthers());
    }

    // --- Ends

    /** Tells the client's connection whether the node is waited for, or the call has a limit of its own. */
    private void waiting(boolean now) {
        if (waiting != now) {
            waiting = now;
            client.waiting(now);
        }
    }

    @Override
    public void onFailed(NodeFailure failure) {
        NodeConnection unopened = opening;
        opening = null;
        if (unopened != null) {
            unopened.release(false, client());
        }
        if (state == State.OVER) {
            return;
        }
        if (tunnel != null) {
            tunnel.close();
            return;
        }
        int before = state;
        boolean untouched = before == State.OPENING || before == State.SENDING || before == State.AWAITING;
        NodeStream used = node;
        boolean again = untouched && mayRepeat(failure);
        finish(false);
        if (failure.cause() instanceof NoSwitch) {
            events.onFailed(GatewayError.gateway(ErrorKind.NO_SWITCH, null));
        } else if (again && stale++ < STALE_MAX) {
            state = State.HOLDING;
            requestEnded = false;
            bodySent = false;
            fresh = used != null && !used.isHttp2();
            // When the place of the connection that is gone is free.
            connectLater();
        } else if (untouched) {
            ErrorKind kind = failure.broken() ? ErrorKind.UPSTREAM_RESET : ErrorKind.BAD_RESPONSE;
            events.onFailed(GatewayError.upstream(kind, failure.cause()));
        } else if (before == State.RESPONDING && !failure.broken() && !client.isCommitted()) {
            // The body is malformed from its beginning, which the client need not see.
            events.onFailed(GatewayError.upstream(ErrorKind.BAD_RESPONSE, failure.cause()));
        } else if (before == State.RESPONDING) {
            exchange.fail(GatewayError.upstream(ErrorKind.BODY_ABORTED, failure.cause()));
            client.abort(failure.code());
        }
    }

    /** Returns whether the node did nothing with the request, or the request does no harm when it is repeated. */
    private boolean mayRepeat(NodeFailure failure) {
        if (failure.untouched()) {
            return !bodySent || client.body().isReplayable();
        }
        // The node closed the idle connection while the request was on its way.
        NodeStream used = node;
        return used != null
                && failure.broken()
                && !failure.reset()
                && used.isReused()
                && isRepeatable()
                && client.body().isReplayable();
    }

    /** Returns whether sending it twice does what sending it once does (RFC 9110 §9.2.2). */
    private boolean isRepeatable() {
        return forward.upgrade().isEmpty()
                && switch (exchange.request().method()) {
                    case "GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE" -> true;
                    default -> false;
                };
    }

    @Override
    protected void onDeadline() {
        int before = state;
        if (awaitsContinue()) {
            awaitBody();
            response.proceed();
            return;
        }
        NodeStream full = full();
        if (full != null && full.progress() != progress) {
            awaitRoom(full);
            return;
        }
        boolean silent = before == State.RESPONDING || (before == State.SENDING && full == null);
        if (silent && tryRest()) {
            return;
        }
        if (silent && before == State.SENDING) {
            client.bodyFailed(ErrorKind.REQUEST_TIMEOUT);
            return;
        }
        boolean unconnected = before == State.CONNECTING;
        if (unconnected && pool.isTrial()) {
            pool.cancel(this);
            overHttp1();
            return;
        }
        ErrorKind late = waitedForOthers() ? ErrorKind.WAIT_TOO_LONG : ErrorKind.CONNECT_TIMEOUT;
        if (unconnected) {
            pool.cancel(this);
        } else if (before == State.AWAITING) {
            abandon();
        }
        finish(false);
        if (unconnected) {
            events.onUnsent(GatewayError.unsent(late, null));
        } else if (before == State.AWAITING || before == State.SENDING || before == State.OPENING) {
            events.onFailed(GatewayError.upstream(ErrorKind.RESPONSE_TIMEOUT, null));
        } else if (before == State.RESPONDING) {
            exchange.fail(silence());
            client.abort();
        }
    }

    /** Returns the stream whose node has to read before it gets more of the request; null when the client is slow. */
    private @Nullable NodeStream full() {
        NodeStream out = state == State.SENDING ? node : null;
        return out == null || (rests && !out.isFull()) ? null : out;
    }

    /** A node that has not got all of the request may wait for the rest of it. */
    private GatewayError silence() {
        return rests && !requestEnded
                ? GatewayError.downstream(ErrorKind.REQUEST_TIMEOUT)
                : GatewayError.upstream(ErrorKind.BODY_TIMEOUT, null);
    }

    @Override
    protected void onDeadlineFailed() {
        client.abort();
    }

    /** Lets go of everything; the connection goes back to the pool when it can carry another request. */
    private void finish(boolean reusable) {
        state = State.OVER;
        client.body().release(this);
        waiting(false);
        deadlines.remove(this);
        if (tunnelHeld) {
            tunnelHeld = false;
            forward.node().tunnelEnded(client());
        }
        if (restHeld) {
            restHeld = false;
            forward.node().restEnded(client());
        }
        NodeStream mine = node;
        node = null;
        if (mine != null) {
            mine.release(reusable);
        }
    }
}
