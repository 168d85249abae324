package io.sigma.dataplane.engine.framed;

import io.netty.buffer.ByteBuf;
import io.sigma.dataplane.engine.RpcEvents;
import io.sigma.dataplane.engine.RpcRequest;
import io.sigma.dataplane.engine.body.Pieces;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.dataplane.upstream.NodePool;
import io.sigma.dataplane.upstream.PooledConnection;
import io.sigma.dataplane.upstream.Waiter;
import java.net.InetSocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A request of a client until its answer. Confined to the event loop. */
final class FramedCall extends Waiter implements RpcRequest {

    private enum State {
        /** With no node. */
        HELD,
        /** Waits for a connection to a node. */
        WAITING,
        /** Was given to a connection to a node. */
        SENT,
        OVER
    }

    private final FramedConnection client;
    private final FrameHead.Kind kind;
    private final long id;
    private final long form;
    private final int timeoutMillis;
    private final String service;
    private final String method;
    private final long startNanos;
    private final long bytesIn;
    private State state = State.HELD;
    /** The frame to send. Null once it was sent. */
    private @Nullable ByteBuf frame;

    private @Nullable RpcEvents events;
    private @Nullable NodePool pool;
    private int waitMillis;
    /** Memory of the request while it waits, in bytes. */
    private long cost;

    private @Nullable FramedNodeLink link;
    /** The id that it has on the connection to the node. */
    private int linkId;

    private long bytesOut;
    private int answerStatus = -1;

    /** Neighbours in the list of the client. */
    @Nullable
    FramedCall previous;

    @Nullable
    FramedCall next;

    /**
     * @param frame belongs to it from now on
     */
    FramedCall(FramedConnection client, FrameHead head, ByteBuf frame) {
        this.client = client;
        this.kind = head.kind;
        this.id = head.id;
        this.form = head.form;
        this.timeoutMillis = head.timeoutMillis;
        this.service = client.framed().texts().text(frame, head.serviceAt, head.serviceLength);
        this.method = client.framed().texts().text(frame, head.methodAt, head.methodLength);
        this.startNanos = client.framed().loop().nanos();
        this.bytesIn = frame.readableBytes();
        this.frame = frame;
    }

    void begin(RpcEvents driven) {
        events = driven;
        driven.begin();
    }

    private RpcEvents events() {
        return Objects.requireNonNull(events);
    }

    @Override
    public int loop() {
        return client.framed().loop().index();
    }

    @Override
    public @Nullable InetSocketAddress remoteAddress() {
        return client.remoteAddress();
    }

    @Override
    public @Nullable InetSocketAddress peerAddress() {
        return client.peerAddress();
    }

    @Override
    public String protocol() {
        return client.protocol().name(form);
    }

    @Override
    public String service() {
        return service;
    }

    @Override
    public String method() {
        return method;
    }

    @Override
    public @Nullable String header(String name) {
        ByteBuf held = frame;
        return held == null ? null : client.header(held, name);
    }

    @Override
    public int timeoutMillis() {
        return timeoutMillis;
    }

    @Override
    public boolean isOneWay() {
        return kind == FrameHead.Kind.ONE_WAY;
    }

    @Override
    public long startNanos() {
        return startNanos;
    }

    @Override
    public long bytesIn() {
        return bytesIn;
    }

    @Override
    public long bytesOut() {
        return bytesOut;
    }

    @Override
    public int answerStatus() {
        return answerStatus;
    }

    @Override
    public boolean isRefused() {
        return client.isRefused();
    }

    // --- The way to a node

    @Override
    public void send(NodeEndpoint node, int connectMillis) {
        NodePool asked = node.framedPool(loop(), client.protocol().version(), client);
        pool = asked;
        waitMillis = connectMillis;
        state = State.WAITING;
        asked.acquire(this);
        ByteBuf held = frame;
        // It may wait for another node by now, which has been noted.
        if (state == State.WAITING && held != null && cost == 0) {
            // It is not to keep all that came with it, which others of the same piece would be counted for, too.
            frame = null;
            ByteBuf kept = Pieces.compact(held);
            frame = kept;
            cost = Pieces.memory(kept);
            client.waits(cost);
            client.framed().loop().exchangeDeadlines().set(this, connectMillis);
        }
    }

    @Override
    protected long client() {
        return client.key();
    }

    @Override
    protected int waitMillisMax() {
        return waitMillis;
    }

    @Override
    protected void onConnection(PooledConnection connection) {
        stopWaiting();
        FramedNodeLink to = (FramedNodeLink) connection;
        ByteBuf sent = Objects.requireNonNull(frame);
        frame = null;
        state = State.SENT;
        events().onSent();
        to.send(this, sent);
    }

    @Override
    protected void onNoConnection(GatewayError error) {
        stopWaiting();
        events().onUnsent(error);
    }

    @Override
    protected void onDeadline() {
        if (state == State.WAITING) {
            ErrorKind late = waitedForOthers() ? ErrorKind.WAIT_TOO_LONG : ErrorKind.CONNECT_TIMEOUT;
            Objects.requireNonNull(pool).cancel(this);
            onNoConnection(GatewayError.unsent(late, null));
        }
    }

    private void stopWaiting() {
        client.waits(-cost);
        cost = 0;
        pool = null;
        state = State.HELD;
        client.framed().loop().exchangeDeadlines().remove(this);
    }

    /** Records that the request was sent on {@code on} with the id {@code given}. */
    void sentAs(FramedNodeLink on, int given) {
        link = on;
        linkId = given;
    }

    /** The node has answered with {@code answer}, which is released. */
    void answered(ByteBuf answer, FrameHead head) {
        link = null;
        bytesOut = answer.readableBytes();
        answerStatus = head.status;
        int status = head.httpStatus;
        client.write(client.protocol().answer(answer, form, id, answer.alloc()));
        over();
        events().onAnswer(status);
    }

    /** The connection to the node is gone. */
    void broken() {
        link = null;
        if (state == State.SENT) {
            events().onBroken();
        }
    }

    // --- The end

    @Override
    public void fail(ErrorKind error) {
        if (state == State.OVER) {
            return;
        }
        leaveNode();
        if (!isOneWay()) {
            ByteBuf answer = client.protocol().error(form, id, method, error, client.buffers());
            bytesOut = answer.readableBytes();
            client.write(answer);
        }
        over();
    }

    @Override
    public void finish() {
        over();
    }

    /** The gateway ends the connection of the client. */
    void ended() {
        events().onEnded();
        over();
    }

    /** The client is gone: nobody waits any more. */
    void abandon() {
        leaveNode();
        over();
        events().onAbandoned();
    }

    private void leaveNode() {
        if (state == State.WAITING) {
            Objects.requireNonNull(pool).cancel(this);
            stopWaiting();
        }
        FramedNodeLink on = link;
        link = null;
        if (on != null) {
            on.forget(linkId, client());
        }
    }

    boolean isOver() {
        return state == State.OVER;
    }

    private void over() {
        if (state == State.OVER) {
            return;
        }
        state = State.OVER;
        ByteBuf held = frame;
        frame = null;
        if (held != null) {
            held.release();
        }
        client.ended(this);
    }
}
