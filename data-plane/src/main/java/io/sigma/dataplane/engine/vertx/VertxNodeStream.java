package io.sigma.dataplane.engine.vertx;

import io.netty.buffer.ByteBuf;
import io.sigma.dataplane.engine.Forward;
import io.sigma.dataplane.engine.relay.NodeEvents;
import io.sigma.dataplane.engine.relay.NodeFailure;
import io.sigma.dataplane.engine.relay.NodeStream;
import io.sigma.dataplane.engine.relay.Pieces;
import io.sigma.dataplane.exchange.Fields;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.StreamResetException;
import io.vertx.core.internal.buffer.BufferInternal;
import io.vertx.core.net.HostAndPort;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request over HTTP/2, through Vert.x's client. Confined to the event loop. */
final class VertxNodeStream implements NodeStream {

    private static final long H2_REFUSED_STREAM = 7;
    private static final long H2_CANCEL = 8;

    private final VertxConnection connection;
    private final HttpClientRequest request;
    private final long client;
    private final NodeEvents events;
    private final boolean reused;
    private @Nullable HttpClientResponse response;
    private boolean headSent;
    private boolean written;
    private boolean over;
    /** Pieces that the connection took although the queue was full. */
    private long progress;
    /** How much of the body waits although the queue was full, in bytes. */
    private long queued;
    /** Whether the response is not read, so that a window of it may have arrived. */
    private boolean paused;

    VertxNodeStream(VertxConnection connection, HttpClientRequest request, NodeEvents events) {
        this.connection = connection;
        this.request = request;
        this.events = events;
        this.client = connection.client();
        this.reused = connection.reused();
        request.exceptionHandler(this::failed);
        request.continueHandler(ignored -> {
            if (!over) {
                events.onContinue();
            }
        });
        request.earlyHintsHandler(hints -> {
            if (!over) {
                events.onEarlyHints(new VertxFields(hints));
            }
        });
        request.response().onComplete(this::onHead, this::failed);
    }

    @Override
    public boolean isHttp2() {
        return true;
    }

    @Override
    public void send(String method, Forward forward, Fields fields, long bodyBytes) {
        request.setMethod(HttpMethod.valueOf(method));
        request.setURI(forward.target());
        MultiMap out = request.headers();
        request.authority(HostAndPort.parseAuthority(forward.authority(), -1));
        copy(fields, out);
        if (bodyBytes != 0) {
            request.setChunked(bodyBytes < 0);
            request.drainHandler(ignored -> {
                if (!over) {
                    events.onWritable();
                }
            });
            // The head goes out with the first piece of the body, or when there is none for now.
            connection.later(this::sendHead);
        }
    }

    private void sendHead() {
        if (!headSent && !over) {
            headSent = true;
            request.sendHead();
        }
    }

    /** Copies the fields; cookies that HTTP/2 split are joined again (RFC 9113 §8.2.3). */
    private static void copy(Fields from, MultiMap to) {
        List<String> cookies = from.all("cookie");
        from.forEach((name, value) -> {
            if (cookies.size() < 2 || !name.equalsIgnoreCase("cookie")) {
                to.add(name, value);
            }
        });
        if (cookies.size() >= 2) {
            to.add("cookie", String.join("; ", cookies));
        }
    }

    @Override
    public void write(ByteBuf piece) {
        headSent = true;
        // The piece that fills the queue is heard of when there is room again.
        boolean full = request.writeQueueFull();
        int length = piece.readableBytes();
        Future<Void> taken = request.write(Buffers.of(Pieces.compact(piece)));
        if (full) {
            queued += length;
            taken.onComplete(ignored -> {
                progress++;
                queued -= length;
            });
        }
    }

    @Override
    public long held() {
        return queued + (paused ? NodeClients.STREAM_WINDOW_BYTES : 0);
    }

    @Override
    public boolean isFull() {
        return request.writeQueueFull();
    }

    @Override
    public long progress() {
        return progress;
    }

    @Override
    public void end(@Nullable Fields trailers) {
        headSent = true;
        request.end().onSuccess(ignored -> written = true);
    }

    @Override
    public boolean isWritten() {
        return written;
    }

    @Override
    public void pause() {
        paused = true;
        if (response != null) {
            response.pause();
        }
    }

    @Override
    public void resume() {
        paused = false;
        if (response != null) {
            response.resume();
        }
    }

    @Override
    public boolean handOver(NodeEvents next) {
        return false;
    }

    @Override
    public void endOutput() {
        throw new IllegalStateException("a stream that is not handed over is given up");
    }

    @Override
    public boolean becomeTunnel() {
        return false;
    }

    @Override
    public boolean isSilentOnceReleased() {
        return false;
    }

    @Override
    public boolean isReused() {
        return reused;
    }

    private void onHead(HttpClientResponse head) {
        if (over) {
            return;
        }
        response = head;
        head.exceptionHandler(this::failed);
        head.endHandler(ignored -> onEnd(head));
        head.handler(this::onData);
        events.onHead(head.statusCode(), new VertxFields(head.headers()), true);
    }

    private void onData(Buffer data) {
        if (!over) {
            events.onData(((BufferInternal) data).getByteBuf());
        }
    }

    private void onEnd(HttpClientResponse head) {
        if (!over) {
            MultiMap trailers = head.trailers();
            events.onEnd(trailers.isEmpty() ? null : new VertxFields(trailers));
        }
    }

    private void failed(Throwable cause) {
        if (over) {
            return;
        }
        if (!(cause instanceof StreamResetException)) {
            connection.giveUp();
        }
        boolean broken = cause instanceof HttpClosedException
                || cause instanceof StreamResetException
                || cause instanceof IOException;
        boolean refused = cause instanceof StreamResetException reset && reset.getCode() == H2_REFUSED_STREAM;
        long code = cause instanceof StreamResetException reset ? reset.getCode() : NodeFailure.H2_INTERNAL_ERROR;
        boolean untouched = refused || connection.isBeyondGoAway(request.streamId());
        events.onFailed(new NodeFailure(broken, untouched, code, cause));
    }

    @Override
    public void release(boolean reusable) {
        if (over) {
            return;
        }
        over = true;
        if (!reusable) {
            request.reset(H2_CANCEL);
        }
        connection.endRequest(client);
    }
}
