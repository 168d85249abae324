package io.sigma.dataplane.engine.vertx;

import io.sigma.dataplane.engine.Forward;
import io.sigma.dataplane.engine.ForwardEvents;
import io.sigma.dataplane.exchange.Attributes;
import io.sigma.dataplane.exchange.BodyEncoder;
import io.sigma.dataplane.exchange.ConnectionFields;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.dataplane.loop.Deadlines;
import io.sigma.dataplane.upstream.NodePool;
import io.sigma.dataplane.upstream.PooledConnection;
import io.sigma.dataplane.upstream.Waiter;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.StreamResetException;
import io.vertx.core.net.HostAndPort;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One request to one node: a connection from the pool, the request out, the response back. Confined to the event loop of
 * the exchange.
 */
final class VertxCall extends Waiter implements RequestBody.Sink {

    /** How often a connection that the node had closed meanwhile is replaced by another one. */
    private static final int STALE_MAX = 3;

    /** How long a node may leave the client waiting for 100 (RFC 9110 §10.1.1: some never send it); as long as curl waits. */
    private static final long CONTINUE_MILLIS = 1_000;

    private static final long H2_INTERNAL_ERROR = 2;
    private static final long H2_REFUSED_STREAM = 7;
    private static final long H2_CANCEL = 8;

    private enum State {
        HOLDING,
        CONNECTING,
        SENDING,
        AWAITING,
        RESPONDING,
        TUNNEL,
        OVER
    }

    private final VertxDownstream downstream;
    private final Exchange exchange;
    private final Forward forward;
    private final ForwardEvents events;
    private final Deadlines deadlines;
    private final NodePool pool;

    private State state = State.HOLDING;
    private @Nullable VertxConnection connection;
    private @Nullable HttpClientRequest request;
    private @Nullable HttpClientResponse response;
    private @Nullable BodyEncoder encoder;
    private boolean requestEnded;
    /** Whether the end of the request has left, which on HTTP/2 waits for the node's window. */
    private boolean requestWritten;

    private boolean bodySent;
    private boolean continued;
    private boolean persistent;
    private boolean responsePaused;
    /** How much of the response is written and not yet taken by the connection; counted only when reading ahead. */
    private long ahead;

    private boolean waiting;
    private int stale;

    VertxCall(VertxDownstream downstream, Forward forward, ForwardEvents events) {
        this.downstream = downstream;
        this.exchange = downstream.exchange();
        this.forward = forward;
        this.events = events;
        this.deadlines = downstream.connection().loop().loop().exchangeDeadlines();
        this.pool = forward.node().pool(exchange.loop());
    }

    void start() {
        RequestHead head = exchange.request();
        int held = head.hasBody() ? forward.buffering().held(head.bodyBytes()) : 0;
        if (held > 0 && !head.fields().contains("expect")) {
            downstream.body().whenHeld(held, this::connect);
        } else {
            connect();
        }
    }

    /** Gives up: a waiting call leaves its queue, an open connection is closed. Nothing is reported any more. */
    void cancel() {
        if (state == State.OVER) {
            return;
        }
        pool.cancel(this);
        finish(false);
    }

    // --- Connection

    private void connect() {
        if (state == State.HOLDING) {
            state = State.CONNECTING;
            waiting(true);
            deadlines.set(this, forward.connectMillis());
            pool.acquire(this);
        }
    }

    @Override
    protected void onConnection(PooledConnection obtained) {
        VertxConnection mine = (VertxConnection) obtained;
        connection = mine;
        state = State.SENDING;
        waiting(downstream.body().isEnded());
        deadlines.pause(this);
        exchange.connectedNanos(System.nanoTime());
        mine.request().onComplete(this::send, cause -> failed(null, cause));
    }

    @Override
    protected void onNoConnection(GatewayError error) {
        finish(false);
        events.onUnsent(error);
    }

    // --- Request

    private void send(HttpClientRequest created) {
        if (state != State.SENDING) {
            return;
        }
        request = created;
        RequestHead head = exchange.request();
        created.setMethod(HttpMethod.valueOf(head.method()));
        created.setURI(forward.target());
        created.exceptionHandler(cause -> failed(created, cause));
        created.continueHandler(ignored -> onContinue());
        created.earlyHintsHandler(this::onEarlyHints);
        created.response().onComplete(this::onHead, cause -> failed(created, cause));
        MultiMap fields = created.headers();
        boolean http2 = connection != null && connection.isHttp2();
        if (http2) {
            created.authority(HostAndPort.parseAuthority(forward.authority(), -1));
        } else {
            fields.add("host", forward.authority());
            // It belongs to HTTP/2: HTTP/1.1 would have to name it in Connection as well.
            head.fields().remove("te");
        }
        copyRequestFields(((VertxFields) head.fields()).map(), fields);
        if (!forward.upgrade().isEmpty()) {
            fields.set("connection", "Upgrade").set("upgrade", forward.upgrade());
            created.connect();
            awaiting(created);
        } else if (!head.hasBody()) {
            end(created);
        } else {
            created.setChunked(head.bodyBytes() < 0);
            created.drainHandler(ignored -> downstream.body().resume());
            if (!downstream.body().isEnded()) {
                created.sendHead();
                if (head.fields().contains("expect")) {
                    deadlines.set(this, CONTINUE_MILLIS);
                }
            }
            downstream.body().to(this, forward.replayable());
        }
    }

    /** Copies the fields; cookies that HTTP/2 split are joined again (RFC 9113 §8.2.3). */
    private void copyRequestFields(MultiMap from, MultiMap to) {
        List<String> cookies = downstream.isHttp2() ? from.getAll("cookie") : List.of();
        for (var field : from) {
            if (cookies.size() < 2 || !field.getKey().equals("cookie")) {
                to.add(field.getKey(), field.getValue());
            }
        }
        if (cookies.size() >= 2) {
            to.add("cookie", String.join("; ", cookies));
        }
    }

    @Override
    public void onBody(Buffer data) {
        HttpClientRequest out = request;
        if (out == null || state == State.OVER) {
            return;
        }
        bodySent = true;
        if (state == State.SENDING) {
            deadlines.pause(this);
        }
        out.write(data);
        if (out.writeQueueFull()) {
            downstream.body().pause();
        }
    }

    @Override
    public void onBodyEnd() {
        HttpClientRequest out = request;
        if (out != null && state != State.OVER && !requestEnded) {
            end(out);
        }
    }

    @SuppressWarnings("ReferenceEquality") // A request that was replaced does not count.
    private void end(HttpClientRequest out) {
        requestEnded = true;
        out.end().onSuccess(ignored -> requestWritten |= out == request);
        awaiting(out);
    }

    /** The response may be there already, or the request may have failed and been replaced while it was written. */
    @SuppressWarnings("ReferenceEquality")
    private void awaiting(HttpClientRequest sent) {
        if (state == State.SENDING && sent == request) {
            state = State.AWAITING;
            waiting(true);
            deadlines.set(this, forward.responseMillis());
        }
    }

    // --- Response

    /** The client is told once; one of HTTP/1.0, or that has sent its body, does not wait for it. */
    private void onContinue() {
        boolean waits = exchange.request().fields().contains("expect") && understandsInterim() && !bodySent;
        if (waits
                && !continued
                && !downstream.isEnded()
                && !downstream.response().headWritten()) {
            continued = true;
            downstream.response().writeContinue();
            downstream.body().awaited();
        }
    }

    private boolean understandsInterim() {
        return !exchange.request().protocol().equals("HTTP/1.0");
    }

    private void onEarlyHints(MultiMap hints) {
        if (understandsInterim() && !downstream.response().headWritten() && state != State.OVER) {
            ConnectionFields.stripResponse(new VertxFields(hints));
            downstream.response().writeEarlyHints(downstream.isHttp2() ? lowerCase(hints) : hints);
        }
    }

    /** Names of HTTP/2 have no upper case (RFC 9113 §8.2). */
    private static MultiMap lowerCase(MultiMap fields) {
        MultiMap lower = MultiMap.caseInsensitiveMultiMap();
        fields.forEach((name, value) -> lower.add(name.toLowerCase(Locale.ROOT), value));
        return lower;
    }

    private void onHead(HttpClientResponse head) {
        if (state != State.SENDING && state != State.AWAITING) {
            return;
        }
        waiting(false);
        exchange.firstByteNanos(System.nanoTime());
        response = head;
        persistent = isPersistent(head);
        boolean switching = head.statusCode() == 101 && !forward.upgrade().isEmpty();
        if (head.statusCode() < 200 && !switching) {
            // A 101 that nobody asked for; other interim responses were dropped where they were decoded.
            finish(false);
            events.onFailed(GatewayError.upstream(ErrorKind.BAD_RESPONSE, null));
            return;
        }
        ResponseHead announced = new ResponseHead(head.statusCode(), new VertxFields(head.headers()));
        if (switching) {
            state = State.TUNNEL;
            downstream.connection().guard().noHeads();
            deadlines.remove(this);
            head.pause();
            events.onSwitching(announced);
        } else {
            state = State.RESPONDING;
            deadlines.set(this, forward.idleMillis());
            events.onResponse(announced);
        }
    }

    void relay(ResponseHead head) {
        HttpClientResponse in = Objects.requireNonNull(response);
        HttpServerResponse out = downstream.response();
        if (state != State.RESPONDING) {
            return;
        }
        MultiMap fields = out.headers();
        for (var field : ((VertxFields) head.fields()).map()) {
            fields.add(field.getKey(), field.getValue());
        }
        boolean bodiless = downstream.isBodiless(head.status());
        downstream.body().forget();
        downstream.begin(head.status());
        if (head.status() == 204) {
            fields.remove("content-length");
        } else if (!bodiless && !fields.contains("content-length") && !downstream.isHttp2()) {
            delimit(out);
        }
        encoder = exchange.get(Attributes.BODY_ENCODER);
        in.exceptionHandler(cause -> failed(request, cause));
        in.endHandler(ignored -> onResponseEnd(in, out));
        if (!bodiless) {
            out.drainHandler(ignored -> resumeResponse());
            in.handler(data -> onResponseData(in, out, data));
            // A body that is there already goes out with the head; the head does not wait for one that is not.
            downstream.connection().loop().context().runOnContext(ignored -> writeHead(out));
        }
    }

    private void writeHead(HttpServerResponse out) {
        if (state == State.RESPONDING && !downstream.isEnded() && !out.headWritten()) {
            out.writeHead();
        }
    }

    /** Frames a body whose length is not known: in chunks, or for HTTP/1.0 by the end of the connection. */
    private void delimit(HttpServerResponse out) {
        if (exchange.request().protocol().equals("HTTP/1.0")) {
            downstream.closeAfterAnswer();
            out.headers().set("connection", "close");
        } else {
            out.setChunked(true);
        }
    }

    private void onResponseData(HttpClientResponse in, HttpServerResponse out, Buffer data) {
        if (state != State.RESPONDING || downstream.isEnded()) {
            return;
        }
        Buffer piece = encoder == null ? data : Buffer.buffer(encoder.encode(data.getBytes()));
        exchange.sent(piece.length());
        if (piece.length() > 0) {
            write(out, piece);
        }
        if (out.writeQueueFull() && ahead >= forward.buffering().readAhead()) {
            responsePaused = true;
            in.pause();
            deadlines.pause(this);
        } else {
            deadlines.set(this, forward.idleMillis());
        }
    }

    private void write(HttpServerResponse out, Buffer piece) {
        if (forward.buffering().readAhead() == 0) {
            out.write(piece);
            return;
        }
        ahead += piece.length();
        out.write(piece).onComplete(ignored -> {
            ahead -= piece.length();
            if (ahead < forward.buffering().readAhead()) {
                resumeResponse();
            }
        });
    }

    private void resumeResponse() {
        HttpClientResponse in = response;
        if (responsePaused && in != null && state == State.RESPONDING) {
            responsePaused = false;
            deadlines.set(this, forward.idleMillis());
            in.resume();
        }
    }

    private void onResponseEnd(HttpClientResponse in, HttpServerResponse out) {
        if (state != State.RESPONDING) {
            return;
        }
        MultiMap trailers = in.trailers();
        if (!trailers.isEmpty() && (out.isChunked() || downstream.isHttp2())) {
            out.trailers().addAll(trailers);
        }
        boolean sent = in.version() == HttpVersion.HTTP_2 ? requestWritten : requestEnded;
        finish(sent && persistent && forward.upgrade().isEmpty());
        if (!downstream.isEnded() && encoder != null) {
            Buffer rest = Buffer.buffer(encoder.finish());
            exchange.sent(rest.length());
            out.end(rest).onComplete(ignored -> downstream.complete(), downstream::writeFailed);
        } else if (!downstream.isEnded()) {
            out.end().onComplete(ignored -> downstream.complete(), downstream::writeFailed);
        }
    }

    /** Returns whether the node keeps the connection (RFC 9112 §9.3). */
    private static boolean isPersistent(HttpClientResponse in) {
        if (in.version() != HttpVersion.HTTP_1_1) {
            return in.version() == HttpVersion.HTTP_2;
        }
        String options = in.getHeader("connection");
        return options == null || !options.toLowerCase(Locale.ROOT).contains("close");
    }

    void tunnel(ResponseHead head) {
        HttpClientResponse in = Objects.requireNonNull(response);
        MultiMap fields = downstream.response().headers();
        for (var field : ((VertxFields) head.fields()).map()) {
            fields.add(field.getKey(), field.getValue());
        }
        // Vert.x looks at the request again, whose connection fields were removed when it was forwarded.
        downstream.request().headers().set("connection", "Upgrade").set("upgrade", forward.upgrade());
        downstream
                .request()
                .toNetSocket()
                .onComplete(
                        client -> Tunnel.open(client, in.netSocket(), exchange, () -> {
                            finish(false);
                            downstream.end(exchange.error());
                        }),
                        cause -> downstream.abort());
    }

    // --- Ends

    /** Tells the client's connection whether it is the node that is waited for. */
    private void waiting(boolean now) {
        if (waiting != now) {
            waiting = now;
            if (now) {
                downstream.connection().guard().waitBegun();
            } else {
                downstream.connection().guard().waitEnded();
            }
        }
    }

    /**
     * @param source the request that failed; null when it could not be begun
     */
    @SuppressWarnings("ReferenceEquality") // A request that was replaced may still complain.
    private void failed(@Nullable HttpClientRequest source, Throwable cause) {
        if (source != request || state == State.OVER) {
            return;
        }
        State before = state;
        boolean untouched = before == State.SENDING || before == State.AWAITING;
        boolean broken = cause instanceof HttpClosedException
                || cause instanceof StreamResetException
                || cause instanceof IOException;
        boolean again = untouched && connection != null && mayRepeat(connection, source, cause);
        if (connection != null && !(cause instanceof StreamResetException)) {
            connection.giveUp();
        }
        finish(false);
        if (again && stale++ < STALE_MAX) {
            state = State.HOLDING;
            request = null;
            requestEnded = false;
            requestWritten = false;
            connect();
        } else if (untouched) {
            events.onFailed(GatewayError.upstream(broken ? ErrorKind.UPSTREAM_RESET : ErrorKind.BAD_RESPONSE, cause));
        } else if (before == State.RESPONDING && !broken && !downstream.isCommitted()) {
            // The body is malformed from its beginning, which the client need not see.
            events.onFailed(GatewayError.upstream(ErrorKind.BAD_RESPONSE, cause));
        } else if (before == State.RESPONDING) {
            exchange.fail(GatewayError.upstream(ErrorKind.BODY_ABORTED, cause));
            downstream.abort(cause instanceof StreamResetException reset ? reset.getCode() : H2_INTERNAL_ERROR);
        }
    }

    /** Returns whether the node did nothing with the request, or the request does no harm when it is repeated. */
    private boolean mayRepeat(VertxConnection used, @Nullable HttpClientRequest source, Throwable cause) {
        boolean refused = cause instanceof StreamResetException reset && reset.getCode() == H2_REFUSED_STREAM;
        if (refused || (source != null && used.isBeyondGoAway(source.streamId()))) {
            return !bodySent;
        }
        // The node closed the idle connection while the request was on its way.
        return used.reused() && isReplayable();
    }

    private boolean isReplayable() {
        RequestHead head = exchange.request();
        boolean safe = head.method().equals("GET")
                || head.method().equals("HEAD")
                || head.method().equals("OPTIONS");
        return safe && !head.hasBody() && forward.upgrade().isEmpty();
    }

    @Override
    protected void onDeadline() {
        State before = state;
        if (before == State.SENDING && !bodySent && exchange.request().fields().contains("expect")) {
            deadlines.pause(this);
            onContinue();
            return;
        }
        boolean queued = before == State.CONNECTING;
        if (queued) {
            pool.cancel(this);
        }
        finish(false);
        if (queued) {
            events.onUnsent(GatewayError.unsent(ErrorKind.CONNECT_TIMEOUT, null));
        } else if (before == State.AWAITING || before == State.SENDING) {
            events.onFailed(GatewayError.upstream(ErrorKind.RESPONSE_TIMEOUT, null));
        } else if (before == State.RESPONDING) {
            exchange.fail(GatewayError.upstream(ErrorKind.BODY_TIMEOUT, null));
            downstream.abort();
        }
    }

    /** Lets go of everything; the connection goes back to the pool when it can carry another request. */
    private void finish(boolean reusable) {
        state = State.OVER;
        downstream.body().release(this);
        waiting(false);
        deadlines.remove(this);
        VertxConnection mine = connection;
        connection = null;
        if (mine != null) {
            if (mine.isHttp2() && !reusable && request != null) {
                request.reset(H2_CANCEL);
            }
            mine.endRequest(reusable);
        }
    }
}
