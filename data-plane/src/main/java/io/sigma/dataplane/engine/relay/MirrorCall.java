package io.sigma.dataplane.engine.relay;

import io.netty.buffer.ByteBuf;
import io.sigma.dataplane.engine.Forward;
import io.sigma.dataplane.engine.MirrorEvents;
import io.sigma.dataplane.engine.body.BodyCopy;
import io.sigma.dataplane.engine.body.HeldBytes;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.FieldList;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.exchange.rule.ConnectionLogin;
import io.sigma.dataplane.loop.Deadlines;
import io.sigma.dataplane.upstream.NodePool;
import io.sigma.dataplane.upstream.PooledConnection;
import io.sigma.dataplane.upstream.Waiter;
import org.jspecify.annotations.Nullable;

/**
 * The copy of a request to a node, whose answer is thrown away. {@code GatewayEngine} starts it for {@code
 * flow.Mirroring}. The body is sent when it is there whole, so a client that is slow holds no connection to the node.
 * Confined to the event loop of the exchange.
 */
public final class MirrorCall extends Waiter implements BodyCopy.Taker, NodeEvents {

    private final ClientStream client;
    private final Forward forward;
    private final MirrorEvents events;
    private final Deadlines deadlines;
    private final NodePool pool;
    private final String method;
    private final FieldList fields;
    private final long clientKey;
    private int timeoutMillis;

    private HeldBytes body = new HeldBytes();
    private long bodyBytes;
    private @Nullable NodeConnection opening;
    private @Nullable NodeStream node;
    private int status;
    private boolean persistent;
    private boolean over;

    public MirrorCall(ClientStream client, Forward forward, MirrorEvents events) {
        RequestHead head = client.exchange().request();
        this.client = client;
        this.forward = forward;
        this.events = events;
        this.deadlines = client.loop().exchangeDeadlines();
        this.pool = forward.node().pool(client.exchange().loop());
        this.clientKey = client.exchange().clientKey();
        this.method = head.method();
        this.fields = new FieldList(head.fields());
        fields.remove("expect");
        fields.remove("te");
    }

    public void start(int bodyBytesMax, int millisMax) {
        timeoutMillis = millisMax;
        deadlines.set(this, millisMax);
        RequestHead head = client.exchange().request();
        if (!events.tryHold(fields.memory())) {
            end(GatewayError.downstream(ErrorKind.TOO_BUSY));
        } else if (!head.hasBody()) {
            pool.acquire(this);
        } else if (head.bodyBytes() > bodyBytesMax) {
            onTooLong();
        } else {
            client.body().copy(new BodyCopy(bodyBytesMax, this));
        }
    }

    @Override
    public void onWhole(HeldBytes whole) {
        body = whole;
        if (over) {
            body.clear();
            return;
        }
        if (!events.tryHold(whole.cost())) {
            end(GatewayError.downstream(ErrorKind.TOO_BUSY));
            return;
        }
        bodyBytes = whole.bytes();
        fields.set("content-length", String.valueOf(bodyBytes));
        pool.acquire(this);
    }

    @Override
    public void onTooLong() {
        end(GatewayError.downstream(ErrorKind.BODY_TOO_LARGE));
    }

    @Override
    public void onAborted() {
        end(GatewayError.downstream(ErrorKind.CLIENT_ABORTED));
    }

    @Override
    protected long client() {
        return clientKey;
    }

    @Override
    protected int waitMillisMax() {
        return timeoutMillis;
    }

    @Override
    protected void onConnection(PooledConnection obtained) {
        NodeConnection connection = (NodeConnection) obtained;
        opening = connection;
        connection.open(this);
    }

    @Override
    protected void onNoConnection(GatewayError error) {
        end(error);
    }

    @Override
    public void onOpen(NodeStream stream) {
        opening = null;
        if (over) {
            stream.release(false);
            return;
        }
        node = stream;
        stream.send(method, forward, fields, bodyBytes);
        // Writing may fail at once, which lets go of all that is still the body.
        for (ByteBuf piece = body.poll(); piece != null; piece = body.poll()) {
            stream.write(piece);
        }
        stream.end(null);
    }

    @Override
    public void onWritable() {
        // All of the body was written at once, and is bounded.
    }

    @Override
    public void onInterim(int interim, Fields ignored) {
        // Nobody waits for it.
    }

    @Override
    public void onHead(int answered, Fields ignored, boolean keepsConnection) {
        status = answered;
        // A connection that somebody is authenticated on is nobody else's.
        persistent = keepsConnection && !ConnectionLogin.isIn(fields);
    }

    @Override
    public void onData(ByteBuf piece) {
        piece.release();
    }

    @Override
    public void onEnd(@Nullable Fields trailers) {
        end(null);
    }

    @Override
    public void onFailed(NodeFailure failure) {
        NodeConnection unopened = opening;
        opening = null;
        if (unopened != null) {
            unopened.release(false, clientKey);
        }
        end(GatewayError.upstream(ErrorKind.UPSTREAM_RESET, failure.cause()));
    }

    @Override
    protected void onDeadline() {
        pool.cancel(this);
        end(GatewayError.upstream(ErrorKind.RESPONSE_TIMEOUT, null));
    }

    /**
     * @param error null when the answer is complete
     */
    private void end(@Nullable GatewayError error) {
        if (over) {
            return;
        }
        over = true;
        deadlines.remove(this);
        body.clear();
        NodeStream mine = node;
        node = null;
        if (mine != null) {
            mine.release(error == null && persistent);
        }
        events.onEnd(status, error);
    }
}
