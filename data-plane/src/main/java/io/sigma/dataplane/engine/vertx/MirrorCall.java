package io.sigma.dataplane.engine.vertx;

import io.sigma.dataplane.engine.Forward;
import io.sigma.dataplane.engine.MirrorEnd;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.loop.Deadlines;
import io.sigma.dataplane.upstream.NodePool;
import io.sigma.dataplane.upstream.PooledConnection;
import io.sigma.dataplane.upstream.Waiter;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.net.HostAndPort;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The copy of a request to a node, whose answer is thrown away. The body is sent when it is there whole, so a client that is
 * slow holds no connection to the node. Confined to the event loop of the exchange.
 */
final class MirrorCall extends Waiter implements BodyCopy.Taker {

    private static final long H2_CANCEL = 8;

    private final VertxDownstream downstream;
    private final Forward forward;
    private final MirrorEnd onEnd;
    private final Deadlines deadlines;
    private final NodePool pool;
    private final String method;
    private final MultiMap fields = MultiMap.caseInsensitiveMultiMap();

    private List<Buffer> body = List.of();
    private @Nullable VertxConnection connection;
    private @Nullable HttpClientRequest request;
    private int status;
    private boolean over;

    MirrorCall(VertxDownstream downstream, Forward forward, MirrorEnd onEnd) {
        RequestHead head = downstream.exchange().request();
        this.downstream = downstream;
        this.forward = forward;
        this.onEnd = onEnd;
        this.deadlines = downstream.connection().loop().loop().exchangeDeadlines();
        this.pool = forward.node().pool(downstream.exchange().loop());
        this.method = head.method();
        fields.addAll(((VertxFields) head.fields()).map());
        fields.remove("expect").remove("te");
    }

    void start(int bodyBytesMax, int timeoutMillis) {
        deadlines.set(this, timeoutMillis);
        RequestHead head = downstream.exchange().request();
        if (!head.hasBody()) {
            pool.acquire(this);
        } else if (head.bodyBytes() > bodyBytesMax) {
            onTooLong();
        } else {
            downstream.body().copy(new BodyCopy(bodyBytesMax, this));
        }
    }

    @Override
    public void onWhole(List<Buffer> pieces, long length) {
        if (!over) {
            body = pieces;
            fields.set("content-length", String.valueOf(length));
            pool.acquire(this);
        }
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
    protected void onConnection(PooledConnection obtained) {
        VertxConnection mine = (VertxConnection) obtained;
        connection = mine;
        mine.request().onComplete(this::send, this::failed);
    }

    @Override
    protected void onNoConnection(GatewayError error) {
        end(error);
    }

    private void send(HttpClientRequest created) {
        if (over) {
            return;
        }
        request = created;
        created.exceptionHandler(this::failed);
        created.response().onComplete(this::onHead, this::failed);
        created.setMethod(HttpMethod.valueOf(method)).setURI(forward.target());
        if (connection != null && connection.isHttp2()) {
            created.authority(HostAndPort.parseAuthority(forward.authority(), -1));
        } else {
            created.headers().add("host", forward.authority());
        }
        created.headers().addAll(fields);
        for (Buffer piece : body) {
            created.write(piece);
        }
        body = List.of();
        created.end();
    }

    private void onHead(HttpClientResponse head) {
        if (over) {
            return;
        }
        status = head.statusCode();
        head.exceptionHandler(this::failed);
        // Without a handler of data what arrives is dropped.
        head.endHandler(ignored -> end(null));
    }

    private void failed(Throwable cause) {
        end(GatewayError.upstream(ErrorKind.UPSTREAM_RESET, cause));
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
        VertxConnection mine = connection;
        connection = null;
        if (mine != null) {
            if (mine.isHttp2() && error != null && request != null) {
                request.reset(H2_CANCEL);
            }
            mine.endRequest(error == null && status >= 200);
        }
        onEnd.ended(status, error);
    }
}
