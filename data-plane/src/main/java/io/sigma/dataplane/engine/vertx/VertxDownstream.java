package io.sigma.dataplane.engine.vertx;

import io.netty.channel.ChannelOption;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.sigma.dataplane.engine.ExchangeEvents;
import io.sigma.dataplane.exchange.Attributes;
import io.sigma.dataplane.exchange.BodyEncoder;
import io.sigma.dataplane.exchange.Downstream;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.exchange.InvalidRequest;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.dataplane.loop.Deadlines;
import io.sigma.model.ServerLimits;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The client's side of an exchange. Confined to the event loop of the connection. */
final class VertxDownstream extends Deadlines.Entry implements Downstream {

    /** How long, and how much, of a body that nobody wants is read after the answer, so that the client can read that. */
    private static final long LINGER_MILLIS = 2_000;

    private static final long LINGER_BYTES = 1024 * 1024;
    private static final long H2_NO_ERROR = 0;
    private static final long H2_INTERNAL_ERROR = 2;
    private static final long H2_CANCEL = 8;

    private final ClientConnection connection;
    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final RequestBody body;
    private final boolean http2;
    private @Nullable Exchange exchange;
    private @Nullable ExchangeEvents events;
    private @Nullable VertxCall call;
    private boolean closing;
    private boolean answered;
    private boolean ended;

    VertxDownstream(ClientConnection connection, HttpServerRequest request) {
        this.connection = connection;
        this.request = request;
        this.response = request.response();
        this.http2 = request.version() == HttpVersion.HTTP_2;
        this.body = new RequestBody(request);
    }

    /**
     * Begins the exchange.
     *
     * @param invalid why the decoder refused the request; null when it did not
     */
    void begin(@Nullable Throwable invalid) {
        GatewayError refusal = null;
        RequestHead head;
        long bodyBytes = body.isEnded() && body.isEmpty() ? 0 : HeadDecoder.bodyBytes(request);
        try {
            if (invalid != null) {
                throw new InvalidRequest(HeadDecoder.kindOf(invalid, request), "decoder");
            }
            head = HeadDecoder.decode(connection, request, bodyBytes);
        } catch (InvalidRequest e) {
            refusal = GatewayError.downstream(e.kind());
            head = HeadDecoder.placeholder(connection, request);
        }
        Exchange begun = new Exchange(head, this, connection.loop().loop().index(), System.nanoTime());
        exchange = begun;
        connection.guard().exchangeBegun();
        ExchangeEvents opened = connection.binding().open(begun);
        events = opened;
        body.count(begun, () -> opened.onBodyRefused(ErrorKind.BODY_TOO_LARGE));
        if (bodyBytes == 0 || invalid != null) {
            body.none();
        } else if (!http2 || HeadDecoder.bodyBytes(request) >= 0) {
            body.read();
        }
        if (!http2 && !body.isEnded()) {
            watchRate(head);
        }
        response.exceptionHandler(ignored -> clientGone());
        response.closeHandler(ignored -> clientGone());
        if (refusal != null) {
            opened.refuse(refusal);
        } else {
            opened.begin();
        }
    }

    /** On HTTP/2 a stream may rest, as those of gRPC do; the connection as a whole may not be idle. */
    private void watchRate(RequestHead head) {
        ServerLimits limits = connection.limits();
        long bytesMin = (long) limits.bodyBytesPerSecondMin() * limits.bodyRatePeriodMillis() / 1000;
        if (limits.bodyBytesPerSecondMin() > 0) {
            BodyRate rate = new BodyRate(
                    connection.loop().loop().exchangeDeadlines(),
                    limits.bodyRatePeriodMillis(),
                    Math.max(1, bytesMin),
                    () -> bodyFailed(ErrorKind.REQUEST_TIMEOUT));
            body.watch(rate, !head.fields().contains("expect"));
        }
    }

    /** Ends the exchange because its body is malformed or too slow; nothing more is passed on. */
    void bodyFailed(ErrorKind kind) {
        if (ended || events == null) {
            request.connection().close();
        } else {
            body.fail();
            events.onBodyRefused(kind);
        }
    }

    Exchange exchange() {
        return Objects.requireNonNull(exchange);
    }

    ClientConnection connection() {
        return connection;
    }

    HttpServerRequest request() {
        return request;
    }

    HttpServerResponse response() {
        return response;
    }

    RequestBody body() {
        return body;
    }

    boolean isHttp2() {
        return http2;
    }

    boolean isEnded() {
        return ended;
    }

    @Nullable
    VertxCall call() {
        return call;
    }

    void call(VertxCall started) {
        call = started;
    }

    @Override
    public ResponseHead head(int status) {
        response.headers().clear();
        return new ResponseHead(status, new VertxFields(response.headers()));
    }

    @Override
    public @Nullable String clientSubject() {
        return connection.clientSubject();
    }

    @Override
    public void answer(ResponseHead head, byte[] body) {
        if (ended) {
            return;
        }
        answered = true;
        byte[] content = encoded(body);
        begin(head.status());
        boolean bodiless = isBodiless(head.status());
        boolean empty = head.status() == 204 || head.status() == 304;
        if (!empty) {
            response.headers().set("content-length", String.valueOf(content.length));
        }
        if (bodiless || content.length == 0) {
            // On HTTP/2 an empty piece would be a frame of its own, and the trailers of gRPC no trailers any more.
            response.end().onComplete(ignored -> complete(), this::writeFailed);
        } else {
            exchange().sent(content.length);
            response.end(Buffer.buffer(content)).onComplete(ignored -> complete(), this::writeFailed);
        }
    }

    private byte[] encoded(byte[] content) {
        BodyEncoder encoder = exchange().get(Attributes.BODY_ENCODER);
        if (encoder == null) {
            return content;
        }
        byte[] most = encoder.encode(content);
        byte[] rest = encoder.finish();
        byte[] all = Arrays.copyOf(most, most.length + rest.length);
        System.arraycopy(rest, 0, all, most.length, rest.length);
        return all;
    }

    @Override
    public void answerFile(ResponseHead head, Path file, long offset, long length) {
        if (ended) {
            return;
        }
        answered = true;
        begin(head.status());
        response.headers().set("content-length", String.valueOf(length));
        if (isBodiless(head.status())) {
            response.end().onComplete(ignored -> complete(), this::writeFailed);
            return;
        }
        exchange().sent(length);
        response.sendFile(file.toString(), offset, length).onComplete(ignored -> complete(), this::writeFailed);
    }

    @Override
    public boolean isCommitted() {
        return answered || response.headWritten();
    }

    /** Sets what every response has, however its body is sent. */
    void begin(int status) {
        response.setStatusCode(status);
        if (closing && !http2) {
            response.headers().set("connection", "close");
        }
        if (status == 204 && !http2) {
            // Vert.x announces an empty body, which a 204 must not (RFC 9110 §8.6).
            response.headersEndHandler(ignored -> response.headers().remove("content-length"));
        }
    }

    /** Returns whether a response with that status has no body for this request (RFC 9110 §6.4.1). */
    boolean isBodiless(int status) {
        return status == 204 || status == 304 || exchange().request().method().equals("HEAD");
    }

    /** The response is written. */
    void complete() {
        end(exchange().error());
        if (!body.isEnded() && !http2) {
            linger();
        } else if (!body.isEnded()) {
            response.reset(H2_NO_ERROR);
        } else if (closing && !http2) {
            request.connection().close();
        }
    }

    @Override
    public void abort() {
        // A client of gRPC takes a cancelled stream after its deadline for what it is.
        GatewayError error = exchange().error();
        boolean late = error != null && error.kind() == ErrorKind.TOTAL_TIMEOUT;
        abort(late ? H2_CANCEL : H2_INTERNAL_ERROR);
    }

    /**
     * @param code tells an HTTP/2 client why
     */
    void abort(long code) {
        if (ended) {
            return;
        }
        cancelCall();
        if (http2) {
            response.reset(code == H2_NO_ERROR ? H2_INTERNAL_ERROR : code);
        } else {
            // A response that ends with the connection would seem complete if the connection ended in order.
            if (connection.channel().isOpen()) {
                connection.channel().config().setOption(ChannelOption.SO_LINGER, 0);
            }
            request.connection().close();
        }
        end(exchange().error());
    }

    @Override
    public void closeAfterAnswer() {
        closing = true;
        if (!http2) {
            connection.closing();
        }
    }

    /** Writing failed, which means that the client is gone. */
    void writeFailed(Throwable cause) {
        clientGone();
    }

    void end(@Nullable GatewayError error) {
        if (ended) {
            return;
        }
        ended = true;
        body.over();
        connection.guard().exchangeEnded();
        if (events != null) {
            events.onEnd(error);
        }
    }

    private void clientGone() {
        body.abort();
        if (!ended) {
            cancelCall();
            end(GatewayError.downstream(ErrorKind.CLIENT_ABORTED));
        }
        connection.loop().loop().exchangeDeadlines().remove(this);
    }

    private void cancelCall() {
        if (call != null) {
            call.cancel();
        }
    }

    private void linger() {
        body.discard(LINGER_BYTES);
        if (closing) {
            endOutput();
        }
        connection.loop().loop().exchangeDeadlines().set(this, LINGER_MILLIS);
    }

    /** Tells the client at once that nothing follows, while what it still sends is read, so that it can read the answer. */
    private void endOutput() {
        SslHandler tls = connection.channel().pipeline().get(SslHandler.class);
        if (tls != null) {
            tls.closeOutbound();
        } else if (connection.channel() instanceof DuplexChannel duplex) {
            duplex.shutdownOutput();
        }
    }

    @Override
    protected void onDeadline() {
        connection.loop().loop().exchangeDeadlines().remove(this);
        if (!body.isEnded() || closing) {
            request.connection().close();
        }
    }
}
