package io.sigma.dataplane.engine.vertx;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelOption;
import io.sigma.dataplane.disk.ServedFile;
import io.sigma.dataplane.engine.ExchangeEvents;
import io.sigma.dataplane.engine.relay.ClientStream;
import io.sigma.dataplane.engine.relay.NodeStream;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.exchange.InvalidRequest;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.exchange.ResponseHead;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.internal.buffer.BufferInternal;
import io.vertx.core.net.NetSocket;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The client's side of an exchange. Confined to the event loop of the connection. */
final class VertxDownstream extends ClientStream {

    private static final Logger LOG = LoggerFactory.getLogger(VertxDownstream.class);

    private static final int FILE_PIECE_BYTES = 64 * 1024;
    private static final long H2_NO_ERROR = 0;
    private static final long H2_INTERNAL_ERROR = 2;
    private static final long H2_CANCEL = 8;

    private final ClientConnection connection;
    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final boolean http2;
    /** How much of the response is written and not yet taken by the connection, in bytes. */
    private long ahead;

    private int fullAhead;
    private boolean full;
    private boolean answered;
    private boolean closing;

    VertxDownstream(ClientConnection connection, HttpServerRequest request) {
        super(connection);
        this.connection = connection;
        this.request = request;
        this.response = request.response();
        this.http2 = request.version() == HttpVersion.HTTP_2;
    }

    @Override
    protected long unread() {
        return ahead;
    }

    /** The codec of Vert.x bounds what it holds by itself. */
    @Override
    public void grew(long bytes) {}

    /**
     * Begins the exchange.
     *
     * @param invalid why the decoder refused the request; null when it did not
     */
    void begin(@Nullable Throwable invalid) {
        GatewayError refusal = null;
        RequestHead head;
        long bodyBytes = body().isEnded() && body().isEmpty() ? 0 : HeadDecoder.bodyBytes(request);
        try {
            if (invalid != null) {
                throw new InvalidRequest(HeadDecoder.kindOf(invalid, request), "decoder");
            }
            head = HeadDecoder.decode(connection, request, bodyBytes);
        } catch (InvalidRequest e) {
            refusal = GatewayError.downstream(e.kind());
            head = HeadDecoder.placeholder(connection, request);
        }
        ExchangeEvents opened = open(head);
        countBody();
        if (bodyBytes == 0 || invalid != null) {
            body().none();
        } else if (!http2 || HeadDecoder.bodyBytes(request) >= 0) {
            read();
        }
        if (!http2 && !body().isEnded()) {
            // On HTTP/2 a stream may rest, as those of gRPC do; the connection as a whole may not be idle.
            watchRate();
        }
        response.exceptionHandler(ignored -> gone());
        response.closeHandler(ignored -> gone());
        if (refusal != null) {
            opened.refuse(refusal);
        } else {
            opened.begin();
        }
    }

    /** Begins to read the body; to be called before the event in which the head arrived is over. */
    void read() {
        request.handler(data -> body().onData(((BufferInternal) data).getByteBuf()));
        request.endHandler(ignored -> body().onEnd(null));
    }

    @Override
    public void pause() {
        request.pause();
    }

    @Override
    public void resume() {
        request.resume();
    }

    ClientConnection connection() {
        return connection;
    }

    @Override
    public boolean isHttp2() {
        return http2;
    }

    @Override
    public boolean isHeadWritten() {
        return response.headWritten();
    }

    // --- Response of a node

    @Override
    public void writeContinue() {
        response.writeContinue();
    }

    @Override
    public void writeEarlyHints(Fields hints) {
        MultiMap map = MultiMap.caseInsensitiveMultiMap();
        // Names of HTTP/2 have no upper case (RFC 9113 §8.2).
        hints.forEach((name, value) -> map.add(http2 ? name.toLowerCase(Locale.ROOT) : name, value));
        response.writeEarlyHints(map);
    }

    @Override
    public void respond(ResponseHead head) {
        MultiMap fields = response.headers();
        copy(head.fields(), fields);
        boolean bodiless = isBodiless(head.status());
        begin(head.status());
        if (head.status() == 204) {
            fields.remove("content-length");
        } else if (!bodiless && !fields.contains("content-length") && !http2) {
            delimit();
        }
        if (!bodiless) {
            response.drainHandler(ignored -> readAgain());
            // A body that is there already goes out with the head; the head does not wait for one that is not.
            connection.vertxLoop().context().runOnContext(ignored -> writeHead());
        }
    }

    @SuppressWarnings("ReferenceEquality") // Fields of the response itself are there already.
    private static void copy(Fields from, MultiMap to) {
        if (from instanceof VertxFields known && known.map() == to) {
            return;
        }
        from.forEach(to::add);
    }

    private void writeHead() {
        if (!isEnded() && !response.headWritten()) {
            response.writeHead();
        }
    }

    /** Frames a body whose length is not known: in chunks, or for HTTP/1.0 by the end of the connection. */
    private void delimit() {
        if (exchange().request().protocol().equals("HTTP/1.0")) {
            closing = true;
            response.headers().set("connection", "close");
        } else {
            response.setChunked(true);
        }
    }

    @Override
    public void write(ByteBuf piece) {
        int length = piece.readableBytes();
        ahead += length;
        response.write(Buffers.of(piece)).onComplete(ignored -> {
            ahead -= length;
            if (full && ahead < fullAhead) {
                readAgain();
            }
        });
    }

    @Override
    public boolean isFull(int readAhead) {
        full = response.writeQueueFull() && ahead >= readAhead;
        fullAhead = readAhead;
        return full;
    }

    private void readAgain() {
        full = false;
        drained();
    }

    @Override
    public void finish(@Nullable Fields trailers) {
        if (isEnded()) {
            return;
        }
        if (trailers != null && (response.isChunked() || http2)) {
            trailers.forEach(response.trailers()::add);
        }
        response.end().onComplete(ignored -> complete(), this::writeFailed);
    }

    @Override
    public void switchTo(ResponseHead head, NodeStream node, Runnable onClosed) {
        NetSocket upstream = node instanceof VertxNodeStream stream ? stream.socket() : null;
        if (upstream == null) {
            abort();
            return;
        }
        connection.guard().noHeads();
        copy(head.fields(), response.headers());
        // Vert.x looks at the request again, whose connection fields were removed when it was forwarded.
        request.headers().set("connection", "Upgrade").set("upgrade", upgrade(head));
        request.toNetSocket()
                .onComplete(client -> Tunnel.open(client, upstream, exchange(), onClosed), cause -> abort());
    }

    private static String upgrade(ResponseHead head) {
        String protocol = head.fields().get("upgrade");
        return protocol == null ? "websocket" : protocol;
    }

    @Override
    public ResponseHead head(int status) {
        response.headers().clear();
        return new ResponseHead(status, new VertxFields(response.headers()));
    }

    @Override
    public void answer(ResponseHead head, byte[] whole) {
        if (isEnded()) {
            return;
        }
        answered = true;
        byte[] content = encoded(whole);
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

    @Override
    public void answerFile(ResponseHead head, ServedFile file, long offset, long length) {
        if (isEnded()) {
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
        FileChannel opened;
        try {
            opened = file.open();
        } catch (IOException e) {
            abort();
            return;
        }
        if (http2) {
            send(opened, offset, length);
        } else {
            response.sendFile(opened, offset, length).onComplete(ignored -> complete(), this::writeFailed);
        }
    }

    /** Sends a file in pieces, each when the one before is written. Vert.x does not end a stream of HTTP/2 that it sends a channel on. */
    private void send(FileChannel file, long offset, long left) {
        if (left == 0) {
            close(file);
            response.end().onComplete(ignored -> complete(), this::writeFailed);
            return;
        }
        int wanted = (int) Math.min(left, FILE_PIECE_BYTES);
        connection
                .vertxLoop()
                .context()
                .executeBlocking(() -> read(file, offset, wanted), false)
                .compose(piece -> response.write(piece).map(piece.length()))
                .onComplete(written -> send(file, offset + written, left - written), failure -> {
                    close(file);
                    abort();
                });
    }

    private static Buffer read(FileChannel file, long offset, int wanted) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(wanted);
        while (bytes.hasRemaining()) {
            if (file.read(bytes, offset + bytes.position()) < 0) {
                throw new EOFException("the file became shorter");
            }
        }
        return Buffer.buffer(bytes.array());
    }

    private static void close(FileChannel file) {
        try {
            file.close();
        } catch (IOException e) {
            LOG.debug("A file that was served could not be closed: {}", e.getMessage());
        }
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

    private boolean isBodiless(int status) {
        return ResponseHead.isBodiless(status, exchange().request().method());
    }

    /** The response is written. */
    void complete() {
        end(exchange().error());
        if (!body().isEnded() && !http2) {
            linger();
        } else if (!body().isEnded()) {
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
    @Override
    public void abort(long code) {
        if (isEnded()) {
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
        gone();
    }

    @Override
    protected boolean isClosing() {
        return closing;
    }

    @Override
    protected void closeConnection() {
        request.connection().close();
    }
}
