package io.sigma.dataplane.engine.vertx;

import io.netty.channel.Channel;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.sigma.dataplane.engine.relay.HalfClose;
import io.sigma.dataplane.engine.relay.NodeConnection;
import io.sigma.dataplane.engine.relay.NodeEvents;
import io.sigma.dataplane.engine.relay.NodeFailure;
import io.vertx.core.Future;
import io.vertx.core.http.HttpClientConnection;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.http.impl.HttpClientConnectionInternal;
import io.vertx.core.http.impl.UnpooledHttpClientConnection;
import org.jspecify.annotations.Nullable;

/** A connection to a node. Confined to its event loop. */
final class VertxConnection extends NodeConnection {

    private static final RequestOptions NONE = new RequestOptions();

    private final HttpClientConnectionInternal connection;
    private final HttpClientConnection http;
    private final boolean http2;
    private final @Nullable NodeCodec codec;
    private final int streamsMax;
    private int streams;
    private int goAwayStream = Integer.MAX_VALUE;
    private boolean open = true;

    /**
     * @param streamsMax how many requests it carries at a time at most if it speaks HTTP/2
     */
    VertxConnection(HttpClientConnectionInternal connection, boolean http2, int streamsMax) {
        this.connection = connection;
        this.http2 = http2;
        this.streamsMax = http2 ? streamsMax : 1;
        this.streams = bounded(connection.concurrency());
        Channel channel = connection.channelHandlerContext().channel();
        this.codec = http2 ? null : NodeCodec.install(channel, NodeClients.HEAD_BYTES_MAX, NodeClients.CHUNK_BYTES_MAX);
        if (!http2) {
            UnpooledCopy.guard(channel);
        }
        connection.evictionHandler(ignored -> {
            // There is no pool of Vert.x that it could be taken from.
        });
        if (http2) {
            connection.concurrencyChangeHandler(this::onConcurrency);
            GoAwayListener.install(
                    (Http2ConnectionHandler) connection.channelHandlerContext().handler(), lastStream -> {
                        goAwayStream = Math.min(goAwayStream, lastStream);
                        drain();
                    });
        }
        this.http = new UnpooledHttpClientConnection(connection);
        http.exceptionHandler(ignored -> {
            // Whoever uses the connection hears of it through the request; the connection is closed after it.
        });
        http.closeHandler(ignored -> {
            open = false;
            closed();
        });
    }

    boolean isHttp2() {
        return http2;
    }

    @Override
    public void open(NodeEvents events) {
        request()
                .onComplete(
                        created -> events.onOpen(new VertxNodeStream(this, created, events)),
                        cause -> events.onFailed(NodeFailure.unsent(cause)));
    }

    /** Runs {@code task} when what happens now is over. */
    void later(Runnable task) {
        connection.context().runOnContext(ignored -> task.run());
    }

    private Future<HttpClientRequest> request() {
        // Vert.x would count the streams of a shared connection, and count wrong when one is given up before it is
        // begun.
        HttpClientConnection counting = http2 ? new UnpooledHttpClientConnection(connection) : http;
        return counting.request(NONE);
    }

    /** Takes no more requests: one failed in a way that may concern all. */
    void giveUp() {
        drain();
    }

    /** Returns whether the node said that it did not look at that stream. */
    boolean isBeyondGoAway(int stream) {
        return stream > goAwayStream;
    }

    /** Gives up or ends a request's use of it; a stream is closed only when the frame that ended it has been handled. */
    void endRequest(boolean reusable, long client) {
        if (http2) {
            connection.context().runOnContext(ignored -> release(true, client));
        } else {
            release(reusable && codec != null && codec.isClean(), client);
        }
    }

    void endOutput() {
        HalfClose.output(connection.channelHandlerContext().channel());
    }

    private void onConcurrency(long concurrency) {
        streams = bounded(concurrency);
        streamsChanged();
    }

    private int bounded(long concurrency) {
        return http2 ? Math.clamp(concurrency, 0, streamsMax) : 1;
    }

    @Override
    protected int streamsMax() {
        return streams;
    }

    @Override
    protected boolean isOpen() {
        return open && connection.channelHandlerContext().channel().isActive();
    }

    @Override
    protected void close() {
        open = false;
        http.close();
    }
}
